import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What migrate() remembers of the functions that it installs. Undoing it forgets them all, so whoever undoes an earlier
 * migration, and its functions with it, gets them anew from the next migrate().
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
