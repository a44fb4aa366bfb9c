import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The tables that accounts store in, and how many bytes a row counts for: those of its texts, and 256 for the rest of it and
 * its place in indexes. A document counts for its parts as well, and a chunk 4 KiB for its vector. Of a claim counts the
 * answer that is kept.
 */
const COUNTED: Readonly<Record<string, string>> = {
  agents: `octet_length(name) + coalesce(octet_length(system_prompt), 0) + octet_length(memory_namespace)
    + octet_length(metadata::text) + 256`,
  memories:
    'octet_length(namespace) + octet_length(key) + octet_length(value) + octet_length(metadata::text) + 256',
  stories: `octet_length(title) + octet_length(content) + octet_length(acts::text) + octet_length(prompt)
    + octet_length(characters::text) + 256`,
  documents: `size_bytes::bigint + read_bytes + octet_length(name) + octet_length(title) + octet_length(metadata::text)
    + coalesce(octet_length(error), 0) + 256`,
  rag_documents: 'octet_length(content) + octet_length(metadata::text) + 256',
  rag_chunks: 'octet_length(content) + coalesce(octet_length(heading), 0) + 4096 + 256',
  search_items: `coalesce(octet_length(title), 0) + octet_length(content) + coalesce(octet_length(url), 0)
    + octet_length(metadata::text) + 256`,
  search_words: 'octet_length(word) + octet_length(shape) + 64',
  webhooks: 'octet_length(url) + coalesce(octet_length(description), 0) + 256',
  rooms: 'octet_length(name) + octet_length(state) + 256',
  room_events: 'octet_length(data) + coalesce(octet_length(idempotency_key), 0) + 256',
  tasks: `octet_length(parameters) + coalesce(octet_length(result), 0) + coalesce(octet_length(error::text), 0)
    + 256`,
  idempotency_claims: 'CASE WHEN answer IS NULL THEN 0 ELSE octet_length(answer) + 256 END',
};

const VACUUMED = [...Object.keys(COUNTED), 'document_bytes', 'document_texts', 'rag_vectors'];
/**
 * A table is vacuumed once 2 % of its rows and 200 more are dead, where Postgres waits for 20 %, and what it keeps of long
 * texts, in pieces of 2 KB, once 2 % and 1,000 are.
 */
const SETTINGS = `autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
  toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000`;

/**
 * How many bytes each account stores in all, in several rows that are added up (storage_add), and how many it may where that
 * does not follow from what it has paid. What was stored before is counted here: the tables stay locked until their
 * triggers are there. No foreign key: its check would lock the account in each settlement that keeps an answer.
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
    for (const [table, bytes] of Object.entries(COUNTED)) {
      await runner.query(
        `ALTER TABLE ${table} ADD COLUMN counted_bytes bigint NOT NULL GENERATED ALWAYS AS (${bytes}) STORED`,
      );
      await runner.query(`
        INSERT INTO stored_bytes (account_id, bytes)
        SELECT account_id, sum(counted_bytes) FROM ${table} GROUP BY account_id HAVING sum(counted_bytes) > 0`);
    }
    for (const table of VACUUMED) {
      await runner.query(`ALTER TABLE ${table} SET (${SETTINGS})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const names = SETTINGS.replaceAll(/ = [\d.]+/g, '');
    for (const table of VACUUMED) {
      await runner.query(`ALTER TABLE ${table} RESET (${names})`);
    }
    await runner.query(`
      DROP FUNCTION IF EXISTS storage_count CASCADE;
      DROP FUNCTION IF EXISTS storage_add;
      DROP FUNCTION IF EXISTS storage_left;
      DROP FUNCTION IF EXISTS storage_bound;
      DELETE FROM installed_functions WHERE name LIKE 'storage\\_%';`);
    for (const table of Object.keys(COUNTED)) {
      await runner.query(`ALTER TABLE ${table} DROP COLUMN counted_bytes`);
    }
    await runner.query('ALTER TABLE accounts DROP COLUMN storage_bytes_max; DROP TABLE stored_bytes;');
  }
}
