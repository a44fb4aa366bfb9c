import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { AccountDatabases } from '../database/account-databases';
import { dataSourceOptions } from '../database/data-source';
import { newId } from '../runtime/ids';
import { UsageDays, UsageLog, UsagePartitions } from './usage-log';
import { UsageOverTime } from './usage-series';

const HOUR_MS = 60 * 60 * 1000;

describe('the partitions of hours', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let databases: AccountDatabases;
  let partitions: UsagePartitions;
  const accountId = newId();

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    database = await new DataSource(dataSourceOptions(testDatabase.url, 9)).initialize();
    databases = AccountDatabases.only(database);
    partitions = new UsagePartitions(databases);
  });
  afterEach(async () => {
    await database.destroy();
    await testDatabase.drop();
  });

  it('are those of this month and the next three, and nothing is to be done in a new database', async () => {
    expect(await partitions.keepHours(new Date(), 90)).toEqual([]);
    await addHours([at(-20), at(0), at(3), at(4)]);
    expect(await placesOfHours()).toEqual([
      'usage_hours_first',
      'usage_hours_first',
      tableOf(3),
      'usage_hours_default',
    ]);
  });

  it('take over what waited in the default partition', async () => {
    await addHours([at(4), at(5), at(6)]);
    const changed = await partitions.keepHours(at(6), 90);
    expect(changed).toEqual([4, 5, 6, 7, 8, 9].map(tableOf));
    expect(await placesOfHours()).toEqual([4, 5, 6].map(tableOf));
    const [options]: { reloptions: string[] }[] = await database.query(
      'SELECT reloptions FROM pg_class WHERE oid = $1::regclass',
      [tableOf(5)],
    );
    expect(options?.reloptions).toEqual(['fillfactor=50']);
    // What a roll-up does with an hour that has a sum already.
    await expect(addHours([at(5)])).rejects.toThrow('duplicate key');
  });

  it('go once a run before has told readers so', async () => {
    await addHours([at(0), at(1), at(2)]);
    await new UsageDays(databases).addFinishedHours(at(5));
    expect(await partitions.keepHours(at(3), 40)).toEqual([4, 5, 6].map(tableOf));
    expect(await partitions.keepHours(at(4), 40)).toEqual([tableOf(1), 'usage_hours_first', tableOf(7)]);
    expect(await placesOfHours()).toEqual([tableOf(2)]);
  });

  it('stay as long as they have hours that are in the sum of no day', async () => {
    await addHours([at(0)]);
    await partitions.keepHours(at(3), 40);
    expect(await partitions.keepHours(at(3), 40)).toEqual([tableOf(1)]);
    await new UsageDays(databases).addFinishedHours(at(3));
    expect(await partitions.keepHours(at(3), 40)).toEqual(['usage_hours_first']);
  });

  it('leave the sums of days, which reports tell from then on', async () => {
    const usage = new UsageLog(databases);
    await addHours([at(0), at(1), at(2)]);
    await new UsageDays(databases).addFinishedHours(at(5));
    const since = [new Date(0), new Date(at(1).setUTCHours(0))];
    const totals = await usage.totalsSince(accountId, since);
    expect(totals.map(({ requests }) => requests)).toEqual([6, 4]);
    await partitions.keepHours(at(4), 40);
    const told = await series(at(-1), at(4));
    expect(await partitions.keepHours(at(4), 40)).toEqual([tableOf(1), tableOf(2), 'usage_hours_first']);
    expect(await usage.totalsSince(accountId, since)).toEqual(totals);
    expect(await series(at(-1), at(4))).toEqual(told);
  });

  it('are kept by one of many processes, and by none while a reader is in the way', async () => {
    const runs = await Promise.all(Array.from({ length: 8 }, () => partitions.keepHours(at(5), 9000)));
    expect([...new Set(runs.flat())].sort()).toEqual(runs.flat().sort());
    const reader = database.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT FROM usage_hours');
    await expect(partitions.keepHours(at(6), 9000)).rejects.toThrow('lock timeout');
    await reader.commitTransaction();
    await reader.release();
    expect(await partitions.keepHours(at(6), 9000)).toEqual([tableOf(9)]);
  });

  it('leave days of the ledger, a batch at a time and each once', async () => {
    const today = at(0).setUTCHours(0);
    const hour = (days: number, hours: number) => new Date(today - (days * 24 - hours) * HOUR_MS);
    const hours = [0, 5, 9].flatMap((passed) => [hour(200, passed), hour(199, passed), hour(0, passed)]);
    await database.query(
      `INSERT INTO ledger_hours (account_id, hour, type, entries, amount_nano, first_position, last_position)
       SELECT $1, hour, 'charge', 1, -7, place, place + 1
       FROM unnest($2::timestamptz[]) WITH ORDINALITY AS found (hour, place)`,
      [accountId, hours],
    );
    const fold = async (rowsMax: number) =>
      database.query<{ folded: number }[]>('SELECT ledger_hours_fold($1)::integer AS folded', [rowsMax]);
    expect(await fold(100)).toEqual([{ folded: 0 }]);
    await database.query('UPDATE roll_ups SET hours_from = $1', [hour(100, 0)]);
    expect([await fold(3), await fold(3), await fold(3)].flat()).toEqual(
      [3, 1, 0].map((folded) => ({ folded })),
    );
    const rows: { hour: Date }[] = await database.query(
      `SELECT hour, entries::integer, amount_nano::integer AS amount, first_position::integer AS first,
         last_position::integer AS last FROM ledger_hours ORDER BY hour`,
    );
    const ofDay = { entries: 3, amount: -21 };
    expect(rows.slice(0, 2)).toEqual([
      { hour: hour(200, 0), ...ofDay, first: 1, last: 8 },
      { hour: hour(199, 0), ...ofDay, first: 2, last: 9 },
    ]);
    expect(rows.slice(2).map((row) => row.hour)).toEqual([hour(0, 0), hour(0, 5), hour(0, 9)]);
  });

  it('take over the table of a database of before, and give it back', async () => {
    await addHours([at(0), at(1), at(4)]);
    while ((await placesOfHours()).includes('usage_hours_first')) {
      await database.undoLastMigration();
    }
    expect(await placesOfHours()).toEqual(Array.from({ length: 3 }, () => 'usage_hours'));
    await database.runMigrations();
    expect(await placesOfHours()).toEqual(Array.from({ length: 3 }, () => 'usage_hours_first'));
    await addHours([at(5), at(8)]);
    expect(await placesOfHours()).toEqual([
      ...Array.from({ length: 3 }, () => 'usage_hours_first'),
      tableOf(5),
      'usage_hours_default',
    ]);
  });

  async function addHours(hours: Date[]): Promise<void> {
    await database.query(
      `INSERT INTO usage_hours (account_id, hour, operation, requests, successful, tokens, cost_nano)
       SELECT $1, unnest($2::timestamptz[]), 'createMemory', 2, 1, 0, 30`,
      [accountId, hours],
    );
  }

  async function placesOfHours(): Promise<string[]> {
    const rows: { name: string }[] = await database.query(
      'SELECT tableoid::regclass::text AS name FROM usage_hours ORDER BY hour',
    );
    return rows.map(({ name }) => name);
  }

  async function series(start: Date, end: Date) {
    const question = {
      accountId,
      interval: 'day',
      timezone: 'Asia/Tokyo',
      keyId: null,
      operation: null,
    } as const;
    const dates = { start_date: start.toISOString(), end_date: end.toISOString() };
    const by = { key: false, operation: false, model: false };
    return new UsageOverTime(databases).series({ ...question, by }, dates, end);
  }

  /** Noon of a day in the middle of the month that is so many months after the present one. */
  function at(months: number): Date {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + Math.floor(months), 15, 12));
  }

  function tableOf(months: number): string {
    return `usage_hours_${at(months).toISOString().slice(0, 7).replace('-', '_')}`;
  }
});
