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

/** Replicas wait for each other by BullMQ's advisory lock. @throws SchemaVersionMismatchError of a later major version */
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
