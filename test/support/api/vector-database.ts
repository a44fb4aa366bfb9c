import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { migrateTestDatabase, type TestDatabase } from './test-database';

/**
 * A migrated database on a Postgres that has pgvector, which the Postgres of the run lacks. It runs one statement at a
 * time for all its connections, in one session: open a pool of one.
 */
export async function createVectorDatabase(): Promise<TestDatabase> {
  const server = fork(join(__dirname, 'vector-process.cjs'));
  const [address] = (await once(server, 'message')) as [string];
  const database = {
    url: `postgres://postgres@${address}/postgres`,
    drop: async () => {
      server.disconnect();
      await once(server, 'exit');
    },
  };
  await migrateTestDatabase(database);
  return database;
}
