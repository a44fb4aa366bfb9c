import { DataSource } from 'typeorm';
import { createEmptyDatabase, type TestDatabase } from '../../../test/support/api/test-database';
import { dataSourceOptions } from './data-source-options';
import { DatabaseCheck } from './database-check';

const ASKED = 50;

describe('DatabaseCheck', () => {
  let database: TestDatabase;
  let source: DataSource;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    source = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  it('writes to the disk at most once a second, however often it is asked', async () => {
    const startedMs = performance.now();
    let writes = 0;
    const { transaction } = source;
    source.transaction = ((...parameters: Parameters<typeof transaction>) => {
      writes += 1;
      return transaction.apply(source, parameters);
    }) as typeof transaction;
    const check = new DatabaseCheck(source);
    for (let asked = 0; asked < ASKED; asked += 1) {
      expect(await check.state()).toBe('ok');
    }
    expect(writes).toBeLessThanOrEqual(1 + (performance.now() - startedMs) / 1_000);
  });

  it('notices at once, between two writes, that the database is away', async () => {
    const check = new DatabaseCheck(source);
    expect(await check.state()).toBe('ok');
    await source.destroy();
    expect(await check.state()).toBe('away');
    await source.initialize();
    expect(await check.state()).toBe('ok');
  });
});
