import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['search_items', 'memories', 'rag_documents', 'rag_chunks', 'rag_vectors'];

/**
 * Has Postgres keep no statistics of how many rows each account has in the tables that are searched; without them it takes
 * every account for a large one. Those that it gathered before an account stored most of its rows would say that the account
 * has hardly any, and a plan for one row takes longer for thousands than a statement may. What was gathered already goes only
 * when the type of the column is set, though it is set to what it was; neither rows nor indexes are written again.
 */
export class AccountStatistics1765000300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(
        `ALTER TABLE ${table} ALTER COLUMN account_id TYPE uuid, ALTER COLUMN account_id SET STATISTICS 0`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN account_id SET STATISTICS -1`);
    }
  }
}
