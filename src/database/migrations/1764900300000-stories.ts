import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The stories of accounts. An account has 10,000 stories at most, so one index is enough for every order of their list. A
 * retry of a call finds by the other index the story that an earlier try has stored.
 */
export class Stories1764900300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE stories (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts,
        idempotency_id text,
        title text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('outline', 'prose')),
        content text NOT NULL,
        acts jsonb NOT NULL,
        prompt text NOT NULL,
        genre text,
        characters jsonb NOT NULL,
        length text NOT NULL,
        tone text,
        model text NOT NULL,
        finish_reason text,
        input_tokens integer NOT NULL,
        output_tokens integer NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX stories_account_time ON stories (account_id, created_at DESC, id DESC);
      CREATE INDEX stories_idempotency ON stories (idempotency_id) WHERE idempotency_id IS NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE stories');
  }
}
