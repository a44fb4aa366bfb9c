import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { createEmptyDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { dataSourceOptions } from './data-source';
import { isDatabaseAway, NoPrimary } from './driver-errors';
import { quietPort } from './embedded/server';
import { PrimaryClient } from './primary-client';

describe('an address of several servers', () => {
  let own: TestDatabase;
  let admin: Client;
  beforeAll(async () => {
    own = await createEmptyDatabase();
    admin = new Client(own.url);
    await admin.connect();
  });
  afterEach(() => setReadOnly('off'));
  afterAll(async () => {
    await admin.end();
    await own.drop();
  });

  /** As a standby is for new sessions; no other server is needed for that. */
  async function setReadOnly(value: 'on' | 'off'): Promise<void> {
    const { pathname } = new URL(own.url);
    // The session's own would keep it from being taken back.
    await admin.query('SET default_transaction_read_only = off');
    await admin.query(`ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = ${value}`);
  }

  /** The server, behind one that is away. */
  async function address(): Promise<string> {
    const { host } = new URL(own.url);
    return own.url.replace(host, `127.0.0.1:${await quietPort()},${host}`);
  }

  async function withPool(work: (database: DataSource) => Promise<void>): Promise<void> {
    const database = await new DataSource(dataSourceOptions(await address(), 2)).initialize();
    await work(database).finally(() => database.destroy());
  }

  /** What a connection has asked, of a client that has only connected. */
  async function firstStatement(connectionString: string): Promise<string | undefined> {
    const client = new PrimaryClient({ connectionString, application_name: 'looked at' });
    await client.connect();
    const { rows } = await admin.query<{ query: string }>(
      "SELECT query FROM pg_stat_activity WHERE application_name = 'looked at'",
    );
    await client.end();
    return rows[0]?.query;
  }

  it('leads to the one that takes writes', () =>
    withPool(async (database) => {
      expect(await database.query('CREATE TABLE written (id integer)')).toEqual([]);
    }));

  it('costs a question that a single server is not asked', async () => {
    expect(await firstStatement(await address())).toBe('SHOW transaction_read_only');
    expect(await firstStatement(own.url)).toBe('');
  });

  it('leads nowhere while none takes writes, and says why of each', async () => {
    await setReadOnly('on');
    const connectionString = await address();
    const connected = new PrimaryClient({ connectionString }).connect();
    const error: unknown = await connected.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NoPrimary);
    expect(isDatabaseAway(error)).toBe(true);
    expect(String(error)).toMatch(/:\d+: connect ECONNREFUSED.*; .*:\d+: .*it takes no writes/);
  });

  it('has whoever needs a connection wait until one takes writes again', async () => {
    await setReadOnly('on');
    const waiting = withPool(async (database) => {
      expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
    await setReadOnly('off');
    await waiting;
  });

  it('drops a connection whose server takes no writes any more', () =>
    withPool(async (database) => {
      const runner = database.createQueryRunner();
      await runner.query('SET default_transaction_read_only = on');
      const refused: unknown = await runner.query('CREATE TABLE refused ()').catch((error: unknown) => error);
      expect(isDatabaseAway(refused)).toBe(true);
      await runner.release();
      await database.query('CREATE TABLE taken ()');
    }));
});
