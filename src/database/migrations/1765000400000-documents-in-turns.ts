import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * By this index the relay finds the accounts that have waiting documents, and the oldest of each, without reading the others:
 * those that one account has by thousands kept it from ever seeing the later ones of another.
 */
export class DocumentsInTurns1765000400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX documents_waiting;
      CREATE INDEX documents_waiting ON documents (account_id, updated_at, id) WHERE stage = 'waiting';`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX documents_waiting;
      CREATE INDEX documents_waiting ON documents (updated_at) WHERE stage = 'waiting';`);
  }
}
