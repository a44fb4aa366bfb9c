import type { DataSource } from 'typeorm';
import { AccountDatabases } from './account-databases';
import { DatabaseUnreachable } from './driver-errors';

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
