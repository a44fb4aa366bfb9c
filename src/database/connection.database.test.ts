import { Client } from 'pg';
import { createEmptyDatabase } from '../../test/support/api/test-database';
import { until } from '../../test/support/until';
import { DeadlineClient } from './connection-pool';

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
