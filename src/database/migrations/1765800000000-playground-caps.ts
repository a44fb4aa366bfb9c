import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What keys of the playground may spend that were made for an account on its last such day of UTC: all their caps together. */
export class PlaygroundCaps1765800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE accounts ADD COLUMN playground_day date NOT NULL DEFAULT '-infinity',
      ADD COLUMN playground_nano bigint NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP COLUMN playground_day, DROP COLUMN playground_nano');
  }
}
