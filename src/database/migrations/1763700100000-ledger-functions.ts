import type { MigrationInterface } from 'typeorm';

/**
 * Does nothing, because migrate() installs the functions of the ledger from files of SQL. It stays in the list,
 * because databases remember that it was run, and TypeORM can undo only migrations that it knows.
 */
export class LedgerFunctions1763700100000 implements MigrationInterface {
  async up(): Promise<void> {}

  async down(): Promise<void> {}
}
