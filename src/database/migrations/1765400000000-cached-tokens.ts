import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many of a call's input tokens its upstream had kept from an earlier one, which may have a price of their own. */
export class CachedTokens1765400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls ADD COLUMN IF NOT EXISTS cached_tokens integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls DROP COLUMN cached_tokens');
  }
}
