import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which processes work off what waits: there may be so much more in hand, the more of them there are. */
export class WorkingProcesses1765900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE processes ADD COLUMN works boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE processes DROP COLUMN works');
  }
}
