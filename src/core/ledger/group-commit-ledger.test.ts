import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { faultsInBooks } from '../../../test/support/books';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database';
import { until } from '../../../test/support/until';
import { ManualClock } from '../../infrastructure/clock/manual-clock';
import { dataSourceOptions } from '../../infrastructure/database/data-source-options';
import { DatabaseUrl } from '../../infrastructure/database/database-url';
import { newId } from '../../infrastructure/ids/new-id';
import { Metrics } from '../../infrastructure/metrics/metrics';
import { AccessKey } from '../access-keys/access-key.entity';
import { AccessKeys } from '../access-keys/access-keys.repository';
import { hashKeySecret } from '../access-keys/key-secret';
import { SpendingLimitsRepository, type LimitChange } from '../access-keys/spending-limits.repository';
import { Account } from '../accounts/account.entity';
import { Accounts } from '../accounts/accounts.repository';
import { Idempotency } from '../idempotency/idempotency';
import { GroupCommitLedger } from './group-commit-ledger';
import type { ReserveOrder, ReserveVerdict, SettleOrder } from './ledger';
import { LedgerMetrics } from './ledger-metrics';
import { PostgresLedger } from './postgres-ledger';

const CREDIT = 1000n;
const LEASE_MS = 20_000;

interface Holder {
  accountId: string;
  keyId: string;
  secretHash: Buffer;
}

describe('GroupCommitLedger', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let ledger: GroupCommitLedger;
  let metrics: Metrics;
  let clock: ManualClock;
  let holder: Holder;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const options = { ...dataSourceOptions(testDatabase.url, 10), entities: [Account, AccessKey] };
    database = await new DataSource(options).initialize();
  });
  beforeEach(async () => {
    metrics = new Metrics();
    ledger = new GroupCommitLedger(database, new DatabaseUrl(testDatabase.url), new LedgerMetrics(metrics));
    clock = new ManualClock();
    holder = await newHolder();
  });
  afterEach(async () => {
    await ledger.onApplicationShutdown();
    expect(await faultsInBooks(database)).toEqual([]);
  });
  afterAll(async () => {
    await database.destroy();
    await testDatabase.drop();
  });

  async function newHolder(limits: LimitChange = {}, expiresAt: Date | null = null): Promise<Holder> {
    const name = newId();
    const person = { email: `${name}@example.com`, username: name, passwordHash: '' };
    const account = await new Accounts(database, clock).create({ ...person, role: 'user', tier: 'free' });
    const keys = new AccessKeys(database, clock);
    const fields = { accountId: account.id, name: 'k', expiresAt, environment: 'test' as const };
    const { key, secret } = await keys.create(fields);
    await new SpendingLimitsRepository(database, clock).set(account.id, key.id, limits);
    await ledger.credit({
      accountId: account.id,
      type: 'deposit',
      amountNanoUsd: CREDIT,
      description: 'test',
      requestId: null,
      referenceId: null,
      now: clock.now(),
    });
    return { accountId: account.id, keyId: key.id, secretHash: hashKeySecret(secret) };
  }

  function orderOf(by: Holder, fields: Partial<ReserveOrder> = {}): ReserveOrder {
    const now = clock.now();
    const callId = newId();
    const names = { operation: 'createMemory', requestId: callId, price: 'test', priceVersion: 'test' };
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    return { ...by, callId, amountNanoUsd: 100n, now, leaseUntil, ...names, ...fields };
  }

  function settlementOf(order: ReserveOrder, fields: Partial<SettleOrder> = {}): SettleOrder {
    const { callId, accountId, amountNanoUsd: chargeNanoUsd, now } = order;
    const nothing = { inputTokens: 0, outputTokens: 0, answer: null, status: 200 };
    return { callId, accountId, outcome: 'settled', chargeNanoUsd, now, ...nothing, ...fields };
  }

  /** Makes the ledger busy first, so that all orders wait for one and the same flush. */
  async function together(orders: ReserveOrder[]): Promise<PromiseSettledResult<ReserveVerdict>[]> {
    const company = await newHolder();
    const busy = [1, 2].map(() => ledger.reserve(orderOf(company, { amountNanoUsd: 0n })));
    const verdicts = await Promise.allSettled(orders.map((order) => ledger.reserve(order)));
    await Promise.all(busy);
    return verdicts;
  }

  async function counted(series: string): Promise<number> {
    const line = (await metrics.text()).split('\n').find((text) => text.startsWith(`${series} `));
    return Number(line?.slice(series.length));
  }

  async function expectReserved(by: Holder, nanoUsd: bigint): Promise<void> {
    expect((await ledger.balance(by.accountId)).reservedNanoUsd).toBe(nanoUsd);
  }

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
      const single = new PostgresLedger(database);
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
        now: new Date(clock.now().getTime() + ms),
        amountNanoUsd: 200n,
      }));
      const single = new PostgresLedger(database);
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
        orders.map((order) => ledger.settle(settlementOf(order, { chargeNanoUsd: 60n }))),
      );
      expect(settled.filter(({ balanceNanoUsd }) => balanceNanoUsd === 940n)).toHaveLength(12);
      expect(settled.filter(({ balanceNanoUsd }) => balanceNanoUsd === 880n)).toHaveLength(12);
      const limits = new SpendingLimitsRepository(database, clock);
      for (const { accountId, keyId } of holders) {
        expect((await limits.get(accountId, keyId)).daySpentNano).toBe(120n);
      }
    });

    it('keeps the answers of its calls, and charges none whose claim a retry has taken over', async () => {
      const idempotency = new Idempotency(database);
      const orders = Array.from({ length: 10 }, () => orderOf(holder));
      await together(orders);
      const claim = (order: ReserveOrder, request: string, now = clock.now()) =>
        idempotency.claim({
          accountId: holder.accountId,
          idempotencyKey: request,
          operationId: 'createMemory',
          request,
          callId: order.callId,
          now,
          leaseUntil: new Date(now.getTime() + LEASE_MS),
        });
      await Promise.all(orders.map((order, index) => claim(order, `key ${index}`)));
      const later = new Date(clock.now().getTime() + LEASE_MS);
      await claim(orderOf(holder), 'key 3', later);
      const settled = await Promise.all(
        orders.map((order) => ledger.settle(settlementOf(order, { answer: '{"a":"\\"b\\\\"}' }))),
      );
      expect(settled.map(({ verdict }) => verdict)).toEqual(
        orders.map((_, index) => (index === 3 ? 'gone' : 'settled')),
      );
      expect(await claim(orderOf(holder), 'key 4')).toEqual({ status: 200, body: '{"a":"\\"b\\\\"}' });
      expect((await ledger.balance(holder.accountId)).balanceNanoUsd).toBe(CREDIT - 900n);
    });

    it('fails the one order that the database refuses and none of its neighbours', async () => {
      const [first, second] = [orderOf(holder), orderOf(holder)];
      const good = Array.from({ length: 20 }, () => orderOf(holder, { amountNanoUsd: 10n }));
      const negative = orderOf(holder, { amountNanoUsd: -1n });
      const twice = { ...second, requestId: newId() };
      await ledger.reserve(second);
      const verdicts = await together([...good.slice(0, 7), negative, ...good.slice(7), twice, first]);
      const failures = verdicts
        .filter(({ status }) => status === 'rejected')
        .map((result) => String((result as PromiseRejectedResult).reason));
      expect(failures).toEqual([
        expect.stringContaining('reservations_amount_nano_check'),
        expect.stringContaining('duplicate key'),
      ]);
      await expectReserved(holder, 400n);
    });

    it('ends a call once when its settlement, its release and a sweep meet', async () => {
      const later = new Date(clock.now().getTime() + LEASE_MS);
      await ledger.sweep(later);
      const orders = Array.from({ length: 30 }, () => orderOf(holder, { amountNanoUsd: 30n }));
      await together(orders);
      const [swept, ...settled] = await Promise.all([
        ledger.sweep(later),
        ...orders.map((order) => ledger.settle(settlementOf(order))),
        ...orders.map((order) =>
          ledger.settle(settlementOf(order, { outcome: 'released', chargeNanoUsd: 0n })),
        ),
      ]);
      const charged = settled.slice(0, 30).filter(({ verdict }) => verdict === 'settled').length;
      const released = settled.slice(30).filter(({ verdict }) => verdict === 'settled').length;
      // The sweep also ended the two calls that kept the ledger busy.
      expect(swept + charged + released).toBe(30 + 2);
      const { balanceNanoUsd, reservedNanoUsd } = await ledger.balance(holder.accountId);
      expect([balanceNanoUsd, reservedNanoUsd]).toEqual([CREDIT - 30n * BigInt(charged), 0n]);
    });
  });

  it('refuses with 503 what comes while 10,000 calls wait, and reserves for all others', async () => {
    const orders = Array.from({ length: 10_100 }, () => orderOf(holder, { amountNanoUsd: 0n }));
    const results = await Promise.allSettled(orders.map((order) => ledger.reserve(order)));
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    // Two went alone before anyone had to wait.
    expect(refused).toHaveLength(98);
    expect(refused[0]).toMatchObject({ status: 503, options: { headers: { 'Retry-After': '1' } } });
    const [row]: { count: string }[] = await database.query(
      'SELECT count(*) FROM reservations WHERE account_id = $1',
      [holder.accountId],
    );
    expect(row?.count).toBe('10002');
    expect(await counted('ledger_refused_for_load_total')).toBe(98);
    expect(await ledger.sweep(new Date(clock.now().getTime() + LEASE_MS))).toBeGreaterThanOrEqual(10_002);
    await expectReserved(holder, 0n);
  });

  it('serves all other accounts while somebody holds the row of one', async () => {
    const others = await Promise.all(Array.from({ length: 8 }, () => newHolder()));
    const blocker = await lock(holder.accountId);
    const stalled = together(Array.from({ length: 5 }, () => orderOf(holder)));
    const served = others.map((by) => ledger.reserve(orderOf(by)));
    expect((await Promise.all(served)).map(({ verdict }) => verdict)).toEqual(others.map(() => 'reserved'));
    await expectReserved(holder, 0n);
    await blocker.query('COMMIT');
    await blocker.end();
    expect((await stalled).map((result) => (result as { value?: ReserveVerdict }).value?.verdict)).toEqual(
      Array.from({ length: 5 }, () => 'reserved'),
    );
    await expectReserved(holder, 500n);
  });

  it('reserves exactly once although its connections are ended in the middle of a flush', async () => {
    const blocker = await lock(holder.accountId);
    const orders = Array.from({ length: 10 }, () => orderOf(holder));
    const verdicts = together(orders);
    await until('a flush waits for the row', async () => (await endWaitingFlushes()) > 0);
    await blocker.query('COMMIT');
    await blocker.end();
    expect((await verdicts).map((result) => (result as { value?: ReserveVerdict }).value?.verdict)).toEqual(
      orders.map(() => 'reserved'),
    );
    await expectReserved(holder, CREDIT);
    expect(await counted('ledger_lost_connections_total')).toBe(1);
  });

  it('decides what waits before it closes', async () => {
    const verdicts = together(Array.from({ length: 50 }, () => orderOf(holder, { amountNanoUsd: 20n })));
    await until('orders wait', async () => (await counted('ledger_queue_depth')) > 0);
    await ledger.onApplicationShutdown();
    expect((await verdicts).filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    await expectReserved(holder, CREDIT);
  });

  async function lock(accountId: string): Promise<Client> {
    const blocker = new Client(testDatabase.url);
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM balances WHERE account_id = $1 FOR UPDATE', [accountId]);
    return blocker;
  }

  async function endWaitingFlushes(): Promise<number> {
    const rows: unknown[] = await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'ledger' AND wait_event_type = 'Lock'`,
    );
    return rows.length;
  }
});
