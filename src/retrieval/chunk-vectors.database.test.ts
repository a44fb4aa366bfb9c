import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { createVectorDatabase } from '../../test/support/api/vector-database';
import { VectorWorld, type StoredDocument } from '../../test/support/rag/vector-world';
import { AccountDatabases } from '../database/account-databases';
import { dataSourceOptions } from '../database/data-source';
import type { ChunkVectors } from './rag-retrieval';

const databases: [string, () => Promise<TestDatabase>, number][] = [
  ['the exact scan', createTestDatabase, 8],
  ['pgvector', createVectorDatabase, 1],
];

describe.each(databases)('ChunkVectors with %s', (_, createDatabase, poolSizeMax) => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let world: VectorWorld;
  let one: ChunkVectors;
  let other: ChunkVectors;

  beforeAll(async () => {
    testDatabase = await createDatabase();
    database = await new DataSource(dataSourceOptions(testDatabase.url, poolSizeMax)).initialize();
    world = new VectorWorld(AccountDatabases.only(database));
    one = await world.replica();
    other = await world.replica();
  });
  afterAll(async () => {
    await world.close();
    await database.destroy();
    await testDatabase.drop();
  });

  it('finds what a comparison with every vector finds, on every replica, amid stores and deletions', async () => {
    const number = fc.integer({ min: -3, max: 3 });
    const vector = fc
      .array(number, { minLength: 3, maxLength: 3 })
      .filter((each) => each.some((x) => x !== 0));
    const document = fc.record({
      collection: fc.constantFrom('a', 'b'),
      metadata: fc.record({ kind: fc.constantFrom('x', 'y'), year: fc.constantFrom(1, 2) }),
      vectors: fc.array(vector, { minLength: 1, maxLength: 12 }),
    });
    const query = fc.record({
      vector,
      limit: fc.integer({ min: 1, max: 8 }),
      collection: fc.option(fc.constantFrom('a', 'b', 'c')),
      filter: fc.option(fc.constantFrom({ kind: 'x' }, { kind: 'y', year: 2 }, {})),
      isAtOther: fc.boolean(),
    });
    const step = fc.oneof({ weight: 2, arbitrary: document }, fc.nat({ max: 9 }), {
      weight: 3,
      arbitrary: query,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const accountId = await world.account();
        const stored: StoredDocument[] = [];
        for (const each of steps) {
          if (typeof each === 'number') {
            await world.remove(accountId, stored.splice(each, 1));
          } else if ('vectors' in each) {
            stored.push(await world.store(accountId, each));
          } else {
            const found = await world.similarities(each.isAtOther ? other : one, accountId, each);
            expect(found).toEqual(
              world.expected(stored, each).map((share) => expect.closeTo(share, 5) as number),
            );
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('finds nothing where there is nothing, of another account, another model or other dimensions', async () => {
    const [accountId, stranger] = [await world.account(), await world.account()];
    expect(await world.found(one, accountId, { vector: [1, 0] })).toEqual([]);
    await world.store(accountId, { vectors: [[1, 0]] });
    await world.store(accountId, { vectors: [[1, 0, 0]] });
    await world.store(accountId, { vectors: [[1, 0]], model: 'embed-b' });
    expect(await world.found(one, stranger, { vector: [1, 0] })).toEqual([]);
    expect(await world.found(one, accountId, { vector: [1, 0] })).toHaveLength(1);
    expect(await world.found(one, accountId, { vector: [1, 0, 0] })).toHaveLength(1);
    expect(await world.found(one, accountId, { vector: [1, 0], model: 'embed-c' })).toEqual([]);
  });

  it('never finds a deleted chunk again, however many were deleted', async () => {
    const accountId = await world.account();
    const near = await world.store(accountId, { vectors: Array<number[]>(300).fill([1, 0.1]) });
    const far = await world.store(accountId, { vectors: [[0.1, 1]] });
    expect((await world.found(one, accountId, { vector: [1, 0], limit: 3 }))[0]).not.toBe(far.chunkIds[0]);
    await world.remove(accountId, [near]);
    expect(await world.found(one, accountId, { vector: [1, 0], limit: 3 })).toEqual(far.chunkIds);
    expect(await world.found(other, accountId, { vector: [1, 0], limit: 3 })).toEqual(far.chunkIds);
  });

  it('stores nothing when the transaction is taken back', async () => {
    const accountId = await world.account();
    const beforeCommit = () => Promise.reject(new Error('taken back'));
    await expect(world.store(accountId, { vectors: [[1, 0]], beforeCommit })).rejects.toThrow('taken back');
    expect(await world.found(one, accountId, { vector: [1, 0] })).toEqual([]);
  });

  it('searches vectors of 4,096 numbers', async () => {
    const accountId = await world.account();
    const vectors = [0, 1, 2].map((place) =>
      Array.from({ length: 4096 }, (_, index) => Number(index === place)),
    );
    const { chunkIds } = await world.store(accountId, { vectors });
    expect((await world.found(one, accountId, { vector: vectors[1] ?? [], limit: 1 }))[0]).toBe(chunkIds[1]);
  });

  it('gives up when the caller has gone away', async () => {
    const accountId = await world.account();
    await world.store(accountId, { vectors: [[1, 0]] });
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(world.found(await world.replica(), accountId, { vector: [1, 0], signal })).rejects.toThrow(
      'gone',
    );
  });
});
