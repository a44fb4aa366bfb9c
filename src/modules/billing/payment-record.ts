import { encodeQR } from 'qr';
import { nanoToUsd } from '../../ledger/usd';
import type { Payment, PaymentStatus, PaymentTransfer } from './payment';
import { COIN_DECIMALS, type Currency, type TransferState } from './payment-chain';
import { baseToDecimal, baseToNumber } from './payment-policy';

/** What a payer's wallet has to know. */
interface PaymentRequest {
  currency: Currency;
  /** As the chain names it: for Ethereum the chain id, where there is a chain. */
  network: string;
  address: string;
  /** What the transfer has to carry; null where the address is the payment's own. */
  reference: string | null;
  /** In the coin's smallest unit. */
  amountBase: bigint;
  /** Whom the wallet names as the receiver, where its scheme has that. */
  label: string;
}

/** What a wallet opens: BIP 21 for BTC, EIP-681 for ETH, Solana Pay's transfer request for SOL. */
export function paymentUri(request: PaymentRequest): string {
  const { currency, network, address, reference, amountBase, label } = request;
  const amount = baseToDecimal(amountBase, COIN_DECIMALS[currency]);
  switch (currency) {
    case 'BTC':
      return `bitcoin:${address}?amount=${amount}`;
    case 'ETH': {
      // Without a chain id a wallet pays on the chain that it is set to, so it is left out only where there is none.
      const chain = /^\d+$/.test(network) ? `@${network}` : '';
      return `ethereum:${address}${chain}?value=${amountBase}`;
    }
    case 'SOL': {
      const carried = reference === null ? '' : `&reference=${reference}`;
      return `solana:${address}?amount=${amount}${carried}&label=${encodeURIComponent(label)}`;
    }
  }
}

/** The quiet zone that ISO/IEC 18004 asks for, in modules. */
const BORDER_MODULES = 4;

/**
 * A QR code that wallets scan, as an SVG of one unit per module. It brings its white, because a code on the ground of a dark
 * page can't be read.
 */
export function paymentQr(uri: string): string {
  const svg = encodeQR(uri, 'svg', { ecc: 'medium', border: BORDER_MODULES });
  return svg.replace('>', '><rect width="100%" height="100%" fill="#fff"/>');
}

/** Whom wallets name as the receiver, where they name one. */
const LABEL = 'Credits';

/** A payment as its account holder and operators see it. Amounts ending in `_text` are exact. */
interface PaymentRecord {
  id: string;
  payment_id: string;
  user_id: string;
  amount_usd: number;
  currency: Currency;
  network: string;
  amount_crypto: number;
  amount_crypto_text: string;
  address: string;
  reference: string | null;
  payment_uri: string;
  qr_path: string;
  rate: number;
  price_sources: { name: string; rate: number; taken_at: string }[];
  status: PaymentStatus;
  failure_reason: string | null;
  confirmations: number;
  required_confirmations: number;
  tx_hash: string | null;
  received_crypto: number;
  received_crypto_text: string;
  credited_usd: number;
  underpaid: boolean;
  overpaid: boolean;
  late: boolean;
  transfers: TransferRecord[];
  detected_at: string | null;
  expires_at: string;
  created_at: string;
  confirmed_at: string | null;
}

interface TransferRecord {
  tx_hash: string | null;
  amount_crypto: number;
  amount_crypto_text: string;
  state: TransferState;
  confirmations: number;
  late: boolean;
  credited_usd: number;
  transaction_id: string | null;
  first_seen_at: string;
}

export function paymentRecord(payment: Payment): PaymentRecord {
  const decimals = COIN_DECIMALS[payment.currency];
  return {
    id: payment.id,
    payment_id: payment.id,
    user_id: payment.accountId,
    amount_usd: nanoToUsd(payment.amountNanoUsd),
    currency: payment.currency,
    network: payment.network,
    amount_crypto: baseToNumber(payment.expectedBase, decimals),
    amount_crypto_text: baseToDecimal(payment.expectedBase, decimals),
    address: payment.address,
    reference: payment.reference,
    payment_uri: uriOf(payment),
    qr_path: `/api/payments/payments/${payment.id}/qr.svg`,
    rate: nanoToUsd(payment.rateNanoUsd),
    price_sources: payment.priceSources.map(({ name, rateNanoUsd, takenAt }) => ({
      name,
      rate: nanoToUsd(rateNanoUsd),
      taken_at: takenAt.toISOString(),
    })),
    status: payment.status,
    failure_reason: payment.failureReason,
    confirmations: payment.confirmations,
    required_confirmations: payment.requiredConfirmations,
    tx_hash: payment.txHash,
    received_crypto: baseToNumber(payment.receivedBase, decimals),
    received_crypto_text: baseToDecimal(payment.receivedBase, decimals),
    credited_usd: nanoToUsd(payment.creditedNanoUsd),
    underpaid: payment.isUnderpaid,
    overpaid: payment.isOverpaid,
    late: payment.isLate,
    transfers: payment.transfers.map((transfer) => transferRecord(transfer, decimals)),
    detected_at: payment.detectedAt?.toISOString() ?? null,
    expires_at: payment.expiresAt.toISOString(),
    created_at: payment.createdAt.toISOString(),
    confirmed_at: payment.confirmedAt?.toISOString() ?? null,
  };
}

/** What a wallet opens to pay it. */
export function uriOf({ currency, network, address, reference, expectedBase }: Payment): string {
  return paymentUri({ currency, network, address, reference, amountBase: expectedBase, label: LABEL });
}

function transferRecord(transfer: PaymentTransfer, decimals: number): TransferRecord {
  return {
    tx_hash: transfer.txHash,
    amount_crypto: baseToNumber(transfer.amountBase, decimals),
    amount_crypto_text: baseToDecimal(transfer.amountBase, decimals),
    state: transfer.state,
    confirmations: transfer.confirmations,
    late: transfer.isLate,
    credited_usd: nanoToUsd(transfer.creditedNanoUsd ?? 0n),
    transaction_id: transfer.entryId,
    first_seen_at: transfer.firstSeenAt.toISOString(),
  };
}
