import { DataSource } from 'typeorm';
import { createEmptyDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { statementsDuring } from '../../test/support/events/counted-statements';
import { ManualClock } from '../runtime/clock';
import { dataSourceOptions } from './data-source';
import { DatabaseCheck } from './database-health';

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
    const clock = new ManualClock();
    const check = new DatabaseCheck(source, clock);
    const questions = (afterMs: number) =>
      statementsDuring(source, /SELECT/, async () => {
        clock.advance(afterMs);
        const states = await Promise.all(Array.from({ length: ASKED }, () => check.state()));
        expect(new Set(states)).toEqual(new Set(['ok']));
      });
    expect([await questions(0), await questions(999), await questions(1)]).toEqual([1, 0, 1]);
    // A clock that was set back keeps no answer until it has caught up.
    expect([await questions(-3_600_000), await questions(999)]).toEqual([1, 0]);
  });

  it('is known to take no writes, as a standby does, from where it answers all the same', async () => {
    const clock = new ManualClock();
    const check = new DatabaseCheck(source, clock);
    const name = new URL(database.url).pathname.slice(1);
    const stateWhere = async (readOnly: 'on' | 'off') => {
      await source.query('SET default_transaction_read_only = off');
      await source.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${readOnly}`);
      await source.destroy();
      await source.initialize();
      clock.advance(1_000);
      return check.state();
    };
    expect(await stateWhere('on')).toBe('read-only');
    expect(await stateWhere('off')).toBe('ok');
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
