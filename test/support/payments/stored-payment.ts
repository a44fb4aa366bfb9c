import type { Payment, PaymentState, PaymentTransfer } from '../../../src/modules/billing/payment';
import { watchedAfter } from '../../../src/modules/billing/payment-policy';

const CREATED_AT = new Date('2026-11-21T09:30:00.000Z');
const EXPIRES_AT = new Date('2026-11-21T09:45:00.000Z');

/** A payment of 50 USD in BTC for which nothing has arrived, as it is read from the table. */
export function storedPayment(fields: Partial<Payment> = {}): Payment {
  return {
    ...newPaymentState(EXPIRES_AT, 1),
    id: '0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d',
    accountId: '0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01',
    currency: 'BTC',
    network: 'main',
    isSandbox: false,
    amountNanoUsd: 50_000_000_000n,
    expectedBase: 50_000n,
    rateNanoUsd: 100_000_000_000_000n,
    priceSources: [{ name: 'kraken', rateNanoUsd: 99_999_500_000_000n, takenAt: CREATED_AT }],
    address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    reference: null,
    derivationIndex: 0,
    createdAt: CREATED_AT,
    expiresAt: EXPIRES_AT,
    version: 1,
    review: { isNeeded: false, reason: null, since: null, resolvedAt: null, resolvedBy: null, note: null },
    ...fields,
  };
}

/** A transfer of a payment that is in a block and not settled. */
export function storedTransfer(fields: Partial<PaymentTransfer> = {}): PaymentTransfer {
  return {
    id: 'a:0',
    txHash: 'a',
    amountBase: 50_000n,
    state: 'included',
    confirmations: 1,
    isFinal: false,
    blockTime: new Date('2026-11-21T09:40:00.000Z'),
    firstSeenAt: new Date('2026-11-21T09:31:00.000Z'),
    isLate: false,
    creditedNanoUsd: null,
    entryId: null,
    ...fields,
  };
}

export function newPaymentState(expiresAt: Date, requiredConfirmations: number): PaymentState {
  return {
    status: 'created',
    failureReason: null,
    transfers: [],
    credits: 0,
    creditedNanoUsd: 0n,
    creditedBase: 0n,
    receivedBase: 0n,
    confirmations: 0,
    requiredConfirmations,
    txHash: null,
    isUnderpaid: false,
    isOverpaid: false,
    isLate: false,
    wasConfirming: false,
    detectedAt: null,
    confirmedAt: null,
    watchUntil: watchedAfter(expiresAt),
    reviewReason: null,
  };
}
