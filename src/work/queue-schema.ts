import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  runMigrations,
  SchemaMigrationRequiredError,
} from 'bullmq';
import { Client } from 'pg';
import { ANSWER_WITHIN_MS } from '../database/connection-pool';
import { PrimaryClient } from '../database/primary-client';

/** BullMQ's tables and functions have a schema of their own in the service's database. */
export const QUEUE_SCHEMA = 'bullmq';

/**
 * Brings BullMQ's part of the database to its newest schema; one query where it is there already. Replicas that start
 * together wait for each other: BullMQ takes an advisory lock and does everything in one transaction.
 * @throws SchemaVersionMismatchError of BullMQ when a later major version has changed the schema
 */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  const client = new PrimaryClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    application_name: 'queue',
  });
  await client.connect();
  try {
    if ((await versionOf(client)) < LATEST_SCHEMA_VERSION) {
      await runMigrations(client, QUEUE_SCHEMA);
    }
  } finally {
    await client.end();
  }
}

async function versionOf(client: Client): Promise<number> {
  try {
    return await assertSchemaCompatibility(client, QUEUE_SCHEMA);
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) {
      return 0;
    }
    throw error;
  }
}
