import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What accounts were charged for calls up to a transaction, so that the books are checked by the calls after it alone. */
export class SummedCharges1766000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE carried_charges ADD COLUMN summed_nano bigint NOT NULL DEFAULT 0');
    await runner.query('ALTER TABLE roll_ups ADD COLUMN summed_to xid8');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE roll_ups DROP COLUMN summed_to');
    await runner.query('ALTER TABLE carried_charges DROP COLUMN summed_nano');
  }
}
