import { DataSource } from 'typeorm';
import { v4, v7 } from 'uuid';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { openLedger } from '../../test/support/ledger/open-ledger';
import { faultsInRollUps } from '../../test/support/ledger/roll-ups';
import { sumAllCalls } from '../../test/support/ledger/roll-ups';
import { AccountDatabases } from '../database/account-databases';
import { dataSourceOptions } from '../database/data-source';
import { SystemClock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import { ReconciliationRepository } from './reconciliation';
import { type UnchargedCall, UsageDays, UsageLog, UsagePartitions } from './usage-log';

describe('UsagePartitions', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let databases: AccountDatabases;
  let usageLog: UsageLog;
  let partitions: UsagePartitions;
  /** Whose month is the first of the partitions: that of the template, which may have been made before the present one. */
  let madeAt: Date;
  const accountId = newId();

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    database = await new DataSource(dataSourceOptions(testDatabase.url, 12)).initialize();
    databases = AccountDatabases.only(database);
    usageLog = new UsageLog(databases);
    partitions = new UsagePartitions(databases);
    const [row]: { table: string }[] = await database.query(
      `SELECT min(relname) AS table FROM pg_class WHERE relkind = 'r' AND relname ~ '^calls_[0-9]{4}_[0-9]{2}$'`,
    );
    const [, year, month] = row?.table.split('_').map(Number) ?? [];
    madeAt = new Date(Date.UTC(year ?? NaN, (month ?? NaN) - 2));
  });
  afterEach(async () => {
    await sumAllCalls(databases);
    expect(await faultsInRollUps(databases)).toEqual([]);
    await database.destroy();
    await testDatabase.drop();
  });

  it('finds nothing to do in a new database', async () => {
    expect(await partitions.keep(monthAt(0), 24)).toEqual({ added: [], dropped: [] });
  });

  it('puts every call into the partition of its id, and into the default one where it has none', async () => {
    const ids = [idOf(0), idOf(1), idOf(3), idOf(4), foreignId()];
    await usageLog.insertUncharged(ids.map((id) => callOf(id)));
    expect(await Promise.all(ids.map(partitionOf))).toEqual([
      'calls_first',
      tableOf(1),
      tableOf(3),
      'calls_default',
      'calls_default',
    ]);
  });

  it('numbers calls anew in a cluster with fewer transactions, once for all processes that start together', async () => {
    await usageLog.insertUncharged([idOf(0), idOf(1)].map((id) => callOf(id)));
    await sumAllCalls(databases);
    await usageLog.insertUncharged([idOf(2), foreignId()].map((id) => callOf(id)));
    // What a restore brings from a cluster that has come further.
    const further = (column: string) => `${column} = (${column}::text::bigint + 1000000)::text::xid8`;
    for (const table of ['calls_first', tableOf(1), tableOf(2), 'calls_default']) {
      await database.query(`UPDATE ${table} SET ${further('written_by')}`);
    }
    await database.query(`UPDATE roll_ups SET ${further('rolled_to')}, summed_to = rolled_to`);
    await Promise.all([1, 2, 3].map(() => new UsageDays(databases).onModuleInit()));
    await usageLog.insertUncharged([callOf(idOf(3))]);
    await sumAllCalls(databases);
    const [row]: { requests: string }[] = await database.query(
      'SELECT sum(requests) AS requests FROM usage_hours',
    );
    expect(row?.requests).toBe('5');
    expect(await database.query('SELECT FROM roll_ups WHERE summed_to IS NOT NULL')).toEqual([]);
  });

  it('writes a call once, whichever partition it is in', async () => {
    const ids = [idOf(0), idOf(2), foreignId()];
    await usageLog.insertUncharged(ids.map((id) => callOf(id)));
    await usageLog.insertUncharged(ids.map((id) => callOf(id)));
    expect(await countOf(ids)).toBe(3);
  });

  it('keeps three months ahead, and takes over what waited in the default partition', async () => {
    const ids = [idOf(4), idOf(5), idOf(6), foreignId()];
    await usageLog.insertUncharged(ids.map((id) => callOf(id)));
    const { added, dropped } = await partitions.keep(monthAt(6), 24);
    expect(dropped).toEqual([]);
    expect(added).toEqual([4, 5, 6, 7, 8, 9].map(nameOf));
    expect(await Promise.all(ids.map(partitionOf))).toEqual([4, 5, 6].map(tableOf).concat('calls_default'));
    expect(await usageLog.receipt(accountId, ids[2] ?? '')).toMatchObject({ outcome: 'refused' });
    expect(await partitions.keep(monthAt(6), 24)).toEqual({ added: [], dropped: [] });
  });

  it('drops what is older than the retention, keeps the sums of it, and nothing else', async () => {
    const ids = [idOf(0), idOf(1), idOf(2), foreignId()];
    await usageLog.insertUncharged(ids.map((id) => callOf(id)));
    await partitions.keep(monthAt(2), 24);
    await sumAllCalls(databases);
    const rows = await rowsIn('calls_first');
    const before = await usageLog.totalsSince(accountId, [new Date(0)]);
    expect((await partitions.keep(monthAt(2), 1)).dropped).toEqual(['calls_first']);
    expect(await Promise.all(ids.map((id) => usageLog.receipt(accountId, id)))).toEqual([
      null,
      ...ids.slice(1).map((id) => expect.objectContaining({ requestId: id }) as object),
    ]);
    expect(before).toMatchObject([{ requests: 4 }]);
    expect(await usageLog.totalsSince(accountId, [new Date(0)])).toEqual(before);
    await putBack(rows);
  });

  it('drops what waited in the default partition for longer than the retention', async () => {
    const [old, recent] = [idOf(4), idOf(7)];
    await usageLog.insertUncharged([callOf(old), callOf(recent)]);
    await sumAllCalls(databases);
    const rows = await rowsIn(`(SELECT * FROM calls_default WHERE id = '${old}')`);
    const { added, dropped } = await partitions.keep(monthAt(7), 2);
    expect(added).toContain(nameOf(4));
    expect(dropped).toContain(tableOf(4));
    expect(await countOf([old, recent])).toBe(1);
    await putBack(rows);
  });

  it('leaves calls that are in no sum yet to the next run', async () => {
    await usageLog.insertUncharged([callOf(idOf(0))]);
    await partitions.keep(monthAt(2), 24);
    expect(await partitions.keep(monthAt(2), 1)).toEqual({ added: [], dropped: [] });
    await sumAllCalls(databases);
    const rows = await rowsIn('calls_first');
    expect((await partitions.keep(monthAt(2), 1)).dropped).toEqual(['calls_first']);
    expect(await usageLog.totalsSince(accountId, [new Date(0)])).toMatchObject([{ requests: 1 }]);
    await putBack(rows);
  });

  it('keeps what accounts were charged for calls that it drops, so that balances remain sums', async () => {
    const reconciliation = new ReconciliationRepository(databases, new SystemClock());
    await spend([idOf(0), idOf(0), idOf(1)]);
    await partitions.keep(monthAt(3), 24);
    await sumAllCalls(databases);
    const rows = [await rowsIn('calls_first'), await rowsIn(tableOf(1))];
    for (const [months, carried, summed, dropped] of [
      [2, '-60', '-30', 'calls_first'],
      [3, '-90', '0', tableOf(1)],
    ] as const) {
      expect((await partitions.keep(monthAt(months), 1)).dropped).toEqual([dropped]);
      expect(await database.query('SELECT * FROM carried_charges')).toEqual([
        { account_id: accountId, amount_nano: carried, summed_nano: summed },
      ]);
      for (const found of [
        await reconciliation.reconcile(),
        await reconciliation.reconcileNewCharges(60_000),
      ]) {
        expect(found).toMatchObject({
          accounts: 1,
          balanceNanoUsd: 910n,
          ledgerNanoUsd: 910n,
          mismatches: [],
        });
      }
    }
    await putBack(rows.join());
  });

  it('adds each partition once when replicas run at once', async () => {
    const runs = await Promise.all(Array.from({ length: 8 }, () => partitions.keep(monthAt(5), 24)));
    await partitions.keep(monthAt(5), 24);
    expect(runs.flatMap(({ added }) => added).length).toBe(new Set(runs.flatMap(({ added }) => added)).size);
    expect(await usageLog.insertUncharged([callOf(idOf(8))])).toBeUndefined();
    expect(await database.query('SELECT FROM calls_default')).toEqual([]);
  });

  it('gives up soon where a reader is in the way, and changes nothing', async () => {
    const reader = database.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT FROM calls');
    await expect(partitions.keep(monthAt(1), 24)).rejects.toThrow('lock timeout');
    await usageLog.insertUncharged([callOf(idOf(4))]);
    await reader.commitTransaction();
    await reader.release();
    expect((await partitions.keep(monthAt(1), 24)).added).toEqual([nameOf(4)]);
  });

  /** Charges an account that has 1000 nano-USD 30 for each of these calls. */
  async function spend(ids: string[]): Promise<void> {
    const now = new Date();
    await database.query(
      `INSERT INTO accounts (id, email, username, password_hash, created_at) VALUES ($1, $2, $2, '', $3)`,
      [accountId, `${accountId}@example.com`, now],
    );
    await database.query('INSERT INTO balances (account_id) VALUES ($1)', [accountId]);
    const { ledger, close } = await openLedger(testDatabase.url);
    const nothing = { referenceId: null, requestId: null };
    await ledger.credit({
      ...{ accountId, type: 'deposit', amountNanoUsd: 1000n, description: 'a test', now, ...nothing },
    });
    for (const callId of ids) {
      const price = { operation: 'createMemory', price: 'memory_operation', priceVersion: '1' };
      await ledger.reserve({
        ...{ callId, accountId, keyId: null, amountNanoUsd: 30n, now, requestId: callId, ...price },
        leaseUntil: new Date(now.getTime() + 60_000),
      });
      const use = { status: 200, inputTokens: 0, outputTokens: 0, answer: null };
      await ledger.settle({ callId, accountId, outcome: 'settled', chargeNanoUsd: 30n, now, ...use });
    }
    await close();
  }

  async function rowsIn(partition: string): Promise<string> {
    const [row]: { rows: string }[] = await database.query(
      `SELECT string_agg((to_jsonb(call) - 'written_by')::text, ',') AS rows FROM ${partition} AS call`,
    );
    return row?.rows ?? '';
  }

  /** Sums are meant to outlive their rows, but the check after each test compares them. */
  async function putBack(rows: string): Promise<void> {
    await database.query('INSERT INTO calls SELECT * FROM jsonb_populate_recordset(null::calls, $1)', [
      `[${rows}]`,
    ]);
  }

  /** The middle of the month that is so many months after the first. */
  function monthAt(months: number): Date {
    return new Date(Date.UTC(madeAt.getUTCFullYear(), madeAt.getUTCMonth() + months, 15));
  }

  function nameOf(months: number): string {
    return `${monthAt(months).toISOString().slice(0, 7)}-01`;
  }

  function tableOf(months: number): string {
    return `calls_${nameOf(months).slice(0, 7).replace('-', '_')}`;
  }

  function idOf(months: number): string {
    return v7({ msecs: monthAt(months).getTime() });
  }

  /** An id as older versions took them from callers. It is later than every month, so that no partition is for it. */
  function foreignId(): string {
    return `f${v4().slice(1)}`;
  }

  function callOf(id: string): UnchargedCall {
    const times = {
      createdAt: new Date('2026-01-15T12:00:00Z'),
      completedAt: new Date('2026-01-15T12:00:00Z'),
    };
    const names = {
      requestId: id,
      clientRequestId: null,
      operation: 'createMemory',
      price: 'memory_operation',
      priceVersion: '1',
    };
    return { id, accountId, keyId: null, outcome: 'refused', status: 402, ...names, ...times };
  }

  async function partitionOf(id: string): Promise<string | undefined> {
    const rows: { name: string }[] = await database.query(
      'SELECT tableoid::regclass::text AS name FROM calls WHERE id = $1',
      [id],
    );
    return rows[0]?.name;
  }

  async function countOf(ids: string[]): Promise<number> {
    const rows: unknown[] = await database.query('SELECT FROM calls WHERE id = ANY($1)', [ids]);
    return rows.length;
  }
});
