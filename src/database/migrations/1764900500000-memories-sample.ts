import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An index over account and words together, so that a search looks at no words of other accounts, and one of the sample, one
 * memory of 64, from which it learns how frequent a word is. They have no pending lists, which every search would have to
 * read. The last byte of an id is random.
 */
export class MemoriesSample1764900500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX memories_search;
      CREATE INDEX memories_search ON memories USING gin (account_id, search) WITH (fastupdate = off);
      CREATE INDEX memories_sample ON memories USING gin (account_id, search) WITH (fastupdate = off)
        WHERE get_byte(uuid_send(id), 15) < 4;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX memories_sample;
      DROP INDEX memories_search;
      CREATE INDEX memories_search ON memories USING gin (search);`);
  }
}
