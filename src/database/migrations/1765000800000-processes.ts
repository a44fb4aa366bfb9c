import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The processes of the service, with when each was heard of last by the database's clock, and of each reservation the
 * process whose call it is. A process that does not know of this writes null, and its reservations end with their leases.
 */
export class Processes1765000800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE processes (
        id uuid PRIMARY KEY,
        heartbeat_at timestamptz NOT NULL
      );
      ALTER TABLE reservations ADD COLUMN process_id uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE reservations DROP COLUMN process_id; DROP TABLE processes');
  }
}
