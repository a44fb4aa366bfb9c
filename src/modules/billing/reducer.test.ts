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
import { GONE_AFTER_CREDIT, NO_PRICE } from './reducer';

const OVER = LOCK_MINUTES + 1;
const LATE = LOCK_MINUTES + SLACK_MINUTES + 1;
const DEEP = 6;

describe('a payment', () => {
  let payment: PaymentHistory;
  beforeEach(() => (payment = new PaymentHistory()));

  describe('that is paid in time', () => {
    it.each([
      { percent: 99.5, usd: 50, why: 'an exchange may have taken its fee' },
      { percent: 99.9, usd: 50, why: 'an exchange may have taken its fee' },
      { percent: 100, usd: 50, why: 'it is what was asked for' },
      { percent: 100.1, usd: 50.05, why: 'the excess counts at the locked price' },
      { percent: 110, usd: 55, why: 'the excess counts at the locked price' },
    ])('is credited $usd USD of 50 for $percent %: $why', ({ percent, usd }) => {
      expect(payment.look(1, [mined('a', percent, 1)])).toEqual(['confirming', `credit ${usd}`, 'confirmed']);
      expect(payment.state).toMatchObject({ status: 'confirmed', isUnderpaid: false, isLate: false });
      expect(payment.state.isOverpaid).toBe(percent > 100);
    });

    it.each([
      { priceUsd: 25_000, usd: 55.025 },
      { priceUsd: 50_000, usd: 55.05 },
      { priceUsd: 100_000, usd: 55.05 },
    ])('counts what goes beyond 110 % at the lower price: $usd USD at $priceUsd', ({ priceUsd, usd }) => {
      expect(payment.look(1, [mined('a', 110.1, 2)], { priceUsd })).toContain(`credit ${usd}`);
    });

    it('waits for a price with what goes beyond 110 %, and calls a person after hours', () => {
      expect(payment.look(1, [mined('a', 300, 2)], { priceUsd: null })).toEqual(['confirming']);
      expect(payment.look(5 * 60, [mined('a', 300, 30)], { priceUsd: null })).toEqual([]);
      expect(payment.look(7 * 60, [mined('a', 300, 40)], { priceUsd: null })).toEqual([
        `review: ${NO_PRICE}`,
      ]);
      expect(payment.look(8 * 60, [mined('a', 300, 50)], { priceUsd: null })).toEqual([]);
      expect(payment.look(9 * 60, [mined('a', 300, 60)])).toEqual(['credit 150', 'confirmed']);
    });

    it('is credited in the same look what needs no price, and the rest when there is one', () => {
      const all = [mined('a', 100, 1), mined('b', 50, 1), mined('c', 5, 1)];
      const deep = all.map((transfer) => ({ ...transfer, confirmations: 2 }));
      expect(payment.look(1, deep, { priceUsd: null })).toEqual(['confirming', 'credit 52.5', 'confirmed']);
      expect(payment.look(1, deep, { priceUsd: null })).toEqual([]);
      // Of the further 50 % only 5 are left at the locked price.
      expect(payment.look(2, deep, { priceUsd: 25_000 })).toEqual(['credit 13.75']);
    });

    it('calls nobody for a price that is missing for a moment when a slow transfer gets its block', () => {
      payment.look(1, [pending('a', 300)]);
      const included = [mined('a', 300, 2, 9 * 60)];
      expect(payment.look(9 * 60 + 5, included, { priceUsd: null })).toEqual(['confirming']);
    });

    it('needs the confirmations of what arrived, where that is more than was asked for', () => {
      expect(payment.look(1, [mined('a', 300, 1)])).toEqual(['confirming']);
      expect(payment.state.requiredConfirmations).toBe(2);
      expect(payment.look(2, [mined('a', 300, 2)])).toEqual(['credit 150', 'confirmed']);
    });

    it('adds several parts up, and is credited once for them', () => {
      expect(payment.look(1, [mined('a', 60, 1)])).toEqual(['confirming']);
      expect(payment.look(2, [mined('a', 60, 2), pending('b', 39.5)])).toEqual([]);
      expect(payment.look(3, [mined('a', 60, 3), mined('b', 39.5, 1)])).toEqual(['credit 50', 'confirmed']);
    });

    it('does not wait for a part that is not needed', () => {
      expect(payment.look(1, [mined('a', 100, 1), pending('b', 10)])).toContain('confirmed');
      expect(payment.look(2, [mined('a', 100, 2), mined('b', 10, 1)])).toEqual(['credit 5']);
    });

    it('is in time by the time of its block, when it was seen late', () => {
      const included = [mined('a', 100, 3, LOCK_MINUTES)];
      expect(payment.look(daysLater(0.5), included, { priceUsd: 1 })).toContain('credit 50');
      expect(payment.state.isLate).toBe(false);
    });

    it('is in time by the time of its block, when it was seen late and without a block', () => {
      payment.look(LATE, [pending('a', 100)], { tipMinute: 10 });
      const included = [mined('a', 100, 1, LOCK_MINUTES)];
      expect(payment.look(LATE + 1, included, { tipMinute: 15, priceUsd: 1 })).toContain('credit 50');
      expect(payment.state.isLate).toBe(false);
    });

    it('is in time when a look that is due at the payment’s end comes a little later', () => {
      payment.look(LOCK_MINUTES + SLACK_MINUTES, [pending('a', 100)]);
      expect(payment.look(OVER + 30, [mined('a', 100, 1, OVER + 10)], { priceUsd: 1 })).toContain(
        'credit 50',
      );
    });
  });

  describe('that is seen without a confirmation', () => {
    it('stays created, and says since when', () => {
      expect(payment.look(1, [pending('a', 100)])).toEqual([]);
      expect(payment.state).toMatchObject({ status: 'created', confirmations: 0, receivedBase: 100_000n });
      expect(payment.state.detectedAt).not.toBeNull();
    });

    it('does not expire', () => {
      payment.look(1, [pending('a', 100)]);
      expect(payment.look(daysLater(6), [pending('a', 100)])).toEqual([]);
      expect(payment.look(daysLater(6) + 1, [mined('a', 100, 1, daysLater(6))])).toContain('credit 50');
    });

    it('fails after seven days, and is still watched for seven', () => {
      payment.look(1, [pending('a', 100)]);
      const reason = 'failed: The transaction was not confirmed within 7 days.';
      expect(payment.look(daysLater(7.1), [pending('a', 100)])).toEqual([reason]);
      expect(payment.look(daysLater(7.2), [pending('a', 100)])).toEqual([]);
      expect(payment.state.watchUntil.getTime()).toBeGreaterThanOrEqual(
        TERMS.createdAt.getTime() + daysLater(14) * 60_000,
      );
      expect(payment.look(daysLater(9), [mined('a', 100, 1, daysLater(9))])).toContain('credit 50');
      expect(payment.state.failureReason).toBeNull();
    });
  });

  describe('that gets too little', () => {
    it('waits until its time is over, and is then credited at the locked price', () => {
      expect(payment.look(1, [mined('a', 99.49, 1)])).toEqual(['confirming']);
      expect(payment.look(LOCK_MINUTES, [mined('a', 99.49, 3)])).toEqual([]);
      expect(payment.look(OVER, [mined('a', 99.49, 3)], { priceUsd: 1 })).toEqual([
        'credit 49.745',
        'confirmed',
      ]);
      expect(payment.state).toMatchObject({ isUnderpaid: true, isOverpaid: false, isLate: false });
    });

    it('waits after its time for what is still under way', () => {
      payment.look(1, [mined('a', 50, 1), pending('b', 20)]);
      expect(payment.look(OVER, [mined('a', 50, 3), gone('b', 20, 'missing')])).toEqual([]);
      expect(payment.look(OVER + 5, [mined('a', 50, 4), mined('b', 20, 1)])).toEqual([
        'credit 35',
        'confirmed',
      ]);
    });

    it('expires with less than 1 USD', () => {
      expect(payment.look(1, [mined('a', 1.99, 1)])).toEqual(['confirming']);
      expect(payment.look(OVER, [mined('a', 1.99, 2)])).toEqual(['expired']);
      expect(payment.look(OVER + 1, [mined('a', 1.99, 2)])).toEqual([]);
      expect(payment.creditedUsd).toBe(0);
    });

    it('is credited from 1 USD', () => {
      payment.look(1, [mined('a', 2, 1)]);
      expect(payment.look(OVER, [mined('a', 2, 2)])).toEqual(['credit 1', 'confirmed']);
    });

    it('is no longer underpaid when the rest has come', () => {
      payment.look(1, [mined('a', 50, 1)]);
      payment.look(OVER, [mined('a', 50, 2)]);
      expect(payment.look(LATE, [mined('a', 50, 3), mined('b', 50, 1, LATE)])).toEqual(['credit 25']);
      expect(payment.state).toMatchObject({ isUnderpaid: false, isLate: true });
    });
  });

  describe('that gets nothing', () => {
    it('expires at a look whose newest block is later than its end, and at none before', () => {
      expect(payment.look(LOCK_MINUTES, [])).toEqual([]);
      expect(payment.look(60, [], { tipMinute: LOCK_MINUTES })).toEqual([]);
      expect(payment.look(61, [], { tipMinute: OVER })).toEqual(['expired']);
      expect(payment.look(62, [])).toEqual([]);
    });

    it('does not expire before its end when a block claims to be from later', () => {
      expect(payment.look(5, [], { tipMinute: 90 })).toEqual([]);
      expect(payment.look(5, [mined('a', 50, 1)], { tipMinute: 90 })).toEqual(['confirming']);
      expect(payment.state.status).toBe('confirming');
    });
  });

  describe('that is paid late', () => {
    beforeEach(() => {
      expect(payment.look(OVER, [])).toEqual(['expired']);
    });

    it.each([
      { priceUsd: 40_000, usd: 40 },
      { priceUsd: 50_000, usd: 50 },
      { priceUsd: 60_000, usd: 50 },
    ])('is credited at the lower price: $usd USD at $priceUsd', ({ priceUsd, usd }) => {
      expect(payment.look(LATE, [pending('a', 100)], { priceUsd })).toEqual([]);
      const included = [mined('a', 100, 1, LATE)];
      expect(payment.look(LATE + 1, included, { priceUsd })).toEqual([
        'confirming',
        `credit ${usd}`,
        'confirmed',
      ]);
      expect(payment.state).toMatchObject({ status: 'confirmed', isLate: true, isUnderpaid: false });
    });

    it('waits where no price can be had, and calls a person after hours', () => {
      const included = [mined('a', 100, 1, LATE)];
      expect(payment.look(LATE + 1, included, { priceUsd: null })).toEqual([]);
      expect(payment.look(LATE + 7 * 60, included, { priceUsd: null })).toEqual([`review: ${NO_PRICE}`]);
      expect(payment.look(LATE + 8 * 60, included, { priceUsd: 60_000 })).toEqual([
        'confirming',
        'credit 50',
        'confirmed',
      ]);
    });

    it('stays expired for less than 1 USD, until the sum is more', () => {
      const first = mined('a', 1, 3, LATE);
      expect(payment.look(LATE, [first])).toEqual([]);
      expect(payment.look(LATE + 5, [first, mined('b', 1, 1, LATE + 5)])).toEqual([
        'confirming',
        'credit 1',
        'confirmed',
      ]);
    });

    it('stays expired for what is worth less than 1 USD at the present price, without telling it again', () => {
      const low = { priceUsd: 10_000 };
      expect(payment.look(LATE, [mined('a', 4, 0, LATE)], low)).toEqual([]);
      expect(payment.look(LATE + 1, [mined('a', 4, 1, LATE)], low)).toEqual([]);
      expect(payment.look(LATE + 2, [mined('a', 4, 1, LATE)], { priceUsd: null })).toEqual([]);
      const settled = payment.state;
      expect(payment.look(LATE + 3, [mined('a', 4, 1, LATE)], low)).toEqual([]);
      expect(payment.state).toEqual(settled);
      expect(payment.look(LATE + 4, [mined('a', 4, 1, LATE)])).toEqual([
        'confirming',
        'credit 2',
        'confirmed',
      ]);
    });

    it('needs the confirmations that the late amount asks for', () => {
      expect(payment.look(LATE, [mined('a', 300, 1, LATE)])).toEqual(['confirming']);
      expect(payment.look(LATE + 1, [mined('a', 300, 2, LATE)])).toEqual(['credit 150', 'confirmed']);
    });

    it('fails when the late transfer is double-spent after its block was dropped', () => {
      payment.look(LATE, [mined('a', 300, 1, LATE)]);
      expect(payment.look(LATE + 1, [pending('a', 300)])).toEqual([]);
      expect(payment.look(LATE + 2, [gone('a', 300, 'replaced')])).toEqual([
        'failed: The transaction was replaced by another one.',
      ]);
    });
  });

  describe('whose transfer is double-spent', () => {
    it('waits before its end, for another one', () => {
      payment.look(1, [pending('a', 100)]);
      expect(payment.look(2, [gone('a', 100, 'replaced')])).toEqual([]);
      expect(payment.state).toMatchObject({ status: 'created', receivedBase: 0n });
      expect(payment.look(3, [gone('a', 100, 'replaced'), mined('b', 100, 1)])).toContain('credit 50');
    });

    it.each([
      { state: 'replaced' as const, reason: 'The transaction was replaced by another one.' },
      { state: 'failed' as const, reason: 'The transaction failed.' },
    ])('has failed after its end: $state', ({ state, reason }) => {
      payment.look(1, [pending('a', 100)]);
      expect(payment.look(OVER, [gone('a', 100, state)])).toEqual([`failed: ${reason}`]);
      expect(payment.look(OVER + 1, [gone('a', 100, state)])).toEqual([]);
    });

    it('counts neither of two that spend the same twice', () => {
      payment.look(1, [pending('a', 100), pending('b', 100)]);
      payment.look(2, [gone('a', 100, 'replaced'), mined('b', 100, 1)]);
      expect(payment.creditedUsd).toBe(50);
    });
  });

  describe('whose transfer goes missing', () => {
    it('waits for it beyond its end, and is credited in full when it is back', () => {
      payment.look(1, [pending('a', 100)]);
      expect(payment.look(OVER, [gone('a', 100, 'missing')])).toEqual([]);
      expect(payment.look(daysLater(3), [mined('a', 100, 1, daysLater(3))])).toEqual([
        'confirming',
        'credit 50',
        'confirmed',
      ]);
    });

    it('has failed when it is not back after seven days', () => {
      payment.look(1, [pending('a', 100)]);
      expect(payment.look(daysLater(7.1), [gone('a', 100, 'missing')])).toEqual([
        'failed: The transaction was not confirmed within 7 days.',
      ]);
    });
  });

  describe('whose block is dropped by a reorganisation', () => {
    it('goes back to no confirmations before the credit, and tells nothing again', () => {
      payment.look(1, [mined('a', 300, 1)]);
      expect(payment.look(2, [pending('a', 300)])).toEqual([]);
      expect(payment.state).toMatchObject({ status: 'confirming', confirmations: 0 });
      expect(payment.look(3, [mined('a', 300, 1, 3)])).toEqual([]);
      expect(payment.look(4, [mined('a', 300, 2, 3)])).toEqual(['credit 150', 'confirmed']);
    });

    it('keeps its credit, and calls a person once', () => {
      payment.look(1, [mined('a', 100, 1)]);
      expect(payment.look(2, [pending('a', 100)])).toEqual([`review: ${GONE_AFTER_CREDIT}`]);
      expect(payment.look(3, [gone('a', 100, 'replaced')])).toEqual([]);
      expect(payment.state.status).toBe('confirmed');
      expect(payment.creditedUsd).toBe(50);
      expect(payment.look(4, [mined('a', 100, 1, 4)])).toEqual([]);
    });

    it('calls a person also while another review is open', () => {
      payment.look(1, [mined('a', 100, 1)], { review: 'Somebody took the coins.' });
      expect(payment.look(2, [gone('a', 100, 'missing')], { review: 'Somebody took the coins.' })).toEqual([
        `review: Somebody took the coins. ${GONE_AFTER_CREDIT}`,
      ]);
    });
  });

  describe('that is confirmed', () => {
    beforeEach(() => payment.look(1, [mined('a', 100, 1)]));

    it('is credited what comes further, each transfer once, and tells no other end', () => {
      expect(payment.look(2, [mined('a', 100, 2), pending('b', 20)])).toEqual([]);
      const both = [mined('a', 100, 3), mined('b', 20, 2)];
      expect(payment.look(3, both, { priceUsd: 25_000 })).toEqual(['credit 7.5']);
      expect(payment.look(4, [mined('a', 100, 4), mined('b', 20, 3)])).toEqual([]);
      expect(payment.state).toMatchObject({ status: 'confirmed', credits: 2, isOverpaid: true });
    });

    it('stays confirmed when its time is over and when nothing is left of it', () => {
      expect(payment.look(OVER, [mined('a', 100, DEEP)])).toEqual([]);
      payment.look(daysLater(2), [gone('a', 100, 'replaced')]);
      expect(payment.state.status).toBe('confirmed');
    });

    it('settles what is worth nothing without an entry', () => {
      const dust = { ...mined('b', 0, 2, LATE), amountBase: 1n };
      payment.look(LATE, [mined('a', 100, DEEP), dust], { priceUsd: 0 });
      expect(payment.state.transfers.map(({ creditedNanoUsd }) => creditedNanoUsd)).toEqual([
        TERMS.amountNanoUsd,
        0n,
      ]);
      expect(payment.state.credits).toBe(1);
    });
  });

  describe('to which no credit is given', () => {
    it('for what a look does not show any more, though an earlier one did', () => {
      payment.look(1, [mined('a', 300, 2)], { priceUsd: null });
      expect(payment.look(2, [])).toEqual([]);
      expect(payment.look(3, [mined('a', 300, 2)])).toEqual(['credit 150', 'confirmed']);
    });

    it('for a transfer that moved nothing, or less', () => {
      const nothing = { ...mined('a', 0, DEEP), amountBase: 0n };
      const less = { ...gone('b', 0, 'failed'), amountBase: -5n };
      expect(payment.look(1, [nothing, less])).toEqual([]);
      expect(payment.state.transfers).toEqual([]);
    });
  });

  it('reads the transfers of a look in whichever order they come', () => {
    const other = new PaymentHistory();
    const transfers = [mined('b', 40, 1), pending('c', 3), mined('a', 55, 1)];
    payment.look(1, transfers);
    other.look(1, transfers.toReversed());
    expect(other.state).toEqual(payment.state);
  });
});
