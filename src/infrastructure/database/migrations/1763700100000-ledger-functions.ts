import type { MigrationInterface } from 'typeorm';

/**
 * Nothing: the functions of the ledger are files of SQL, which migrate() installs. Databases remember that this migration
 * was run, and one that is to be undone has to be known.
 */
export class LedgerFunctions1763700100000 implements MigrationInterface {
  async up(): Promise<void> {}

  async down(): Promise<void> {}
}
