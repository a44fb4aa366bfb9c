import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { AccountDatabases } from '../database/account-databases';
import { dataSourceOptions } from '../database/data-source';
import { newId } from '../runtime/ids';
import { UsageLog, UsageRowsLost, type UnchargedCall } from './usage-log';

const NOVEMBER = { start: new Date('2026-11-01T00:00:00.000Z'), end: new Date('2026-12-01T00:00:00.000Z') };

describe('UsageLog', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let usageLog: UsageLog;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = await new DataSource(dataSourceOptions(testDatabase.url, 4)).initialize();
    // A session in another zone must not move the days.
    await database.query(
      `ALTER DATABASE ${new URL(testDatabase.url).pathname.slice(1)} SET timezone = 'Pacific/Apia'`,
    );
    await database.destroy();
    await database.initialize();
    usageLog = new UsageLog(AccountDatabases.only(database));
  });

  afterAll(async () => {
    await database.destroy();
    await testDatabase.drop();
  });

  it('has zeros and no groups for an account without calls', async () => {
    const usage = await usageLog.usage({ accountId: newId(), period: NOVEMBER, by: ['operation', 'day'] });
    const none = { requests: 0, successful: 0, tokens: 0, costNanoUsd: 0n };
    expect(usage).toEqual({ totals: none, by: { operation: [], day: [] } });
    expect(await usageLog.totalsSince(newId(), [NOVEMBER.start, NOVEMBER.end])).toEqual([none, none]);
  });

  it('takes a period from its first moment up to but without its last', async () => {
    const accountId = newId();
    await insert(accountId, { createdAt: '2026-10-31T23:59:59.999Z', charged: 1 });
    await insert(accountId, { createdAt: '2026-11-01T00:00:00.000Z', charged: 10 });
    await insert(accountId, { createdAt: '2026-11-30T23:59:59.999Z', charged: 100 });
    await insert(accountId, { createdAt: '2026-12-01T00:00:00.000Z', charged: 1000 });
    const { totals } = await usageLog.usage({ accountId, period: NOVEMBER, by: [] });
    expect(totals).toMatchObject({ requests: 2, costNanoUsd: 110n });
  });

  it('counts refused calls, but only 2xx as successful', async () => {
    const accountId = newId();
    for (const status of [200, 201, 299, 300, 402, 500, null]) {
      await insert(accountId, { status });
    }
    const { totals } = await usageLog.usage({ accountId, period: NOVEMBER, by: [] });
    expect(totals).toMatchObject({ requests: 7, successful: 3 });
  });

  it('breaks a period down by UTC day in order, and by operation, price and key with the costliest first', async () => {
    const accountId = newId();
    const keyId = newId();
    const chat = { operation: 'createChatCompletion', price: 'chat_completion', charged: 50, tokens: 7 };
    await insert(accountId, { createdAt: '2026-11-02T00:00:00.000Z', keyId });
    await insert(accountId, { createdAt: '2026-11-01T23:59:59.999Z', ...chat });
    await insert(accountId, { createdAt: '2026-11-02T23:00:00.000Z', price: null, charged: 0 });
    await insert(newId(), { charged: 5000 });
    const { totals, by } = await usageLog.usage({
      accountId,
      period: NOVEMBER,
      by: ['day', 'operation', 'price', 'key'],
    });
    expect(totals).toEqual({ requests: 3, successful: 3, tokens: 7, costNanoUsd: 51n });
    const shortly = (groups: typeof by.day) =>
      groups.map(({ name, requests, costNanoUsd }) => [name, requests, costNanoUsd]);
    expect(shortly(by.day)).toEqual([
      ['2026-11-01', 1, 50n],
      ['2026-11-02', 2, 1n],
    ]);
    expect(shortly(by.operation)).toEqual([
      ['createChatCompletion', 1, 50n],
      ['createMemory', 2, 1n],
    ]);
    expect(shortly(by.price)).toEqual([
      ['chat_completion', 1, 50n],
      ['memory_operation', 1, 1n],
      [null, 1, 0n],
    ]);
    expect(shortly(by.key)).toEqual([
      [null, 2, 50n],
      [keyId, 1, 1n],
    ]);
  });

  it('keeps the newest days where there are more than 1,000', async () => {
    const accountId = newId();
    await database.query(
      `INSERT INTO calls (id, account_id, request_id, operation, outcome, created_at, completed_at)
       SELECT gen_random_uuid(), $1, 'a request', 'createMemory', 'settled', day, day
       FROM generate_series('2020-01-01T00:00Z'::timestamptz, '2022-09-27T00:00Z', '24 hours') AS day`,
      [accountId],
    );
    const period = { start: new Date('2020-01-01T00:00:00.000Z'), end: NOVEMBER.end };
    const { totals, by } = await usageLog.usage({ accountId, period, by: ['day'] });
    expect(totals.requests).toBe(1001);
    expect(by.day).toHaveLength(1000);
    expect([by.day.at(0)?.name, by.day.at(-1)?.name]).toEqual(['2020-01-02', '2022-09-27']);
  });

  it('sums one key apart from the others', async () => {
    const accountId = newId();
    const keyId = newId();
    await insert(accountId, { keyId, charged: 3 });
    await insert(accountId, { keyId: newId(), charged: 30 });
    await insert(accountId, { keyId: null, charged: 300 });
    const { totals, by } = await usageLog.usage({ accountId, period: NOVEMBER, by: ['operation'], keyId });
    expect(totals).toMatchObject({ requests: 1, costNanoUsd: 3n });
    expect(by.operation).toMatchObject([{ name: 'createMemory', requests: 1, costNanoUsd: 3n }]);
  });

  it('gives the totals since each time in the order that was asked for', async () => {
    const accountId = newId();
    await insert(accountId, { createdAt: '2026-11-01T00:00:00.000Z', charged: 1 });
    await insert(accountId, { createdAt: '2026-11-21T00:00:00.000Z', charged: 10 });
    const starts = ['2026-11-21T00:00:00.000Z', '1970-01-01T00:00:00.000Z', '2026-11-21T00:00:00.001Z'];
    const totals = await usageLog.totalsSince(
      accountId,
      starts.map((start) => new Date(start)),
    );
    expect(totals.map(({ requests, costNanoUsd }) => [requests, costNanoUsd])).toEqual([
      [1, 10n],
      [2, 11n],
      [0, 0n],
    ]);
  });

  it('finds no receipt for a text that is no request id of ours', async () => {
    expect(await usageLog.receipt(newId(), 'unknown')).toBeNull();
    expect(await usageLog.receipt(newId(), 'a NUL \0')).toBeNull();
  });

  it.each([
    ['back', '2026-11-15T11:00:00.000Z', 0],
    ['by two months', '2027-01-15T12:00:00.000Z', 2 ** 31 - 1],
  ])('writes calls during which the clock was set %s', async (_, completedAt, latencyMs) => {
    const accountId = newId();
    const call = { ...unchargedCall(accountId), completedAt: new Date(completedAt) };
    await usageLog.insertUncharged([call]);
    expect(await usageLog.receipt(accountId, call.requestId)).toMatchObject({ latencyMs });
  });

  it('writes the rows of every schema but those that fail, and tells how many these were', async () => {
    const schema = () => Object.create(database) as DataSource;
    const databases = new AccountDatabases([schema(), schema(), schema(), schema()], database);
    const accountIn = (number: number): string => {
      const id = databases.newAccountId();
      return databases.of(id) === databases.all[number] ? id : accountIn(number);
    };
    const calls = [0, 0, 1, 2, 2, 2, 3].map((number) => unchargedCall(accountIn(number)));
    // Postgres takes no text with a NUL, so the statements of the first and the third schema fail.
    const failing = calls.map((call, index) =>
      index === 1 || index === 4 ? { ...call, operation: '\0' } : call,
    );
    const failure: unknown = await new UsageLog(databases)
      .insertUncharged(failing)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageRowsLost);
    expect((failure as UsageRowsLost).count).toBe(5);
    const written: { id: string }[] = await database.query(
      'SELECT id FROM calls WHERE id = ANY($1::uuid[])',
      [calls.map(({ id }) => id)],
    );
    expect(written.map(({ id }) => id).sort()).toEqual([calls[2]?.id, calls[6]?.id].sort());
  });

  function unchargedCall(accountId: string): UnchargedCall {
    const at = new Date('2026-11-15T12:00:00.000Z');
    return {
      id: newId(),
      accountId,
      keyId: null,
      requestId: 'a request',
      clientRequestId: null,
      operation: 'createMemory',
      outcome: 'refused',
      status: 402,
      price: null,
      priceVersion: null,
      createdAt: at,
      completedAt: at,
    };
  }

  interface CallFields {
    createdAt?: string;
    keyId?: string | null;
    operation?: string;
    price?: string | null;
    status?: number | null;
    tokens?: number;
    charged?: number;
  }

  /** Writes a memory call in November that cost one nano-dollar, unless `fields` say something else. */
  async function insert(accountId: string, fields: CallFields): Promise<void> {
    const call = {
      createdAt: '2026-11-15T12:00:00.000Z',
      keyId: null,
      operation: 'createMemory',
      price: 'memory_operation',
      status: 200,
      tokens: 0,
      charged: 1,
      ...fields,
    };
    await database.query(
      `INSERT INTO calls (id, account_id, key_id, request_id, operation, outcome, status, price, input_tokens,
         charged_nano, created_at, completed_at)
       VALUES ($1, $2, $3, 'a request', $4, 'settled', $5, $6, $7, $8, $9, $9)`,
      [
        newId(),
        accountId,
        call.keyId,
        call.operation,
        call.status,
        call.price,
        call.tokens,
        call.charged,
        call.createdAt,
      ],
    );
  }
});
