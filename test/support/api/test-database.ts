import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { databaseFunctions, migrate } from '../../../src/database/migrate';
import { migrateQueue } from '../../../src/work/queue.module';

export interface TestDatabase {
  url: string;
  /** Removes the database and ends whoever is still connected to it. */
  drop(): Promise<void>;
}

/** A migrated database of its own for a test file, on the Postgres of the run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createCopyOf('app');
}

/** A database without any tables. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createCopyOf('template0');
}

/** Brings a database to the newest schema, where a test has undone migrations or begun with an empty one. */
export async function migrateTestDatabase({ url }: TestDatabase): Promise<void> {
  await migrate(url, databaseFunctions, Number(process.env.TEST_ACCOUNT_SCHEMAS ?? 1));
  await migrateQueue(url);
}

async function createCopyOf(template: string): Promise<TestDatabase> {
  const maintenanceUrl = process.env.TEST_POSTGRES_URL;
  if (maintenanceUrl === undefined) {
    throw new Error('TEST_POSTGRES_URL is set by the global setup of jest');
  }
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(maintenanceUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(maintenanceUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => execute(maintenanceUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
