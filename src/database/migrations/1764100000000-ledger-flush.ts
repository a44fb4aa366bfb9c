import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drops the indexes of reservations, because the ledger reads and writes many reservations at a time. */
export class LedgerFlush1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(RESERVATIONS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE reservations RESET (autovacuum_vacuum_threshold, autovacuum_vacuum_scale_factor);
      CREATE INDEX reservations_lease ON reservations (lease_until);
      CREATE INDEX reservations_account ON reservations (account_id)`);
  }
}

// The table holds only the calls in flight, so it is small enough to be read as a whole, and an index would only make
// each call more expensive. Each call leaves a dead row behind, so autovacuum has to come often to keep the table
// small.
const RESERVATIONS = `
  DROP INDEX reservations_account, reservations_lease;
  ALTER TABLE reservations SET (autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0)`;
