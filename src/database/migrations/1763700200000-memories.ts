import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The memories of accounts, with indexes to find them by key, by metadata and by full text. */
export class Memories1763700200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE memories (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts,
        namespace text NOT NULL,
        key text NOT NULL,
        value text NOT NULL,
        metadata jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        expires_at timestamptz,
        search tsvector NOT NULL DEFAULT '',
        UNIQUE (account_id, namespace, key)
      );
      CREATE INDEX memories_account_time ON memories (account_id, created_at DESC, id DESC);
      CREATE INDEX memories_search ON memories USING gin (search);
      CREATE INDEX memories_metadata ON memories USING gin (metadata jsonb_path_ops);
      CREATE INDEX memories_expiry ON memories (expires_at) WHERE expires_at IS NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE memories');
  }
}
