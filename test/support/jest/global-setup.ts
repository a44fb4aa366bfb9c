import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { databaseFunctions } from '../../../src/database-functions';
import { startEmbeddedPostgres } from '../../../src/infrastructure/database/embedded/embedded-postgres';
import { migrate } from '../../../src/infrastructure/database/migrate';
import { migrateQueue } from '../../../src/infrastructure/queue/queue-schema';

/** What the teardown finds in the process that both run in. */
export interface TestPostgresGlobal {
  stopTestPostgres?: () => Promise<void>;
}

/**
 * Compiles the service for the tests that run it as a process, and starts one Postgres for the whole run. TEST_POSTGRES_URL names its maintenance database; `app` is migrated once
 * and closed to connections, because a database that somebody uses cannot be copied.
 */
export default async function globalSetup(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: join(__dirname, '../../..'), stdio: 'inherit' });
  // Not made by mkdtemp, which would keep out the user that Postgres runs as when the tests run as root.
  const dataFolder = join(tmpdir(), `test-postgres-${randomBytes(6).toString('hex')}`);
  const server = await startEmbeddedPostgres({ dataFolder, log: () => undefined, durable: false });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(dataFolder, { recursive: true, force: true });
  };
  (globalThis as TestPostgresGlobal).stopTestPostgres = stop;

  const url = new URL(server.url);
  url.pathname = '/postgres';
  process.env.TEST_POSTGRES_URL = url.href;
  try {
    await migrate(server.url, databaseFunctions);
    await migrateQueue(server.url);
    await closeToConnections(url.href);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function closeToConnections(maintenanceUrl: string): Promise<void> {
  const client = new Client(maintenanceUrl);
  await client.connect();
  await client.query('ALTER DATABASE app ALLOW_CONNECTIONS false').finally(() => client.end());
}
