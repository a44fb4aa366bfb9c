import { subscribe } from '../../test/support/events/subscribe';
import { writtenEvents } from '../../test/support/events/written-events';
import { useLeaseLedger, type Holder } from '../../test/support/ledger/lease-ledger';
import { openLedger } from '../../test/support/ledger/open-ledger';
import type { LimitChange } from '../accounts/access-keys';
import { SpendingLimitsRepository } from '../accounts/spending-limits';
import type { EventType, Subscription } from '../events/outbox';
import type { ReserveOrder, SettleOrder } from './ledger';

const HOUR_MS = 3_600_000;

describe('the events of spending limits', () => {
  const { current, newHolder, orderOf, settlementOf } = useLeaseLedger();

  const reserve = (orders: readonly ReserveOrder[]) =>
    Promise.all(orders.map(async (order) => current.ledger.reserve(order)));
  /** Each order with what differs from a settlement of the whole reservation. */
  const settle = (orders: readonly (readonly [ReserveOrder, Partial<SettleOrder>])[]) =>
    Promise.all(orders.map(([order, fields]) => current.ledger.settle(settlementOf(order, fields))));
  const charge = async (orders: readonly ReserveOrder[]): Promise<void> => {
    expect((await reserve(orders)).map(({ verdict }) => verdict)).toEqual(orders.map(() => 'reserved'));
    await settle(orders.map((order) => [order, {}]));
  };

  beforeEach(() => current.clock.set('2026-11-22T10:00:00.000Z'));

  const eventsOf = ({ accountId }: Holder, type: EventType) =>
    writtenEvents(current.database, accountId, [type]);
  const limits = () => new SpendingLimitsRepository(current.databases, current.clock, current.register);
  const subscriber = async (change: LimitChange, ...events: Subscription[]): Promise<Holder> => {
    const holder = await newHolder(change);
    await subscribe(current.database, holder.accountId, { events: events.length === 0 ? ['*'] : events });
    return holder;
  };
  const refuse = async (by: Holder, amountNanoUsd: bigint, verdict: string): Promise<void> => {
    const orders = [1, 2].map(() => orderOf(by, { amountNanoUsd, operation: 'createMemory' }));
    expect((await reserve(orders)).map((answer) => answer.verdict)).toEqual([verdict, verdict]);
  };
  const spend = (by: Holder, amountNanoUsd: bigint) => charge([orderOf(by, { amountNanoUsd })]);

  describe('usage.limit_exceeded', () => {
    it('is not written without a subscription, and for no other reason of a refusal', async () => {
      const plain = await newHolder({ dailyLimitNano: 50n });
      const other = await subscriber({ dailyLimitNano: 50n }, 'usage.threshold');
      const perRequest = await subscriber({ perRequestLimitNano: 50n });
      const keyless = { ...(await subscriber({ dailyLimitNano: 50n })), keyId: null, secretHash: null };
      for (const by of [plain, other]) {
        await refuse(by, 51n, 'daily');
      }
      await refuse(perRequest, 51n, 'per_request');
      await refuse(perRequest, 5000n, 'insufficient_credits');
      await reserve([orderOf(perRequest, keyless)]);
      for (const by of [plain, other, perRequest]) {
        expect(await eventsOf(by, 'usage.limit_exceeded')).toEqual([]);
      }
    });

    it('tells once in a day what was asked for, and what counts with the calls in flight', async () => {
      const holder = await subscriber({ dailyLimitNano: 100n, timezone: 'Asia/Kolkata' });
      await reserve([orderOf(holder, { amountNanoUsd: 60n })]);
      await refuse(holder, 50n, 'daily');
      await refuse(holder, 70n, 'daily');
      const data = {
        user_id: holder.accountId,
        access_key_id: holder.keyId,
        limit_type: 'daily',
        limit: 1e-7,
        spent: 6e-8,
        exceeded_by: 1e-8,
        request_cost: 5e-8,
        resets_at: '2026-11-22T18:30:00.000Z',
      };
      const occurredAt = current.clock.now();
      expect(await eventsOf(holder, 'usage.limit_exceeded')).toEqual([
        { type: 'usage.limit_exceeded', data, operation: 'createMemory', occurredAt },
      ]);
      const [mark]: Record<string, unknown>[] = await current.database.query(
        'SELECT mark, held_until FROM event_marks WHERE account_id = $1',
        [holder.accountId],
      );
      expect(mark).toEqual({
        mark: `usage.limit_exceeded:${holder.keyId}:daily:2026-11-22:100`,
        held_until: new Date('2026-11-23T18:30:00.000Z'),
      });
    });

    it('comes again with the next day, and with another limit', async () => {
      const holder = await subscriber({ dailyLimitNano: 100n });
      await refuse(holder, 101n, 'daily');
      current.clock.advance(14 * HOUR_MS);
      await refuse(holder, 101n, 'daily');
      await limits().set(holder.accountId, holder.keyId, { dailyLimitNano: 80n });
      await refuse(holder, 101n, 'daily');
      const events = await eventsOf(holder, 'usage.limit_exceeded');
      expect(events.map(({ data }) => [data.limit, data.resets_at])).toEqual([
        [1e-7, '2026-11-23T00:00:00.000Z'],
        [1e-7, '2026-11-24T00:00:00.000Z'],
        [8e-8, '2026-11-24T00:00:00.000Z'],
      ]);
    });

    it.each([
      ['with calls in flight', 60n],
      ['with something unused, once that is given back', 1n],
    ])('tells what counts beside another process %s', async (_, heldNanoUsd) => {
      const holder = await subscriber({ dailyLimitNano: 100n });
      const other = await openLedger(current.testDatabase.url);
      await other.ledger.reserve(orderOf(holder, { amountNanoUsd: heldNanoUsd }));
      await refuse(holder, 100n, 'daily');
      const spent = Number(heldNanoUsd) / 1e9;
      const events = await eventsOf(holder, 'usage.limit_exceeded');
      expect(events).toMatchObject([{ data: { spent, exceeded_by: spent, request_cost: 1e-7 } }]);
      await other.close();
    });

    it('tells of each key and of the month for itself', async () => {
      const holder = await subscriber({ monthlyLimitNano: 100n });
      await refuse(holder, 101n, 'monthly');
      current.clock.advance(48 * HOUR_MS);
      await refuse(holder, 101n, 'monthly');
      const other = await subscriber({ monthlyLimitNano: 100n });
      await refuse(other, 101n, 'monthly');
      for (const by of [holder, other]) {
        const month = { limit_type: 'monthly', resets_at: '2026-12-01T00:00:00.000Z' };
        expect(await eventsOf(by, 'usage.limit_exceeded')).toMatchObject([{ data: month }]);
      }
    });
  });

  describe('usage.threshold', () => {
    it('is not written without a subscription, without a limit, or below 80 %', async () => {
      const plain = await newHolder({ dailyLimitNano: 100n });
      const other = await subscriber({ dailyLimitNano: 100n }, 'balance.updated');
      const unlimited = await subscriber({});
      const below = await subscriber({ dailyLimitNano: 101n });
      for (const by of [plain, other, unlimited, below]) {
        await spend(by, 80n);
        expect(await eventsOf(by, 'usage.threshold')).toEqual([]);
      }
    });

    it('is not written for what calls in flight have reserved, nor for released calls', async () => {
      const holder = await subscriber({ dailyLimitNano: 100n });
      const [small, released, open] = [10n, 40n, 50n].map((amountNanoUsd) =>
        orderOf(holder, { amountNanoUsd }),
      );
      await reserve([small, released, open].filter((order) => order !== undefined));
      await settle([[small ?? orderOf(holder), {}]]);
      await settle([[released ?? orderOf(holder), { outcome: 'released', chargeNanoUsd: 0n }]]);
      await settle([[open ?? orderOf(holder), { chargeNanoUsd: 5n }]]);
      expect((await limits().get(holder.accountId, holder.keyId)).daySpentNano).toBe(15n);
      expect(await eventsOf(holder, 'usage.threshold')).toEqual([]);
    });

    it('is not written for calls of an account token', async () => {
      const holder = await subscriber({ dailyLimitNano: 100n });
      await charge([orderOf(holder, { keyId: null, secretHash: null, amountNanoUsd: 90n })]);
      expect(await eventsOf(holder, 'usage.threshold')).toEqual([]);
    });

    it('comes once, with the settlement that reaches 80 %, beside calls in flight', async () => {
      const holder = await subscriber({ dailyLimitNano: 100n, timezone: 'America/New_York' });
      const [first, second, third] = [
        orderOf(holder, { amountNanoUsd: 79n }),
        orderOf(holder, { amountNanoUsd: 1n }),
        orderOf(holder, { amountNanoUsd: 20n }),
      ];
      await reserve([first, second, third]);
      await settle([[first, {}]]);
      expect(await eventsOf(holder, 'usage.threshold')).toEqual([]);
      await settle([[second, {}]]);
      await settle([[third, {}]]);
      const data = {
        user_id: holder.accountId,
        access_key_id: holder.keyId,
        limit_type: 'daily',
        limit: 1e-7,
        spent: 8e-8,
        threshold_percent: 80,
        resets_at: '2026-11-23T05:00:00.000Z',
      };
      const occurredAt = current.clock.now();
      expect(await eventsOf(holder, 'usage.threshold')).toEqual([
        { type: 'usage.threshold', data, operation: null, occurredAt },
      ]);
    });

    it('comes once for many settlements at once, and tells of day and month for itself', async () => {
      const holder = await subscriber({ dailyLimitNano: 100n, monthlyLimitNano: 110n });
      await charge(Array.from({ length: 10 }, () => orderOf(holder, { amountNanoUsd: 9n })));
      const events = await eventsOf(holder, 'usage.threshold');
      expect(new Set(events.map(({ data }) => data.limit_type))).toEqual(new Set(['daily', 'monthly']));
      expect(events).toHaveLength(2);
    });

    it('comes again with the next day, with another limit, and not after the counters were reset', async () => {
      const holder = await subscriber({ dailyLimitNano: 100n });
      await spend(holder, 90n);
      await limits().reset(holder.accountId, holder.keyId);
      await spend(holder, 90n);
      expect(await eventsOf(holder, 'usage.threshold')).toHaveLength(1);
      current.clock.advance(14 * HOUR_MS);
      await spend(holder, 79n);
      expect(await eventsOf(holder, 'usage.threshold')).toHaveLength(1);
      await spend(holder, 1n);
      await limits().set(holder.accountId, holder.keyId, { dailyLimitNano: 102n });
      await spend(holder, 2n);
      const events = await eventsOf(holder, 'usage.threshold');
      expect(events.map(({ data }) => [data.limit, data.spent, data.resets_at])).toEqual([
        [1e-7, 9e-8, '2026-11-23T00:00:00.000Z'],
        [1e-7, 8e-8, '2026-11-24T00:00:00.000Z'],
        [1.02e-7, 8.2e-8, '2026-11-24T00:00:00.000Z'],
      ]);
    });

    it('counts calls in flight of this period only, and tells nothing of one that is over', async () => {
      const holder = await subscriber({ dailyLimitNano: 100n });
      const early = orderOf(holder, { amountNanoUsd: 30n });
      const late = orderOf(holder, { amountNanoUsd: 60n });
      await reserve([early, late]);
      await limits().reset(holder.accountId, holder.keyId);
      // What was reserved before the reset is in no counter: it must not be taken from the spending after it.
      await spend(holder, 80n);
      expect(await eventsOf(holder, 'usage.threshold')).toMatchObject([{ data: { spent: 8e-8 } }]);
      const other = await subscriber({ dailyLimitNano: 100n });
      const overnight = orderOf(other, { amountNanoUsd: 90n });
      await reserve([overnight]);
      current.clock.advance(14 * HOUR_MS);
      await settle([[overnight, { now: current.clock.now() }]]);
      expect(await eventsOf(other, 'usage.threshold')).toEqual([]);
    });

    it('comes with what was charged beyond the reservation', async () => {
      const holder = await subscriber({ dailyLimitNano: 100n });
      const order = orderOf(holder, { amountNanoUsd: 10n });
      await reserve([order]);
      await settle([[order, { chargeNanoUsd: 85n }]]);
      expect(await eventsOf(holder, 'usage.threshold')).toMatchObject([{ data: { spent: 8.5e-8 } }]);
    });
  });
});
