import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The table in which migrate() records the functions that it has installed. Undoing this migration drops the record.
 * So after undoing an earlier migration, which drops functions as well, the next migrate() installs all of them again.
 */
export class InstalledFunctions1764400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE installed_functions (
        name text PRIMARY KEY,
        checksum text NOT NULL,
        installed_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE installed_functions');
  }
}
