import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { openLedger, type OpenLedger } from '../../test/support/ledger/open-ledger';
import { faultsInRollUps } from '../../test/support/ledger/roll-ups';
import { sumAllCalls } from '../../test/support/ledger/roll-ups';
import { AccountDatabases } from '../database/account-databases';
import { ManualClock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import type { OpenPeriod } from './period';
import { Transactions } from './transactions';
import { type UnchargedCall, UsageDays, UsageLog } from './usage-log';
import { type UsagePoint, UsageOverTime } from './usage-series';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const RESERVED = 100n;
const PRICES = ['chat_completion', 'memory_operation'] as const;

const who = { account: fc.nat(1), key: fc.nat(2), price: fc.constantFrom(...PRICES) };
const end = fc.constantFrom('settled', 'released', 'expired', 'never');

const step = fc.oneof(
  fc.record({ kind: fc.constant('deposit'), account: fc.nat(1), amount: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ kind: fc.constant('call'), ...who, end, charge: fc.nat(100), tookMs: fc.nat(HOUR_MS) }),
  fc.record({ kind: fc.constant('uncharged'), ...who, statuses: fc.array(fc.constantFrom(200, 402, 504)) }),
  // A row without a charge comes as well, as if its writer did not know that the call had ended.
  fc.record({ kind: fc.constant('written twice'), ...who, end, charge: fc.nat(100) }),
  // The clock also goes back, so that calls come into hours that have been added to their day already.
  fc.record({
    kind: fc.constant('move the clock'),
    byMs: fc.constantFrom(-24, -1, 1, 24).map((h) => h * HOUR_MS),
  }),
  fc.record({ kind: fc.constant('add calls to hours'), callsMax: fc.constantFrom(1, 3, 20_000) }),
  fc.record({ kind: fc.constant('add hours to days'), hoursMax: fc.constantFrom(1, 100) }),
);

/** Hours of the ledger that should be in the sum of their day. */
const SINGLE_HOURS = `SELECT hour FROM ledger_hours
  WHERE hour < (SELECT hours_from FROM roll_ups) AND hour <> date_trunc('day', hour, 'UTC')`;

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

describe('the roll-ups', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let databases: AccountDatabases;
  let open: OpenLedger;
  let usageLog: UsageLog;
  let days: UsageDays;
  let transactions: Transactions;
  let clock: ManualClock;
  let accountIds: string[];
  const keyIds = [null, newId(), newId()];

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    open = await openLedger(testDatabase.url);
    ({ database } = open);
    databases = AccountDatabases.only(database);
    usageLog = new UsageLog(databases);
    days = new UsageDays(databases);
    transactions = new Transactions(databases);
  });
  afterAll(async () => {
    await open.close();
    await testDatabase.drop();
  });

  it('equal the sums of their rows after whatever happened, in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        await begin();
        for (const next of steps) {
          await take(next);
        }
        await sumAllCalls(databases);
        expect(await faultsInRollUps(databases)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  const bound = fc.oneof(
    fc.integer({ min: -50 * 60, max: 50 * 60 }).map((m) => m * MINUTE_MS),
    fc.constantFrom(0, null),
  );
  const bounds = fc.array(fc.tuple(bound, bound), { minLength: 4, maxLength: 6 });

  it('give every period the sums and transactions that its rows have', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), bounds, async (steps, periods) => {
        await begin();
        for (const next of steps) {
          await take(next);
        }
        for (const offsets of periods) {
          await expectSameAsRows(periodOf(offsets));
        }
      }),
      { numRuns: 20 },
    );
  });

  it('count a late call in a day that is summed already', async () => {
    await begin();
    const fields = { account: 0, key: 0, price: 'chat_completion', end: 'settled' };
    await call({ ...fields, charge: 3 }, newId(), 0);
    await sumAllCalls(databases);
    clock.advance(2 * DAY_MS);
    expect(await days.addHours(clock.now(), 100_000)).toBeGreaterThan(0);
    clock.advance(-2 * DAY_MS);
    await call({ ...fields, charge: 4 }, newId(), 0);
    await sumAllCalls(databases);
    const rows = await database.query('SELECT requests, cost_nano FROM usage_days WHERE account_id = $1', [
      accountAt(0),
    ]);
    expect(rows).toEqual([{ requests: '2', cost_nano: '7' }]);
    clock.advance(2 * DAY_MS);
    expect(await days.addHours(clock.now(), 100_000)).toBe(0);
  });

  it('equal the sums of their rows when everything happens at once, and nothing waits in a circle', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        await begin();
        await Promise.all(steps.map(take));
        await sumAllCalls(databases);
        expect(await faultsInRollUps(databases)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  // The last test here: the others compare all hours with all calls.
  it('give every period the same sums once old hours are gone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 25 }),
        fc.integer({ min: -1, max: 2 }),
        fc.integer({ min: 1, max: 3 }),
        bounds,
        async (steps, daysKept, rowsMax, periods) => {
          await database.query(`UPDATE roll_ups SET hours_from = '-infinity', ledger_days_to = '-infinity'`);
          await begin();
          for (const next of [...steps, { kind: 'add hours to days', hoursMax: 100 } as const]) {
            await take(next);
          }
          await database.query(`UPDATE roll_ups SET hours_from = date_trunc('day', $1::timestamptz, 'UTC')`, [
            new Date(clock.now().getTime() - daysKept * DAY_MS),
          ]);
          await database.query(
            'DELETE FROM usage_hours WHERE in_day AND hour < (SELECT hours_from FROM roll_ups)',
          );
          for (const offsets of periods) {
            await expectSameAsRows(periodOf(offsets));
            await database.query('SELECT ledger_hours_fold($1)', [rowsMax]);
          }
          await days.foldLedgerHours();
          expect(await database.query(SINGLE_HOURS)).toEqual([]);
          for (const offsets of periods) {
            await expectSameAsRows(periodOf(offsets));
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  async function begin(): Promise<void> {
    clock = new ManualClock();
    accountIds = [newId(), newId()];
    for (const id of accountIds) {
      await database.query(
        `INSERT INTO accounts (id, email, username, password_hash, created_at) VALUES ($1, $2, $2, '', $3)`,
        [id, `${id}@example.com`, clock.now()],
      );
      await database.query('INSERT INTO balances (account_id) VALUES ($1)', [id]);
      await take({ kind: 'deposit', account: accountIds.indexOf(id), amount: 9000 });
      for (const keyId of keyIds.filter((key) => key !== null)) {
        await database.query(
          `INSERT INTO access_keys (id, account_id, name, preview, secret_hash, created_at)
           VALUES ($1, $2, '', '', $3, $4) ON CONFLICT (id) DO UPDATE SET account_id = excluded.account_id`,
          [keyId, id, Buffer.from(keyId), clock.now()],
        );
      }
    }
  }

  function periodOf([one, other]: [number | null, number | null]): OpenPeriod {
    const times = [one, other].map((ms) => (ms === null ? null : new Date(clock.now().getTime() + ms)));
    const [start = null, end = null] = times;
    return start && end && start > end ? { start: end, end: start } : { start, end };
  }

  async function expectSameAsRows(period: OpenPeriod): Promise<void> {
    const accountId = accountAt(1);
    const [start, end] = [period.start ?? new Date(0), period.end ?? new Date('9999-12-31T23:59:59.999Z')];
    const filter = `account_id = $1 AND created_at >= $2 AND created_at < $3`;
    const values = [accountId, start, end];
    const [sums] = await database.query<{ requests: string; cost: string; since: string }[]>(
      `SELECT count(*) AS requests, coalesce(sum(charged_nano), 0) AS cost,
         (SELECT count(*) FROM calls WHERE account_id = $1 AND created_at >= $2) AS since
       FROM calls WHERE ${filter}`,
      values,
    );
    const { totals, by } = await usageLog.usage({
      accountId,
      period: { start, end },
      by: ['key', 'day', 'price'],
    });
    const [since] = await usageLog.totalsSince(accountId, [start]);
    expect([totals.requests, totals.costNanoUsd, since?.requests].map(String)).toEqual(
      sums && Object.values(sums),
    );
    for (const groups of [...Object.values(by), await pointsIn(period)].filter((found) => found !== null)) {
      expect(groups.reduce((sum, { requests }) => sum + requests, 0)).toBe(totals.requests);
      expect(groups.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n)).toBe(totals.costNanoUsd);
    }
    for (const type of [undefined, 'charge', 'deposit'] as const) {
      const rows = await database.query<{ id: string; amount_nano: string }[]>(
        `SELECT id, amount_nano FROM ledger_entries WHERE ${filter} AND type = coalesce($4, type) ORDER BY position`,
        [...values, type ?? null],
      );
      const page = { sort: 'created_at', order: 'asc', limit: 100, offset: 0 } as const;
      const { transactions: listed, total } = await transactions.list({ accountId, period, type }, page);
      expect(listed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
      expect(total).toBe(rows.length);
      const sum = (await transactions.totals({ accountId, period, type })).reduce(
        (all, part) => all + part.amountNanoUsd,
        0n,
      );
      expect(sum).toBe(rows.reduce((all, row) => all + BigInt(row.amount_nano), 0n));
    }
  }

  /** Of days in Los Angeles; null where there can be none for a period without a start or an end. */
  async function pointsIn({ start, end }: OpenPeriod): Promise<UsagePoint[] | null> {
    if (start === null || end === null) {
      return null;
    }
    const question = { accountId: accountAt(1), interval: 'day', timezone: 'America/Los_Angeles' } as const;
    const dates = { start_date: start.toISOString(), end_date: end.toISOString() };
    const { points } = await new UsageOverTime(databases).series(
      { ...question, by: { key: false, operation: false, model: false }, keyId: null, operation: null },
      dates,
      clock.now(),
    );
    return points;
  }

  async function take(next: Step): Promise<void> {
    switch (next.kind) {
      case 'deposit':
        await deposit(accountAt(next.account), BigInt(next.amount));
        return;
      case 'call':
        await call(next, newId(), next.tookMs);
        return;
      case 'uncharged':
        await usageLog.insertUncharged(next.statuses.map((status) => uncharged(next, newId(), status)));
        return;
      case 'written twice': {
        const callId = newId();
        await call(next, callId, 0);
        await usageLog.insertUncharged([uncharged(next, callId, 504)]);
        return;
      }
      case 'move the clock':
        clock.advance(next.byMs);
        return;
      case 'add calls to hours':
        await database.query('SELECT usage_roll_up($1)', [next.callsMax]);
        return;
      case 'add hours to days':
        await days.addHours(clock.now(), next.hoursMax);
    }
  }

  async function deposit(accountId: string, amountNanoUsd: bigint): Promise<void> {
    const order = { accountId, amountNanoUsd, description: 'a test', referenceId: null, requestId: null };
    await open.ledger.credit({ ...order, type: 'deposit', now: clock.now() });
  }

  async function call(
    fields: { account: number; key: number; price: string; end: string; charge: number },
    callId: string,
    tookMs: number,
  ): Promise<void> {
    const now = clock.now();
    const accountId = accountAt(fields.account);
    const { verdict } = await open.ledger.reserve({
      callId,
      accountId,
      // The keys belong to the second account.
      keyId: fields.account === 1 ? keyAt(fields.key) : null,
      amountNanoUsd: RESERVED,
      now,
      leaseUntil: new Date(now.getTime() + HOUR_MS),
      operation: 'createMemory',
      requestId: callId,
      price: fields.price,
      priceVersion: '1',
    });
    if (verdict !== 'reserved' || fields.end === 'never') {
      return;
    }
    const isCharged = fields.end === 'settled';
    await open.ledger.settle({
      callId,
      accountId,
      outcome: fields.end as 'settled' | 'released' | 'expired',
      chargeNanoUsd: isCharged ? BigInt(fields.charge) : 0n,
      status: isCharged ? 200 : null,
      inputTokens: fields.charge,
      outputTokens: 1,
      now: new Date(now.getTime() + tookMs),
      answer: null,
    });
  }

  function uncharged(
    fields: { account: number; key: number; price: string },
    id: string,
    status: number,
  ): UnchargedCall {
    const accountId = accountAt(fields.account);
    const times = { createdAt: clock.now(), completedAt: clock.now() };
    const isFree = status === 200;
    return {
      ...{ id, accountId, status, ...times, requestId: id, clientRequestId: null, operation: 'createMemory' },
      keyId: keyAt(fields.key),
      outcome: isFree ? 'settled' : 'refused',
      price: isFree ? null : fields.price,
      priceVersion: isFree ? null : '1',
    };
  }

  function accountAt(index: number): string {
    const id = accountIds[index];
    if (id === undefined) {
      throw new Error(`there is no account ${index}`);
    }
    return id;
  }

  function keyAt(index: number): string | null {
    return keyIds[index] ?? null;
  }
});
