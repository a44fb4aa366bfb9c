import { subscribe } from '../../test/support/events/subscribe';
import { writtenEvents } from '../../test/support/events/written-events';
import { CREDIT, useLeaseLedger, type Holder } from '../../test/support/ledger/lease-ledger';
import type { EventType, Subscription } from '../events/outbox';
import { newId } from '../runtime/ids';
import type { CreditOrder, ReserveOrder, SettleOrder } from './ledger';

const USD = 1_000_000_000n;

describe('the events of balances', () => {
  const { current, newHolder, orderOf, settlementOf, counted } = useLeaseLedger();

  const reserve = (orders: readonly ReserveOrder[]) =>
    Promise.all(orders.map(async (order) => current.ledger.reserve(order)));
  /** Each order with what differs from a settlement of the whole reservation. */
  const settle = (orders: readonly (readonly [ReserveOrder, Partial<SettleOrder>])[]) =>
    Promise.all(orders.map(([order, fields]) => current.ledger.settle(settlementOf(order, fields))));
  const charge = async (orders: readonly ReserveOrder[]): Promise<void> => {
    expect((await reserve(orders)).map(({ verdict }) => verdict)).toEqual(orders.map(() => 'reserved'));
    await settle(orders.map((order) => [order, {}]));
  };

  const eventsOf = ({ accountId }: Holder) => writtenEvents(current.database, accountId);
  const typesOf = async (by: Holder): Promise<EventType[]> => (await eventsOf(by)).map(({ type }) => type);
  const credit = (by: Holder, amountNanoUsd: bigint, fields: Partial<CreditOrder> = {}) =>
    current.ledger.credit({
      ...{ accountId: by.accountId, type: 'deposit', amountNanoUsd, description: 'test', requestId: null },
      ...{ referenceId: null, now: current.clock.now(), ...fields },
    });
  const subscriber = async (...events: Subscription[]): Promise<Holder> => {
    const holder = await newHolder();
    await subscribe(current.database, holder.accountId, { events });
    return holder;
  };

  describe('are not written', () => {
    it('for an account without a webhook, beside one that has one', async () => {
      const other = await subscriber('*');
      await charge([orderOf(current.holder, { amountNanoUsd: CREDIT }), orderOf(other)]);
      await credit(current.holder, 1n);
      expect(await eventsOf(current.holder)).toEqual([]);
      expect(await typesOf(other)).toEqual(['balance.updated']);
    });

    it('for a webhook that is switched off', async () => {
      await subscribe(current.database, current.holder.accountId, { events: ['*'], isActive: false });
      await charge([orderOf(current.holder, { amountNanoUsd: CREDIT })]);
      await credit(current.holder, 1n);
      expect(await eventsOf(current.holder)).toEqual([]);
    });

    it('of other types than the one subscribed to', async () => {
      const [one, other] = [await subscriber('balance.depleted'), await subscriber('key.revoked')];
      await charge([one, other].map((by) => orderOf(by, { amountNanoUsd: CREDIT })));
      expect(await typesOf(one)).toEqual(['balance.depleted']);
      expect(await eventsOf(other)).toEqual([]);
    });

    it('for calls that are released, expire or cost nothing', async () => {
      const holder = await subscriber('*');
      const orders = Array.from({ length: 3 }, () => orderOf(holder));
      await reserve(orders);
      const ends = [
        { outcome: 'released' as const, chargeNanoUsd: 0n },
        { outcome: 'expired' as const, chargeNanoUsd: 0n },
        { chargeNanoUsd: 0n },
      ];
      await settle(orders.map((order, index) => [order, ends[index] ?? {}]));
      expect((await current.ledger.balance(holder.accountId)).reservedNanoUsd).toBe(0n);
      expect(await eventsOf(holder)).toEqual([]);
    });

    it('when what they tell of is rolled back', async () => {
      const holder = await subscriber('*');
      const runner = current.database.createQueryRunner();
      await runner.startTransaction();
      const parameters = [newId(), holder.accountId, current.clock.now()];
      await runner.query(`SELECT ledger_credit($1, $2, 'deposit', 7, 'test', NULL, NULL, $3)`, parameters);
      const [seen]: { count: string }[] = await runner.query(
        'SELECT count(*) FROM events WHERE account_id = $1',
        [holder.accountId],
      );
      await runner.rollbackTransaction();
      await runner.release();
      expect(seen?.count).toBe('1');
      expect(await eventsOf(holder)).toEqual([]);
    });
  });

  describe('balance.updated', () => {
    it('tells of a charge, in the words of its transaction', async () => {
      const holder = await subscriber('balance.updated');
      const order = orderOf(holder, { operation: 'createMemory', requestId: newId() });
      await reserve([order]);
      await settle([[order, { chargeNanoUsd: 40n }]]);
      const [entry]: { id: string; position: string }[] = await current.database.query(
        `SELECT id, position FROM ledger_entries WHERE reference_id = $1`,
        [order.callId],
      );
      const data = {
        user_id: holder.accountId,
        previous_balance: 0.000001,
        new_balance: 0.00000096,
        change: -0.00000004,
        reason: 'charge',
        reference_id: order.callId,
        transaction_id: entry?.id,
        ledger_position: Number(entry?.position),
        metadata: { request_id: order.requestId, cause: 'call' },
      };
      expect(await eventsOf(holder)).toEqual([
        { type: 'balance.updated', data, operation: 'createMemory', occurredAt: current.clock.now() },
      ]);
    });

    it('tells of each credit once, and names the operation that gave it', async () => {
      const holder = await subscriber('balance.updated');
      const named = { requestId: 'the call', operation: 'addCredits' };
      const fields = { referenceId: 'payment 1', type: 'bonus' as const, ...named };
      await credit(holder, 5n, fields);
      await credit(holder, 5n, fields);
      await credit(holder, -5n);
      await credit(holder, 0n);
      await credit(holder, 7n, { referenceId: 'payment:1' });
      await credit(holder, 1n, { referenceId: 'welcome', type: 'bonus' });
      const reason = { reason: 'bonus', reference_id: 'payment 1', change: 5e-9, new_balance: 1.005e-6 };
      const cause = (cause: string, request_id: string | null = null) => ({
        metadata: { cause, request_id },
      });
      expect(await eventsOf(holder)).toMatchObject([
        { data: { ...reason, ...cause('admin', 'the call') }, operation: 'addCredits' },
        {
          data: { reason: 'deposit', reference_id: null, change: -5e-9, ...cause('admin') },
          operation: null,
        },
        { data: { reference_id: 'payment:1', ...cause('payment') }, operation: null },
        { data: { reference_id: 'welcome', ...cause('service') }, operation: null },
      ]);
    });

    it('chains over many charges of several accounts at once', async () => {
      const holders = [await subscriber('*'), await newHolder(), await subscriber('balance.updated')];
      await charge(Array.from({ length: 12 }, (_, index) => orderOf(holders[index % 3] ?? current.holder)));
      for (const [index, events] of (await Promise.all(holders.map(eventsOf))).entries()) {
        expect(events.map(({ data }) => [data.previous_balance, data.new_balance])).toEqual(
          index === 1
            ? []
            : [
                [1e-6, 9e-7],
                [9e-7, 8e-7],
                [8e-7, 7e-7],
                [7e-7, 6e-7],
              ],
        );
        const positions = events.map(({ data }) => data.ledger_position as number);
        expect(positions).toEqual(positions.toSorted((one, other) => one - other));
      }
    });

    it('tells of a settlement once that is made twice', async () => {
      const holder = await subscriber('*');
      const order = orderOf(holder);
      await charge([order]);
      await settle([[order, {}]]);
      expect(await typesOf(holder)).toEqual(['balance.updated']);
    });

    it('tells of what was charged beyond the reservation', async () => {
      const holder = await subscriber('balance.updated');
      const order = orderOf(holder);
      await reserve([order]);
      await settle([[order, { chargeNanoUsd: 300n }]]);
      expect(await eventsOf(holder)).toMatchObject([{ data: { change: -3e-7, new_balance: 7e-7 } }]);
    });

    it('writes every nano-dollar of large amounts', async () => {
      const holder = await subscriber('balance.updated');
      await credit(holder, 9_000_000_000_123_456_789n);
      const [row]: { data: string }[] = await current.database.query(
        'SELECT data::text FROM events WHERE account_id = $1',
        [holder.accountId],
      );
      expect(row?.data).toContain('"previous_balance" : 0.000001, "new_balance" : 9000000000.123457789,');
    });
  });

  describe('balance.low and balance.depleted', () => {
    it('come once for each crossing, and the first at less than 10 USD', async () => {
      const holder = await subscriber('balance.low', 'balance.depleted');
      await credit(holder, 10n * USD);
      const spend = (amountNanoUsd: bigint) => charge([orderOf(holder, { amountNanoUsd })]);
      await spend(CREDIT);
      expect(await typesOf(holder)).toEqual([]);
      await spend(1n);
      await spend(1n);
      await credit(holder, 2n);
      await spend(10n * USD);
      await credit(holder, USD);
      await spend(USD);
      expect(await eventsOf(holder)).toMatchObject([
        { type: 'balance.low', data: { previous_balance: 10, balance: 9.999999999, threshold: 10 } },
        { type: 'balance.low', data: { previous_balance: 10, balance: 0 } },
        { type: 'balance.depleted', data: { previous_balance: 10, balance: 0 } },
        { type: 'balance.depleted', data: { previous_balance: 1, balance: 0 } },
      ]);
    });

    it('come with one and the same change, in this order after balance.updated', async () => {
      const holder = await subscriber('*');
      await credit(holder, 10n * USD);
      await charge([orderOf(holder, { amountNanoUsd: CREDIT + 10n * USD })]);
      const events = (await eventsOf(holder)).slice(1);
      expect(events.map(({ type }) => type)).toEqual(['balance.updated', 'balance.low', 'balance.depleted']);
      expect(new Set(events.map(({ data }) => data.transaction_id)).size).toBe(1);
      expect(events.map(({ data }) => Object.keys(data))).toEqual([
        expect.anything(),
        ['user_id', 'previous_balance', 'balance', 'threshold', 'transaction_id'],
        ['user_id', 'previous_balance', 'balance', 'transaction_id'],
      ]);
    });
  });

  it('come once for each settlement of a flush that Postgres refuses, which are made in its halves', async () => {
    const holder = await subscriber('balance.updated');
    const orders = Array.from({ length: 6 }, () => orderOf(holder, { amountNanoUsd: 10n }));
    const faulty = orderOf(holder, { amountNanoUsd: 10n });
    await reserve([...orders, faulty]);
    const settled = settle(orders.map((order) => [order, {}]));
    // Postgres takes no text with a NUL.
    const impossible = current.ledger.settle(settlementOf(faulty, { answer: '"\0"' }));
    await expect(impossible).rejects.toThrow('Unicode');
    await settled;
    expect(await counted('ledger_splits_total')).toBeGreaterThan(0);
    await charge([orderOf(holder)]);
    expect((await eventsOf(holder)).map(({ data }) => data.change)).toEqual([
      ...orders.map(() => -1e-8),
      -1e-7,
    ]);
  });
});
