import { DatabaseError } from 'pg';
import { type DataSource, QueryFailedError } from 'typeorm';
import { DatabaseClock, goBy } from '../runtime/clock';
import { newId } from '../runtime/ids';
import { AccountDatabases } from './account-databases';
import { DatabaseUnreachable } from './driver-errors';
import type { SchemaPlaces } from './schema-places';

describe('work in each schema of accounts', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((name) => ({ name }) as unknown as DataSource) as [
    DataSource,
    DataSource,
    DataSource,
  ];
  const databases = new AccountDatabases([one, two, three], one);

  it('adds up what was done in all of them', async () => {
    const counts = new Map([one, two, three].map((schema, index) => [schema, index + 1]));
    expect(await databases.sumInEach((schema) => Promise.resolve(counts.get(schema) ?? 0))).toBe(6);
  });

  it.each([
    ['goes on where it failed in one', new Error('a table is locked'), [one, two, three]],
    ['ends where the database is away', new DatabaseUnreachable(new Error('refused')), [one, two]],
  ])('%s, and tells the error', async (_, failure, begun) => {
    const seen: DataSource[] = [];
    const work = (schema: DataSource) => {
      seen.push(schema);
      return schema === two ? Promise.reject(failure) : Promise.resolve();
    };
    await expect(databases.inEach(work)).rejects.toBe(failure);
    expect(seen).toEqual(begun);
  });
});

describe('a name that an account on another server has', () => {
  afterEach(() => goBy(null));

  const taken = new QueryFailedError(
    '',
    [],
    Object.assign(new DatabaseError('taken', 0, 'error'), { code: '23505', constraint: 'accounts_email' }),
  );

  it.each([
    ['stays, though the clock of this machine is an hour ahead, while it is made', 0, false],
    ['is free where there is no account after a minute', 61_000, true],
  ])('%s', async (_, ageMs, isFree) => {
    const clock = new DatabaseClock();
    clock.set(Date.now() - 3_600_000 - performance.now(), 0);
    goBy(clock);
    const holders = new Set([newId()]);
    clock.set(Date.now() - 3_600_000 + ageMs - performance.now(), 0);
    const query = (statement: string, [id]: string[]): Promise<unknown[]> => {
      if (statement.startsWith('INSERT')) {
        return holders.size > 0 ? Promise.reject(taken) : Promise.resolve([]);
      }
      if (statement.startsWith('DELETE')) {
        holders.delete(id ?? '');
      }
      return Promise.resolve(
        statement.includes('FROM accounts') ? [] : [...holders].map((holder) => ({ id: holder })),
      );
    };
    const database = { query } as unknown as DataSource;
    const databases = new AccountDatabases([database], database, {} as SchemaPlaces);
    const kept = databases.keepNames({ id: newId(), email: 'ada@example.com', username: 'ada' });
    await (isFree ? expect(kept).resolves.toBeUndefined() : expect(kept).rejects.toBe(taken));
  });
});
