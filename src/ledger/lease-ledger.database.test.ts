import { setTimeout as delay } from 'node:timers/promises';
import { CREDIT, LEASE_MS, useLeaseLedger, type Holder } from '../../test/support/ledger/lease-ledger';
import { openLedger, type OpenLedger } from '../../test/support/ledger/open-ledger';
import type { LimitChange } from '../accounts/access-keys';
import { SpendingLimitsRepository } from '../accounts/spending-limits';
import { AccountDatabases } from '../database/account-databases';
import { newId } from '../runtime/ids';
import { Idempotency } from './idempotency';
import type { Ledger, ReserveOrder, ReserveVerdict } from './ledger';

/** After a key was changed, processes are lent no more than they need for a second. */
const EXACT_FOR_MS = 1_000;

describe('LeaseLedger', () => {
  const { current, newHolder, orderOf, settlementOf, together, counted, expectReserved } = useLeaseLedger();
  const others: OpenLedger[] = [];

  afterEach(async () => {
    for (const other of others.splice(0)) {
      await other.close();
    }
  });

  const openOther = async (): Promise<OpenLedger> => {
    const other = await openLedger(current.testDatabase.url);
    others.push(other);
    return other;
  };
  const verdictsOf = async (orders: ReserveOrder[]): Promise<(ReserveVerdict | undefined)[]> =>
    (await together(orders)).map((result) => (result as { value?: ReserveVerdict }).value);

  describe('in memory', () => {
    it('reserves the second call of a key without asking, and counts it', async () => {
      await delay(1.1 * EXACT_FOR_MS);
      const [first, second] = [orderOf(current.holder), orderOf(current.holder)];
      const asked = current.ledger.reserve(first);
      expect(asked).toBeInstanceOf(Promise);
      expect(await asked).toEqual({ verdict: 'reserved' });
      expect(current.ledger.reserve(second)).toEqual({ verdict: 'reserved' });
      expect(await counted('ledger_reservations_total{path="memory"}')).toBe(1);
      expect(await counted('ledger_reservations_total{path="flush"}')).toBe(1);
      await expectReserved(current.holder, 200n);
      const settled = [first, second].map((order) => current.ledger.settle(settlementOf(order)));
      expect((await Promise.all(settled)).map(({ verdict }) => verdict)).toEqual(['settled', 'settled']);
      expect(await current.ledger.balance(current.holder.accountId)).toEqual({
        balanceNanoUsd: CREDIT - 200n,
        reservedNanoUsd: 0n,
      });
    });

    it('asks for each call while its process is not heard of', async () => {
      await delay(1.1 * EXACT_FOR_MS);
      await current.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 1n }));
      await current.register.onApplicationShutdown();
      const asked = current.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 1n }));
      expect(asked).toBeInstanceOf(Promise);
      expect(await asked).toEqual({ verdict: 'reserved' });
    });

    it('stops to reserve by a limit as soon as that was set', async () => {
      await delay(1.1 * EXACT_FOR_MS);
      await current.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 10n }));
      expect(current.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 10n }))).toEqual({
        verdict: 'reserved',
      });
      const { accountId, keyId } = current.holder;
      const limits = await limitsRepository().set(accountId, keyId, { dailyLimitNano: 25n });
      expect(limits.daySpentNano).toBe(20n);
      expect(await current.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 10n }))).toMatchObject({
        verdict: 'daily',
        limitNanoUsd: 25n,
        spentNanoUsd: 20n,
        roomNanoUsd: 5n,
      });
    });
  });

  describe('beside another process', () => {
    /** Calls that are charged whole, until the account has nothing left, by both in turn. */
    const spendBy = async (ledgers: Ledger[], by: Holder, amounts: readonly bigint[]) => {
      const verdicts: string[] = [];
      let chargedNanoUsd = 0n;
      await Promise.all(
        amounts.map(async (amountNanoUsd, index) => {
          const ledger = ledgers[index % ledgers.length] ?? current.ledger;
          const order = orderOf(by, { amountNanoUsd });
          const { verdict } = await ledger.reserve(order);
          verdicts.push(verdict);
          if (verdict === 'reserved') {
            const settled = await ledger.settle(settlementOf(order));
            chargedNanoUsd += settled.chargedNanoUsd;
          }
        }),
      );
      return { verdicts, chargedNanoUsd };
    };

    it('is refused nothing while the other has something unused, and lends to it again', async () => {
      const other = await openOther();
      await delay(1.1 * EXACT_FOR_MS);
      await other.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 10n }));
      const unused = 'SELECT FROM leases WHERE account_id = $1 AND NOT is_exact';
      expect(await current.database.query(unused, [current.holder.accountId])).toHaveLength(1);
      expect(await current.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 985n }))).toEqual({
        verdict: 'reserved',
      });
      expect(await counted('ledger_recalls_total')).toBeGreaterThan(0);
      expect(await other.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 5n }))).toEqual({
        verdict: 'reserved',
      });
      expect(await other.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 1n }))).toEqual({
        verdict: 'insufficient_credits',
        availableNanoUsd: 0n,
        roomNanoUsd: 0n,
      });
    });

    it('is refused nothing that the other has unused, though the other was refused more', async () => {
      const other = await openOther();
      await other.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 10n }));
      const refused = await other.ledger.reserve(orderOf(current.holder, { amountNanoUsd: CREDIT }));
      expect(refused).toMatchObject({ verdict: 'insufficient_credits', availableNanoUsd: CREDIT - 10n });
      const rest = orderOf(current.holder, { amountNanoUsd: CREDIT - 10n });
      expect(await current.ledger.reserve(rest)).toEqual({ verdict: 'reserved' });
    });

    it('asks the other for nothing where a call is above the limit for a single one', async () => {
      const by = await newHolder({ perRequestLimitNano: 100n });
      const other = await openOther();
      await other.ledger.reserve(orderOf(by, { amountNanoUsd: 10n }));
      const limit = { limitNanoUsd: 100n, spentNanoUsd: 0n, resetsAt: null, roomNanoUsd: 100n };
      const above = orderOf(by, { amountNanoUsd: 101n });
      expect(await current.ledger.reserve(above)).toEqual({ verdict: 'per_request', ...limit });
      expect(await counted('ledger_recalls_total')).toBe(0);
    });

    it.each<[string, LimitChange, bigint]>([
      ['the balance', {}, CREDIT],
      ['a daily limit', { dailyLimitNano: 690n }, 690n],
    ])('spends exactly %s with it', async (_, limits, bound) => {
      const ledgers = [current.ledger, (await openOther()).ledger];
      const by = await newHolder(limits);
      await delay(1.1 * EXACT_FOR_MS);
      const warm = await spendBy(ledgers, by, [10n, 10n, 10n, 10n]);
      expect(warm.chargedNanoUsd).toBe(40n);
      const { verdicts, chargedNanoUsd } = await spendBy(
        ledgers,
        by,
        Array.from({ length: 150 }, () => 10n),
      );
      expect(chargedNanoUsd).toBe(bound - 40n);
      expect(verdicts.filter((verdict) => verdict === 'reserved')).toHaveLength(Number(bound - 40n) / 10);
      expect(await current.ledger.balance(by.accountId)).toEqual({
        balanceNanoUsd: CREDIT - bound,
        reservedNanoUsd: 0n,
      });
    });

    it('takes over the balance when the other is silent, whose calls are gone and cost nothing', async () => {
      const other = await openOther();
      await delay(1.1 * EXACT_FOR_MS);
      const lost = orderOf(current.holder, { amountNanoUsd: 10n });
      await other.ledger.reserve(lost);
      const lent = 'SELECT amount_nano, is_exact FROM leases WHERE process_id = $1';
      expect(await current.database.query(lent, [other.register.id])).toEqual([
        { amount_nano: String(10n + 16n * 10n), is_exact: false },
      ]);
      await other.register.onApplicationShutdown();
      await current.database.query(
        "UPDATE processes SET valid_until = now() - interval '1 second' WHERE id = $1",
        [other.register.id],
      );
      expect(await current.ledger.reserve(orderOf(current.holder, { amountNanoUsd: CREDIT }))).toEqual({
        verdict: 'reserved',
      });
      expect(await other.ledger.settle(settlementOf(lost))).toMatchObject({
        verdict: 'gone',
        chargedNanoUsd: 0n,
      });
      expect(await current.ledger.balance(current.holder.accountId)).toEqual({
        balanceNanoUsd: CREDIT,
        reservedNanoUsd: CREDIT,
      });
    });

    it('settles no call that the other has reserved', async () => {
      const other = await openOther();
      const order = orderOf(current.holder);
      await other.ledger.reserve(order);
      expect(await current.ledger.settle(settlementOf(order))).toMatchObject({
        verdict: 'gone',
        chargedNanoUsd: 0n,
      });
      const first = await other.ledger.settle(settlementOf(order));
      expect(first).toEqual({ verdict: 'settled', chargedNanoUsd: 100n, balanceNanoUsd: CREDIT - 100n });
      expect(await current.ledger.settle(settlementOf(order))).toEqual(first);
    });
  });

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
      const expected: ReserveVerdict['verdict'][] = [];
      for (const amountNanoUsd of amounts) {
        expected.push((await current.ledger.reserve(orderOf(one, { amountNanoUsd, ...own }))).verdict);
      }
      const verdicts = await verdictsOf(
        amounts.map((amountNanoUsd) => orderOf(many, { amountNanoUsd, ...own })),
      );
      expect(verdicts.map((answer) => answer?.verdict)).toEqual(expected);
      const { reservedNanoUsd } = await current.ledger.balance(one.accountId);
      await expectReserved(many, reservedNanoUsd);
    });

    it('decides calls of two local days each in its own, where they come one by one', async () => {
      const by = await newHolder({ dailyLimitNano: 300n, timezone: 'Pacific/Kiritimati' });
      const verdicts: string[] = [];
      for (const ms of [0, DAY_AHEAD, 0, DAY_AHEAD]) {
        const now = new Date(current.clock.now().getTime() + ms);
        verdicts.push((await current.ledger.reserve(orderOf(by, { now, amountNanoUsd: 200n }))).verdict);
      }
      expect(verdicts).toEqual(['reserved', 'reserved', 'daily', 'daily']);
    });

    it('counts calls of two days that come together in the later one', async () => {
      const by = await newHolder({ dailyLimitNano: 250n });
      const [before, after] = [new Date('2026-02-01T23:59:59.999Z'), new Date('2026-02-02T00:00:00.000Z')];
      const first = orderOf(by, { now: before });
      await current.ledger.reserve(first);
      await current.ledger.settle(settlementOf(first));
      const orders = [orderOf(by, { now: before }), orderOf(by, { now: after, secretHash: null })];
      expect(await verdictsOf(orders)).toEqual(orders.map(() => ({ verdict: 'reserved' })));
      current.clock.set(after.toISOString());
      expect((await limitsRepository().get(by.accountId, by.keyId)).daySpentNano).toBe(200n);
    });

    it('reserves for many accounts at once what fits, and settles it to its cost', async () => {
      const holders = await Promise.all(
        Array.from({ length: 12 }, () => newHolder({ dailyLimitNano: 900n })),
      );
      const orders = holders.flatMap((by) => [orderOf(by), orderOf(by, { amountNanoUsd: 300n })]);
      expect(await verdictsOf(orders)).toEqual(orders.map(() => ({ verdict: 'reserved' })));
      const settled = await Promise.all(
        orders.map((order) => current.ledger.settle(settlementOf(order, { chargeNanoUsd: 60n }))),
      );
      expect(settled.filter(({ balanceNanoUsd }) => balanceNanoUsd === 940n)).toHaveLength(12);
      expect(settled.filter(({ balanceNanoUsd }) => balanceNanoUsd === 880n)).toHaveLength(12);
      for (const { accountId, keyId } of holders) {
        expect((await limitsRepository().get(accountId, keyId)).daySpentNano).toBe(120n);
      }
    });

    it.each([1, 10])(
      'of %i calls keeps the answers, and charges none whose claim was taken over',
      async (count) => {
        const orders = Array.from({ length: count }, () => orderOf(current.holder));
        await together(orders);
        await Promise.all(orders.map((order, index) => claim(order, `key ${index}`)));
        const later = new Date(current.clock.now().getTime() + LEASE_MS);
        await claim(orderOf(current.holder), 'key 0', later);
        const settled = await Promise.all(
          orders.map((order) => current.ledger.settle(settlementOf(order, { answer: '{"a":"\\"b\\\\"}' }))),
        );
        expect(settled.map(({ verdict }) => verdict)).toEqual(
          orders.map((_, index) => (index === 0 ? 'gone' : 'settled')),
        );
        for (let index = 1; index < count; index += 1) {
          const answer = await claim(orderOf(current.holder), `key ${index}`);
          expect(answer).toMatchObject({ status: 200, body: '{"a":"\\"b\\\\"}' });
        }
        const uncharged = 'SELECT id, outcome, status FROM calls WHERE account_id = $1 AND charged_nano = 0';
        expect(await current.database.query(uncharged, [current.holder.accountId])).toEqual([
          { id: orders[0]?.callId, outcome: 'released', status: null },
        ]);
        const { balanceNanoUsd } = await current.ledger.balance(current.holder.accountId);
        expect(balanceNanoUsd).toBe(CREDIT - 100n * BigInt(count - 1));
      },
    );

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
      expect(swept + charged + released).toBe(30);
      const { balanceNanoUsd, reservedNanoUsd } = await current.ledger.balance(current.holder.accountId);
      expect([balanceNanoUsd, reservedNanoUsd]).toEqual([CREDIT - 30n * BigInt(charged), 0n]);
    });
  });

  it('refuses with 503 what comes while 10,000 calls wait, and reserves for all others', async () => {
    const orders = Array.from({ length: 10_100 }, () => orderOf(current.holder, { amountNanoUsd: 0n }));
    const results = await Promise.allSettled(orders.map(async (order) => current.ledger.reserve(order)));
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    expect(refused).toHaveLength(100);
    expect(refused[0]).toMatchObject({ status: 503, options: { headers: { 'Retry-After': '1' } } });
    await current.ledger.show(current.holder.accountId);
    const [row]: { count: string }[] = await current.database.query(
      'SELECT count(*) FROM reservations WHERE account_id = $1',
      [current.holder.accountId],
    );
    expect(row?.count).toBe('10000');
    expect(await counted('ledger_refused_for_load_total')).toBe(100);
    expect(await current.ledger.sweep(new Date(current.clock.now().getTime() + LEASE_MS))).toBe(10_000);
    await expectReserved(current.holder, 0n);
  });

  function limitsRepository(): SpendingLimitsRepository {
    return new SpendingLimitsRepository(current.databases, current.clock, current.register);
  }

  /** Claims an Idempotency-Key, which is the request as well, for the call of an order. */
  function claim(order: ReserveOrder, request: string, now = current.clock.now()) {
    return new Idempotency(AccountDatabases.only(current.database)).claim({
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
