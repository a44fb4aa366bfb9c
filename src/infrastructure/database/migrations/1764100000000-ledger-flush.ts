import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reservations without indexes: flushes read and write them many at a time. */
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

// The table holds the calls in flight and no more, so it is read as a whole; an index would be work for every call. Every
// call leaves one dead row here: the table stays small as long as they are taken away soon.
const RESERVATIONS = `
  DROP INDEX reservations_account, reservations_lease;
  ALTER TABLE reservations SET (autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0)`;
