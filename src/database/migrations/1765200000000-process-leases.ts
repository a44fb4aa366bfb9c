import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Until when others wait for a process before they take a right away (`valid_until`), and whether it has missed that one was
 * taken (`must_reread`). Processes of builds before this write neither, and are not waited for.
 */
export class ProcessLeases1765200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE processes
        ADD COLUMN valid_until timestamptz NOT NULL DEFAULT '-infinity',
        ADD COLUMN must_reread boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE processes DROP COLUMN valid_until, DROP COLUMN must_reread');
  }
}
