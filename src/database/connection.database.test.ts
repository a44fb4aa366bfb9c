import { Client } from 'pg';
import { createEmptyDatabase } from '../../test/support/api/test-database';
import { until } from '../../test/support/until';
import { DeadlineClient, ReconnectingPool } from './connection-pool';

describe('DeadlineClient', () => {
  it('outlives a connection that the server ends while nobody listens to it', async () => {
    const database = await createEmptyDatabase();
    const client = new DeadlineClient({ connectionString: database.url });
    await client.connect();
    let hasEnded = false;
    client.once('end', () => (hasEnded = true));
    const other = new Client(database.url);
    await other.connect();
    await other.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await until('the connection has ended', () => hasEnded);
    await expect(client.query(...(['SELECT 1'] as never[]))).rejects.toThrow('not queryable');
    await other.end();
    await database.drop();
  });
});

describe('a ReconnectingPool that grows late', () => {
  it('serves a burst of short statements by one connection, and opens others for whoever waits long', async () => {
    const database = await createEmptyDatabase();
    const pool = new ReconnectingPool({
      connectionString: database.url,
      max: 3,
      growsAfterMs: 300,
      idleTimeoutMillis: 200,
    });
    const [opened, closed] = [jest.fn(), jest.fn()];
    pool.on('connect', opened).on('remove', closed);
    const run = (statement: string) => Promise.all(Array.from({ length: 6 }, () => pool.query(statement)));
    await run('SELECT 1');
    expect(opened).toHaveBeenCalledTimes(1);
    await run('SELECT pg_sleep(0.8)');
    expect(opened).toHaveBeenCalledTimes(3);
    await until('those that nobody uses are closed', () => closed.mock.calls.length === 3);
    await run('SELECT 1');
    expect(opened).toHaveBeenCalledTimes(4);
    await pool.end();
    await database.drop();
  });
});
