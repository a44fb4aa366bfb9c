import {
  daysLater,
  gone,
  LOCK_MINUTES,
  mined,
  PaymentHistory,
  pending,
  SLACK_MINUTES,
  TERMS,
} from '../../../test/support/payments/payment-history';
import { CREDITED_TRANSFER_RETURNED, TOO_MANY_TRANSFERS, TRANSFER_TOO_LARGE } from './reducer';

const OVER = LOCK_MINUTES + 1;
const LATE = LOCK_MINUTES + SLACK_MINUTES + 1;

describe('a payment', () => {
  let payment: PaymentHistory;
  beforeEach(() => (payment = new PaymentHistory()));

  describe('that somebody tries to gain by', () => {
    it('has no locked price for what was sent in time with a fee so small that a block takes it hours later', () => {
      payment.look(1, [pending('a', 100)]);
      const soon = new PaymentHistory();
      soon.look(1, [pending('a', 100)]);
      expect(
        soon.look(LOCK_MINUTES + 119, [mined('a', 100, 1, LOCK_MINUTES + 119)], { priceUsd: 25_000 }),
      ).toContain('credit 50');
      expect(
        payment.look(LOCK_MINUTES + 130, [mined('a', 100, 1, LOCK_MINUTES + 121)], { priceUsd: 25_000 }),
      ).toEqual(['confirming', 'credit 25', 'confirmed']);
      expect(payment.state.isLate).toBe(true);
    });

    it('counts no more than 200 transfers, and calls a person', () => {
      const dust = Array.from({ length: 300 }, (_, index) => mined(`t${1000 + index}`, 0.001, 1));
      expect(payment.look(1, dust)).toEqual([`review: ${TOO_MANY_TRANSFERS}`, 'confirming']);
      expect(payment.state.transfers).toHaveLength(200);
      expect(payment.look(2, [...dust, mined('a', 100, 1)])).toEqual([]);
    });

    it('is not watched for longer because of dust, and for 30 days after its time at most', () => {
      payment.look(OVER, []);
      const { watchUntil } = payment.state;
      payment.look(daysLater(6), [mined('dust', 0.01, 1)]);
      expect(payment.state.watchUntil).toEqual(watchUntil);
      for (let day = 6; day <= 60; day += 6) {
        payment.look(daysLater(day), [mined(`a${day}`, 50, 1)]);
      }
      const days = (payment.state.watchUntil.getTime() - TERMS.expiresAt.getTime()) / (24 * 60 * 60 * 1000);
      expect(days).toBeLessThanOrEqual(30);
      expect(days).toBeGreaterThan(29);
    });
  });

  it('leaves more than 100,000 USD at once to a person', () => {
    expect(payment.look(1, [mined('a', 200_100, 100)])).toEqual([
      'confirming',
      `review: ${TRANSFER_TOO_LARGE}`,
    ]);
    expect(payment.look(LATE, [mined('a', 200_100, 200)])).toEqual([]);
    expect(payment.state.creditedNanoUsd).toBe(0n);
  });

  it('calls a person again when a transfer comes back that was given up', () => {
    payment.look(1, [mined('a', 100, 1)]);
    payment.look(2, [gone('a', 100, 'missing')]);
    payment.state.reviewReason = null;
    expect(payment.look(3, [mined('a', 100, 1)])).toEqual([`review: ${CREDITED_TRANSFER_RETURNED}`]);
  });

  it('does not change with each further block once it is settled', () => {
    payment.look(1, [mined('a', 100, 1)]);
    const settled = payment.state;
    payment.look(2, [mined('a', 100, 5)]);
    expect(payment.state).toEqual(settled);
  });
});
