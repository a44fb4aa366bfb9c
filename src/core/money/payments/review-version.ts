import { createHash } from 'node:crypto';
import type { Payment } from './payment';

const HEX_DIGITS = 32;

/**
 * What an admin's decision about a payment stands on, as one text of 32 hexadecimal digits: another one as soon as its status,
 * its credits, its transfers or its review change. Confirmations are left out, and so are a transfer's block and finality:
 * Ethereum counts one every 12 seconds, so that nobody who reads before deciding could ever decide. That is why the row's own
 * version, which rises with them, is not the one.
 */
export function reviewVersionOf(payment: Payment): string {
  const { status, failureReason, credits, creditedNanoUsd, creditedBase, receivedBase, review } = payment;
  const seen = [
    [status, failureReason, credits, String(creditedNanoUsd), String(creditedBase), String(receivedBase)],
    [review.isNeeded, review.reason, review.since, review.resolvedAt, review.resolvedBy, review.note],
    payment.transfers.map(({ id, state, amountBase, isLate, creditedNanoUsd: credited, entryId }) => [
      id,
      state,
      String(amountBase),
      isLate,
      String(credited),
      entryId,
    ]),
  ];
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, HEX_DIGITS);
}
