import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type EventType, Outbox } from '../../events/outbox';
import { nanoToUsd } from '../../ledger/usd';
import type { Payment } from './payment';
import { COIN_DECIMALS } from './payment-chain';
import { baseToNumber } from './payment-policy';
import type { Transition } from './reducer';

export interface TellingContext {
  /** With which the payment was confirmed; null where it was not. */
  entryId: string | null;
  now: Date;
  /** The operation that caused the change; null where none did. */
  operation: string | null;
}

/** Tells subscribers what happens to payments, in the transaction in which it happens. */
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
    await this.write(manager, payment, 'payment.created', data, { now: createdAt, operation });
  }

  async tell(
    manager: EntityManager,
    payment: Payment,
    transitions: readonly Transition[],
    context: TellingContext,
  ): Promise<void> {
    for (const transition of transitions) {
      if (transition.type === 'confirming') {
        const data = { ...onChain(payment), required_confirmations: payment.requiredConfirmations };
        await this.write(manager, payment, 'payment.confirming', data, context);
      } else if (transition.type === 'confirmed') {
        const data = { ...onChain(payment), ...(await balancesOf(manager, context.entryId)) };
        await this.write(manager, payment, 'payment.confirmed', data, context);
      } else if (transition.type === 'failed') {
        const data = { ...common(payment), reason: transition.reason, tx_hash: payment.txHash };
        await this.write(manager, payment, 'payment.failed', data, context);
      } else if (transition.type === 'expired') {
        const data = { ...common(payment), expires_at: payment.expiresAt.toISOString() };
        await this.write(manager, payment, 'payment.expired', data, context);
      }
    }
  }

  private async write(
    manager: EntityManager,
    payment: Payment,
    type: EventType,
    data: Record<string, unknown>,
    { now, operation }: Pick<TellingContext, 'now' | 'operation'>,
  ): Promise<void> {
    await this.outbox.write(manager, {
      accountId: payment.accountId,
      type,
      data,
      operation,
      occurredAt: now,
    });
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
