import { DataSource } from 'typeorm';
import { createEmptyDatabase, type TestDatabase } from '../../../test/support/api/test-database';
import { ManualClock } from '../clock/manual-clock';
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

  it('is looked at once a second at most, however often and by however many it is asked', async () => {
    let looks = 0;
    const { transaction } = source;
    source.transaction = ((...parameters: Parameters<typeof transaction>) => {
      looks += 1;
      return transaction.apply(source, parameters);
    }) as typeof transaction;
    const clock = new ManualClock();
    const check = new DatabaseCheck(source, clock);
    const asked = Array.from({ length: ASKED }, () => check.state());
    expect([new Set(await Promise.all(asked)), looks]).toEqual([new Set(['ok']), 1]);
    for (const [afterMs, counted] of [
      [999, 1],
      [1, 2],
      [-3_600_000, 3],
    ] as const) {
      clock.advance(afterMs);
      expect([await check.state(), looks]).toEqual(['ok', counted]);
    }
  });

  it('is known to be away within a second, and to be back within another', async () => {
    const clock = new ManualClock();
    const check = new DatabaseCheck(source, clock);
    expect(await check.state()).toBe('ok');
    await source.destroy();
    clock.advance(1_000);
    expect(await check.state()).toBe('away');
    await source.initialize();
    clock.advance(1_000);
    expect(await check.state()).toBe('ok');
  });
});
