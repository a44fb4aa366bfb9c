import { Injectable } from '@nestjs/common';
import { encodeQR } from 'qr';
import type { EntityManager } from 'typeorm';
import { Outbox } from '../../events/outbox';
import { nanoToUsd } from '../../ledger/money';
import { inSnakeCase } from '../../runtime/json';
import type { Payment, PaymentTransfer } from './payment';
import type { Currency } from './payment-chain';
import { baseToDecimal, baseToNumber, COIN_DECIMALS } from './payment-policy';
import type { Transition } from './reducer';

interface PaymentRequest {
  currency: Currency;
  network: string;
  address: string;
  reference: string | null;
  amountBase: bigint;
  label: string;
}

/** BIP 21 for BTC, EIP-681 for ETH, Solana Pay's transfer request for SOL. */
export function paymentUri(request: PaymentRequest): string {
  const { currency, network, address, reference, amountBase, label } = request;
  const amount = baseToDecimal(amountBase, COIN_DECIMALS[currency]);
  switch (currency) {
    case 'BTC':
      return `bitcoin:${address}?amount=${amount}`;
    case 'ETH': {
      // Without a chain id a wallet pays on the chain that it is set to.
      const chain = /^\d+$/.test(network) ? `@${network}` : '';
      return `ethereum:${address}${chain}?value=${amountBase}`;
    }
    case 'SOL': {
      const carried = reference === null ? '' : `&reference=${reference}`;
      return `solana:${address}?amount=${amount}${carried}&label=${encodeURIComponent(label)}`;
    }
  }
}

/** The quiet zone of ISO/IEC 18004. */
const BORDER_MODULES = 4;

/** With a white background, because a code on a dark page cannot be scanned. */
export function paymentQr(uri: string): string {
  const svg = encodeQR(uri, 'svg', { ecc: 'medium', border: BORDER_MODULES });
  return svg.replace('>', '><rect width="100%" height="100%" fill="#fff"/>');
}

const LABEL = 'Credits';

export function paymentRecord(payment: Payment) {
  const decimals = COIN_DECIMALS[payment.currency];
  return {
    ...inSnakeCase(payment, 'id', 'currency', 'network', 'address', 'reference', 'status', 'failureReason'),
    ...inSnakeCase(payment, 'confirmations', 'requiredConfirmations', 'txHash'),
    ...inSnakeCase(payment, 'detectedAt', 'expiresAt', 'createdAt', 'confirmedAt'),
    payment_id: payment.id,
    user_id: payment.accountId,
    amount_usd: nanoToUsd(payment.amountNanoUsd),
    amount_crypto: baseToNumber(payment.expectedBase, decimals),
    amount_crypto_text: baseToDecimal(payment.expectedBase, decimals),
    payment_uri: uriOf(payment),
    qr_path: `/api/payments/payments/${payment.id}/qr.svg`,
    rate: nanoToUsd(payment.rateNanoUsd),
    price_sources: payment.priceSources.map(({ name, rateNanoUsd, takenAt }) => ({
      name,
      rate: nanoToUsd(rateNanoUsd),
      taken_at: takenAt.toISOString(),
    })),
    ...whatCame(payment),
    transfers: payment.transfers.map((transfer) => transferRecord(transfer, decimals)),
  };
}

export function uriOf({ currency, network, address, reference, expectedBase }: Payment): string {
  return paymentUri({ currency, network, address, reference, amountBase: expectedBase, label: LABEL });
}

function whatCame(payment: Payment) {
  const decimals = COIN_DECIMALS[payment.currency];
  return {
    received_crypto: baseToNumber(payment.receivedBase, decimals),
    received_crypto_text: baseToDecimal(payment.receivedBase, decimals),
    credited_usd: nanoToUsd(payment.creditedNanoUsd),
    underpaid: payment.isUnderpaid,
    overpaid: payment.isOverpaid,
    late: payment.isLate,
  };
}

function transferRecord(transfer: PaymentTransfer, decimals: number) {
  return {
    ...inSnakeCase(transfer, 'txHash', 'state', 'confirmations', 'firstSeenAt'),
    amount_crypto: baseToNumber(transfer.amountBase, decimals),
    amount_crypto_text: baseToDecimal(transfer.amountBase, decimals),
    late: transfer.isLate,
    credited_usd: nanoToUsd(transfer.creditedNanoUsd ?? 0n),
    transaction_id: transfer.entryId,
  };
}

@Injectable()
export class PaymentEvents {
  constructor(private readonly outbox: Outbox) {}

  async created(manager: EntityManager, payment: Payment, operation: string): Promise<void> {
    const { address, reference, expiresAt, createdAt } = payment;
    const data = {
      ...common(payment),
      amount_crypto: baseToNumber(payment.expectedBase, COIN_DECIMALS[payment.currency]),
      address,
      reference,
      expires_at: expiresAt.toISOString(),
    };
    const { accountId } = payment;
    const type = 'payment.created';
    await this.outbox.write(manager, { accountId, type, data, operation, occurredAt: createdAt });
  }

  async publish(
    manager: EntityManager,
    payment: Payment,
    transitions: readonly Transition[],
    { entryId, now, operation }: { entryId: string | null; now: Date; operation: string | null },
  ): Promise<void> {
    for (const transition of transitions) {
      if (transition.type === 'credit' || transition.type === 'review') {
        continue;
      }
      await this.outbox.write(manager, {
        accountId: payment.accountId,
        type: `payment.${transition.type}`,
        data: await dataOf(manager, payment, transition, entryId),
        operation,
        occurredAt: now,
      });
    }
  }
}

async function dataOf(
  manager: EntityManager,
  payment: Payment,
  transition: Exclude<Transition, { type: 'credit' | 'review' }>,
  entryId: string | null,
): Promise<Record<string, unknown>> {
  switch (transition.type) {
    case 'confirming':
      return { ...onChain(payment), required_confirmations: payment.requiredConfirmations };
    case 'confirmed':
      return { ...onChain(payment), ...whatCame(payment), ...(await balancesOf(manager, entryId)) };
    case 'failed':
      return { ...common(payment), reason: transition.reason, tx_hash: payment.txHash };
    case 'expired':
      return { ...common(payment), expires_at: payment.expiresAt.toISOString() };
  }
}

function common({ id, accountId, amountNanoUsd, currency }: Payment) {
  return { payment_id: id, user_id: accountId, amount_usd: nanoToUsd(amountNanoUsd), currency };
}

function onChain(payment: Payment) {
  return {
    ...common(payment),
    amount_crypto: baseToNumber(payment.expectedBase, COIN_DECIMALS[payment.currency]),
    tx_hash: payment.txHash,
    confirmations: payment.confirmations,
  };
}

async function balancesOf(manager: EntityManager, entryId: string | null) {
  const [row]: { amount_nano: string; balance_after_nano: string }[] = await manager.query(
    'SELECT amount_nano, balance_after_nano FROM ledger_entries WHERE id = $1',
    [entryId],
  );
  if (row === undefined) {
    throw new Error('a payment was confirmed without an entry of the ledger');
  }
  const afterNanoUsd = BigInt(row.balance_after_nano);
  return {
    previous_balance: nanoToUsd(afterNanoUsd - BigInt(row.amount_nano)),
    new_balance: nanoToUsd(afterNanoUsd),
  };
}
