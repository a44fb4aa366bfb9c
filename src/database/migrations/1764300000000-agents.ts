import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The agents of accounts. An account has 1,000 agents at most, so one index is enough for every order of their list.
 */
export class Agents1764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE agents (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts,
        name text NOT NULL,
        system_prompt text,
        model text,
        temperature double precision,
        max_tokens integer,
        tools text[] NOT NULL,
        memory_enabled boolean NOT NULL,
        memory_namespace text NOT NULL,
        memory_top_k integer NOT NULL,
        metadata jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      );
      CREATE INDEX agents_account_time ON agents (account_id, created_at DESC, id DESC);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE agents');
  }
}
