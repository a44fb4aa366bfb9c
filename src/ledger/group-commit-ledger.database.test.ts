import { CREDIT, LEASE_MS, useGroupCommitLedger } from '../../test/support/ledger/group-commit-ledger';
import { SpendingLimitsRepository, type LimitChange } from '../accounts/spending-limits';
import { newId } from '../runtime/ids';
import { Idempotency } from './idempotency';
import type { ReserveOrder, ReserveVerdict } from './ledger';
import { PostgresLedger } from './postgres-ledger';

describe('GroupCommitLedger', () => {
  const { current, newHolder, orderOf, settlementOf, together, counted, expectReserved } =
    useGroupCommitLedger();

  describe('in one flush', () => {
    const amounts = [100n, 700n, 100n, 400n, 50n, 50n, 1n, 0n];
    const DAY_AHEAD = 86_400_000;

    it.each<[string, LimitChange, Partial<ReserveOrder>]>([
      ['the balance is short', {}, {}],
      ['the daily limit is short', { dailyLimitNano: 250n }, {}],
      ['the monthly limit is short', { monthlyLimitNano: 250n, timezone: 'Asia/Kolkata' }, {}],
      ['one call is above the limit per request', { perRequestLimitNano: 400n }, {}],
      ['the secret is not the key’s', {}, { secretHash: Buffer.alloc(32) }],
      ['there is no such account', {}, { accountId: newId() }],
      ['there is no such key', {}, { keyId: newId() }],
      ['the key belongs to somebody else', { dailyLimitNano: 250n }, { keyId: 'other' }],
    ])('decides as one by one when %s', async (_, limits, fields) => {
      const [one, many] = [await newHolder(limits), await newHolder(limits)];
      const other = await newHolder();
      const own = fields.keyId === 'other' ? { keyId: other.keyId, secretHash: other.secretHash } : fields;
      const single = new PostgresLedger(current.database);
      const expected: ReserveVerdict[] = [];
      for (const amountNanoUsd of amounts) {
        expected.push(await single.reserve(orderOf(one, { amountNanoUsd, ...own })));
      }
      const verdicts = await together(
        amounts.map((amountNanoUsd) => orderOf(many, { amountNanoUsd, ...own })),
      );
      expect(verdicts).toEqual(expected.map((value) => ({ status: 'fulfilled', value })));
      expect(await counted('ledger_reservations_total{path="exact"}')).toBe(amounts.length);
      const { reservedNanoUsd } = await single.balance(one.accountId);
      await expectReserved(many, reservedNanoUsd);
    });

    it('decides calls of two local days one by one, each in its own', async () => {
      const [one, many] = [
        await newHolder({ dailyLimitNano: 300n, timezone: 'Pacific/Kiritimati' }),
        await newHolder({ dailyLimitNano: 300n, timezone: 'Pacific/Kiritimati' }),
      ];
      const days = [0, DAY_AHEAD, 0, DAY_AHEAD].map((ms) => ({
        now: new Date(current.clock.now().getTime() + ms),
        amountNanoUsd: 200n,
      }));
      const single = new PostgresLedger(current.database);
      const expected: ReserveVerdict[] = [];
      for (const fields of days) {
        expected.push(await single.reserve(orderOf(one, fields)));
      }
      expect(expected.map(({ verdict }) => verdict)).toEqual(['reserved', 'reserved', 'daily', 'daily']);
      const verdicts = await together(days.map((fields) => orderOf(many, fields)));
      expect(verdicts).toEqual(expected.map((value) => ({ status: 'fulfilled', value })));
    });

    it('reserves for many accounts at once what fits, and settles it to its cost', async () => {
      const holders = await Promise.all(
        Array.from({ length: 12 }, () => newHolder({ dailyLimitNano: 900n })),
      );
      const orders = holders.flatMap((by) => [orderOf(by), orderOf(by, { amountNanoUsd: 300n })]);
      const verdicts = await together(orders);
      expect(verdicts.map((result) => (result as { value?: ReserveVerdict }).value)).toEqual(
        orders.map(() => ({ verdict: 'reserved', balanceNanoUsd: CREDIT })),
      );
      expect(await counted('ledger_reservations_total{path="exact"}')).toBe(0);
      const settled = await Promise.all(
        orders.map((order) => current.ledger.settle(settlementOf(order, { chargeNanoUsd: 60n }))),
      );
      expect(settled.filter(({ balanceNanoUsd }) => balanceNanoUsd === 940n)).toHaveLength(12);
      expect(settled.filter(({ balanceNanoUsd }) => balanceNanoUsd === 880n)).toHaveLength(12);
      const limits = new SpendingLimitsRepository(current.database, current.clock);
      for (const { accountId, keyId } of holders) {
        expect((await limits.get(accountId, keyId)).daySpentNano).toBe(120n);
      }
    });

    it('keeps the answers of its calls, and charges none whose claim a retry has taken over', async () => {
      const orders = Array.from({ length: 10 }, () => orderOf(current.holder));
      await together(orders);
      await Promise.all(orders.map((order, index) => claim(order, `key ${index}`)));
      const later = new Date(current.clock.now().getTime() + LEASE_MS);
      await claim(orderOf(current.holder), 'key 3', later);
      const settled = await Promise.all(
        orders.map((order) => current.ledger.settle(settlementOf(order, { answer: '{"a":"\\"b\\\\"}' }))),
      );
      expect(settled.map(({ verdict }) => verdict)).toEqual(
        orders.map((_, index) => (index === 3 ? 'gone' : 'settled')),
      );
      expect(await claim(orderOf(current.holder), 'key 4')).toEqual({
        status: 200,
        body: '{"a":"\\"b\\\\"}',
      });
      expect((await current.ledger.balance(current.holder.accountId)).balanceNanoUsd).toBe(CREDIT - 900n);
    });

    it('frees the Idempotency-Keys of calls that are charged and whose answer is not kept', async () => {
      const orders = Array.from({ length: 10 }, () => orderOf(current.holder));
      await together(orders);
      await Promise.all(orders.map((order, index) => claim(order, `broken ${index}`)));
      await Promise.all(
        orders.map((order) => current.ledger.settle(settlementOf(order, { holdsClaim: true }))),
      );
      const retries = orders.map((_, index) => claim(orderOf(current.holder), `broken ${index}`));
      expect(await Promise.allSettled(retries)).toEqual(
        orders.map(() => ({
          status: 'fulfilled',
          value: expect.objectContaining({ callId: expect.any(String) }),
        })),
      );
      expect((await current.ledger.balance(current.holder.accountId)).balanceNanoUsd).toBe(0n);
    });

    it('fails the one order that the database refuses and none of its neighbours', async () => {
      const [first, second] = [orderOf(current.holder), orderOf(current.holder)];
      const good = Array.from({ length: 20 }, () => orderOf(current.holder, { amountNanoUsd: 10n }));
      const negative = orderOf(current.holder, { amountNanoUsd: -1n });
      const twice = { ...second, requestId: newId() };
      await current.ledger.reserve(second);
      const verdicts = await together([...good.slice(0, 7), negative, ...good.slice(7), twice, first]);
      const failures = verdicts
        .filter(({ status }) => status === 'rejected')
        .map((result) => String((result as PromiseRejectedResult).reason));
      expect(failures).toEqual([
        expect.stringContaining('reservations_amount_nano_check'),
        expect.stringContaining('duplicate key'),
      ]);
      await expectReserved(current.holder, 400n);
    });

    it('ends a call once when its settlement, its release and a sweep meet', async () => {
      const later = new Date(current.clock.now().getTime() + LEASE_MS);
      await current.ledger.sweep(later);
      const orders = Array.from({ length: 30 }, () => orderOf(current.holder, { amountNanoUsd: 30n }));
      await together(orders);
      const [swept, ...settled] = await Promise.all([
        current.ledger.sweep(later),
        ...orders.map((order) => current.ledger.settle(settlementOf(order))),
        ...orders.map((order) =>
          current.ledger.settle(settlementOf(order, { outcome: 'released', chargeNanoUsd: 0n })),
        ),
      ]);
      const charged = settled.slice(0, 30).filter(({ verdict }) => verdict === 'settled').length;
      const released = settled.slice(30).filter(({ verdict }) => verdict === 'settled').length;
      // The sweep also ended the two calls that kept the ledger busy.
      expect(swept + charged + released).toBe(30 + 2);
      const { balanceNanoUsd, reservedNanoUsd } = await current.ledger.balance(current.holder.accountId);
      expect([balanceNanoUsd, reservedNanoUsd]).toEqual([CREDIT - 30n * BigInt(charged), 0n]);
    });
  });

  it('refuses with 503 what comes while 10,000 calls wait, and reserves for all others', async () => {
    const orders = Array.from({ length: 10_100 }, () => orderOf(current.holder, { amountNanoUsd: 0n }));
    const results = await Promise.allSettled(orders.map((order) => current.ledger.reserve(order)));
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    // Two went alone before anyone had to wait.
    expect(refused).toHaveLength(98);
    expect(refused[0]).toMatchObject({ status: 503, options: { headers: { 'Retry-After': '1' } } });
    const [row]: { count: string }[] = await current.database.query(
      'SELECT count(*) FROM reservations WHERE account_id = $1',
      [current.holder.accountId],
    );
    expect(row?.count).toBe('10002');
    expect(await counted('ledger_refused_for_load_total')).toBe(98);
    expect(
      await current.ledger.sweep(new Date(current.clock.now().getTime() + LEASE_MS)),
    ).toBeGreaterThanOrEqual(10_002);
    await expectReserved(current.holder, 0n);
  });

  /** Claims an Idempotency-Key, which is the request as well, for the call of an order. */
  function claim(order: ReserveOrder, request: string, now = current.clock.now()) {
    return new Idempotency(current.database).claim({
      accountId: current.holder.accountId,
      idempotencyKey: request,
      operationId: 'createMemory',
      request,
      callId: order.callId,
      now,
      leaseUntil: new Date(now.getTime() + LEASE_MS),
      isBounded: true,
    });
  }
});
