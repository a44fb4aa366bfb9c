import { lockedWorth } from './arrivals';
import type { PaymentState, PaymentTerms, PaymentTransfer } from './payment';
import { CREDITED_NANO_USD_MIN, WATCHED_FOR_MS } from './policy';

/** The state of a payment for which nothing has arrived. */
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
    watchUntil: new Date(expiresAt.getTime() + WATCHED_FOR_MS),
    reviewReason: null,
  };
}

/** Whether the payment waits for the chain: for its end, or for the credit of what is worth one. */
export function isActive(payment: PaymentState & PaymentTerms): boolean {
  const { status, transfers } = payment;
  return (
    status === 'created' ||
    status === 'confirming' ||
    lockedWorth(payment, transfers.filter(isArriving)) >= CREDITED_NANO_USD_MIN
  );
}

/** Whether two states are the same in all that is stored. */
export function isSameState(one: PaymentState, other: PaymentState): boolean {
  return (
    one.transfers.length === other.transfers.length &&
    STORED.every((name) => sameValue(one[name], other[name])) &&
    one.transfers.every((transfer, index) => isSameTransfer(transfer, other.transfers[index]))
  );
}

const STORED = [
  'status',
  'failureReason',
  'credits',
  'creditedNanoUsd',
  'creditedBase',
  'receivedBase',
  'confirmations',
  'requiredConfirmations',
  'txHash',
  'isUnderpaid',
  'isOverpaid',
  'isLate',
  'wasConfirming',
  'detectedAt',
  'confirmedAt',
  'watchUntil',
  'reviewReason',
] as const satisfies readonly (keyof PaymentState)[];

const STORED_OF_TRANSFER = [
  'id',
  'txHash',
  'state',
  'confirmations',
  'isFinal',
  'blockTime',
  'isLate',
  'creditedNanoUsd',
  'entryId',
] as const satisfies readonly (keyof PaymentTransfer)[];

/** Whether it is on its way and not settled yet. */
function isArriving({ state, creditedNanoUsd }: PaymentTransfer): boolean {
  return creditedNanoUsd === null && (state === 'pending' || state === 'included');
}

/** Whether two states of one transfer are the same in all that is stored. */
export function isSameTransfer(one: PaymentTransfer, other: PaymentTransfer | undefined): boolean {
  return other !== undefined && STORED_OF_TRANSFER.every((name) => sameValue(one[name], other[name]));
}

function sameValue(one: unknown, other: unknown): boolean {
  return one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;
}
