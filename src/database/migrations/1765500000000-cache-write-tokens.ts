import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many of a call's input tokens its upstream kept for later ones, which may have a price of their own. */
export class CacheWriteTokens1765500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE calls ADD COLUMN IF NOT EXISTS cache_write_tokens integer NOT NULL DEFAULT 0',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls DROP COLUMN cache_write_tokens');
  }
}
