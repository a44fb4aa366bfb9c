import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The migrations that the baseline replaces, in their order. Databases of builds before it remember these names. */
export const REPLACED_MIGRATIONS: readonly string[] = [
  'AccountsKeysLedger1763700000000',
  'LedgerFunctions1763700100000',
  'Memories1763700200000',
  'LedgerFlush1764100000000',
  'UsageRollUps1764200000000',
  'CallsPartitions1764200100000',
  'Agents1764300000000',
  'InstalledFunctions1764400000000',
  'ReplacedSecrets1764500000000',
  'EmailForms1764500100000',
  'ClientRequestIds1764600000000',
  'EventsWebhooks1764700000000',
  'Sightings1764700100000',
  'Payments1764800000000',
  'Rag1764900000000',
  'RagVectors1764900100000',
  'SearchItems1764900200000',
  'Stories1764900300000',
  'Tasks1764900400000',
  'MemoriesSample1764900500000',
  'Documents1764900600000',
  'DocumentBounds1764900650000',
  'Rooms1764900700000',
  'AdminActions1764900710000',
  'Causes1765000100000',
  'RoomKeys1765000200000',
  'AccountStatistics1765000300000',
  'DocumentsInTurns1765000400000',
  'ForgottenRooms1765000500000',
  'StoredBytes1765000600000',
  'LoginAddresses1765000700000',
  'Processes1765000800000',
];

/**
 * Makes the schema in one step. A database that has the migrations which this one replaces has the same schema already, and
 * is left as it is: migrate() refuses one that has only some of them.
 */
export class Baseline1765100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const replaced = (await runner.query('SELECT FROM migrations WHERE name = ANY ($1) LIMIT 1', [
      REPLACED_MIGRATIONS,
    ])) as unknown[];
    if (replaced.length === 0) {
      await runner.query(await readFile(join(__dirname, 'baseline.sql'), 'utf8'));
    }
  }

  down(): Promise<void> {
    throw new Error('Without the baseline there is no schema: drop the database instead.');
  }
}
