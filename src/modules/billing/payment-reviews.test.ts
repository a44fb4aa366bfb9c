import { storedPayment, storedTransfer } from '../../../test/support/payments/stored-payment';
import type { Payment } from './payment';
import { reviewVersionOf } from './payment-reviews';

const { review } = storedPayment();
const payment = storedPayment({ transfers: [storedTransfer()] });

describe('the version that a decision about a payment stands on', () => {
  it.each<[string, Partial<Payment>]>([
    ['the status', { status: 'confirmed' }],
    ['a credit', { credits: 1, creditedNanoUsd: 50n }],
    ['a further transfer', { transfers: [storedTransfer(), storedTransfer({ id: 'b:0' })] }],
    ['a transfer that is gone', { transfers: [storedTransfer({ state: 'missing' })] }],
    ['a transfer that is credited', { transfers: [storedTransfer({ creditedNanoUsd: 50n })] }],
    ['a transfer that is settled for nothing', { transfers: [storedTransfer({ creditedNanoUsd: 0n })] }],
    ['a reason', { review: { ...review, isNeeded: true, reason: 'One. Another.' } }],
    ['a review that ended', { review: { ...review, resolvedAt: new Date(0) } }],
  ])('is another one after %s', (_, change) => {
    expect(reviewVersionOf({ ...payment, ...change })).not.toBe(reviewVersionOf(payment));
  });

  it('is the same while only blocks are counted', () => {
    const counted = storedTransfer({ confirmations: 900, isFinal: true, blockTime: new Date(0) });
    const later = { ...payment, version: 7, confirmations: 900, transfers: [counted] };
    expect(reviewVersionOf(later)).toBe(reviewVersionOf(payment));
    expect(reviewVersionOf(payment)).toMatch(/^[\da-f]{32}$/);
  });
});
