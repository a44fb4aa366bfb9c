import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { dataSourceOptions } from '../database/data-source';
import { newId } from '../runtime/ids';
import { ENTRIES_AND_FREE_CALLS, LedgerQuestion } from './period-sums';

describe('a page of transactions', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = await new DataSource(dataSourceOptions(testDatabase.url, 2)).initialize();
  });
  afterAll(async () => {
    await database.destroy();
    await testDatabase.drop();
  });

  const period = { start: new Date('2026-01-05T07:30:00.000Z'), end: null };
  it.each([
    ['all', { start: null, end: null }],
    ['a period', period],
  ])('is read in the order of positions, and not sorted out of all entries: of %s', async (_, asked) => {
    const question = new LedgerQuestion({ accountId: newId(), period: asked });
    const page = `SELECT id FROM ${ENTRIES_AND_FREE_CALLS} WHERE ${question.inPeriod()} ORDER BY position DESC LIMIT 50`;
    const plan = await database.transaction(async (manager) => {
      // The tables of a test are so small that Postgres would rather read all of them.
      await manager.query('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
      return manager.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${page}`, question.values);
    });
    const nodes = plan.map((row) => row['QUERY PLAN'].trim());
    expect(nodes.filter((node) => node.includes('Merge Append'))).not.toEqual([]);
    expect(nodes.filter((node) => /^(-> +)?(Incremental )?Sort +\(cost/.test(node))).toEqual([]);
  });
});
