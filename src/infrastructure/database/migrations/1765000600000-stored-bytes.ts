import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Those whose rows and texts callers replace and delete as they like. */
const VACUUMED = [
  'agents',
  'memories',
  'stories',
  'documents',
  'document_bytes',
  'document_texts',
  'rag_documents',
  'rag_chunks',
  'rag_vectors',
  'search_items',
  'search_words',
  'rooms',
  'room_events',
  'webhooks',
  'tasks',
  'idempotency_claims',
];
/**
 * A table is vacuumed once 2 % of its rows and 200 more are dead, where Postgres waits for 20 %, and what it keeps of long
 * texts, in pieces of 2 KB, once 2 % and 1,000 are.
 */
const SETTINGS = `autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
  toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000`;
const NAMES = SETTINGS.replaceAll(/ = [\d.]+/g, '');

/**
 * How many bytes each account stores in all, in several rows that are added up (storage_add), and how many it may where that
 * does not follow from what it has paid. What was stored before is counted when storage_count is installed. No
 * foreign key: its check would lock the account in each settlement that keeps an answer.
 */
export class StoredBytes1765000600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE stored_bytes (
        account_id uuid NOT NULL,
        slot bigint GENERATED ALWAYS AS IDENTITY,
        bytes bigint NOT NULL,
        PRIMARY KEY (account_id, slot)
      ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
      ALTER TABLE accounts ADD COLUMN storage_bytes_max bigint CHECK (storage_bytes_max >= 0);`);
    for (const table of VACUUMED) {
      await runner.query(`ALTER TABLE ${table} SET (${SETTINGS})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of VACUUMED) {
      await runner.query(`ALTER TABLE ${table} RESET (${NAMES})`);
    }
    await runner.query(`
      DROP FUNCTION IF EXISTS storage_count CASCADE;
      DROP FUNCTION IF EXISTS storage_add;
      DROP FUNCTION IF EXISTS storage_left;
      DROP FUNCTION IF EXISTS storage_bound;
      DELETE FROM installed_functions WHERE name LIKE 'storage\\_%';
      ALTER TABLE accounts DROP COLUMN storage_bytes_max;
      DROP TABLE stored_bytes;`);
  }
}
