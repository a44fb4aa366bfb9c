import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { eventLoopMsOf, processorMsOf } from '../../test/support/processor-time';
import { VectorWorld } from '../../test/support/rag/vector-world';
import { AccountDatabases } from '../database/account-databases';
import { dataSourceOptions } from '../database/data-source';
import { type ChunkVectors, VectorThreads } from './rag-retrieval';
import { nearestRows } from './nearest-rows';
import { CachedVectors } from './vector-cache';

describe('the exact scan', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let world: VectorWorld;
  let replica: ChunkVectors;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = await new DataSource(dataSourceOptions(testDatabase.url, 8)).initialize();
    world = new VectorWorld(AccountDatabases.only(database));
    replica = await world.replica();
  });
  afterAll(async () => {
    await world.close();
    await database.destroy();
    await testDatabase.drop();
  });

  it('misses nothing of a transaction that began first and commits last', async () => {
    const accountId = await world.account();
    const early = await world.store(accountId, { vectors: [[1, 0]] });
    expect(await world.found(replica, accountId, { vector: [1, 0] })).toEqual(early.chunkIds);
    let commit = (): void => undefined;
    const committed = new Promise<void>((resolve) => (commit = resolve));
    let isStored = (): void => undefined;
    const stored = new Promise<void>((resolve) => (isStored = resolve));
    const slow = world.store(accountId, {
      vectors: [[1, 0.1]],
      beforeCommit: () => (isStored(), committed),
    });
    await stored;
    const quick = await world.store(accountId, { vectors: [[1, 0.2]] });
    const before = [...early.chunkIds, ...quick.chunkIds];
    expect(await world.found(replica, accountId, { vector: [1, 0] })).toEqual(before);
    commit();
    const { chunkIds } = await slow;
    const after = [...early.chunkIds, ...chunkIds, ...quick.chunkIds];
    expect(await world.found(replica, accountId, { vector: [1, 0] })).toEqual(after);
    expect(await world.found(replica, accountId, { vector: [1, 0] })).toEqual(after);
  });

  it('searches the newest chunks of an account that has more than there is memory for', async () => {
    const accountId = await world.account();
    const small = await world.replica({ bytesMax: Math.ceil(CachedVectors.bytesOf(100, 2) * 1.1) });
    const oldest = await world.store(accountId, { vectors: [[1, 0]] });
    for (let stored = 0; stored < 200; stored += 20) {
      const [nearest] = await world.found(small, accountId, { vector: [1, 0], limit: 1 });
      expect(nearest === oldest.chunkIds[0]).toBe(stored <= 100);
      await world.store(accountId, { vectors: Array<number[]>(20).fill([0.5, 1]) });
    }
    const newest = await world.store(accountId, { vectors: [[0.9, 0.1]] });
    expect(await world.found(small, accountId, { vector: [1, 0], limit: 1 })).toEqual(newest.chunkIds);
  });

  it('searches more accounts than there is memory for, one after the other', async () => {
    const small = await world.replica({ bytesMax: Math.ceil(CachedVectors.bytesOf(100, 2) * 1.1) });
    const accounts = await Promise.all([1, 2, 3].map(() => world.account()));
    const stored = await Promise.all(
      accounts.map((id) => world.store(id, { vectors: Array<number[]>(60).fill([1, 1]) })),
    );
    for (const index of [0, 1, 2, 0, 1, 2]) {
      const found = await world.found(small, String(accounts[index]), { vector: [1, 0], limit: 60 });
      expect([...found].sort()).toEqual([...(stored[index]?.chunkIds ?? [])].sort());
    }
  });

  it('finds the chunks of a large collection behind the nearer ones of another', async () => {
    const accountId = await world.account();
    await world.store(accountId, { vectors: Array<number[]>(400).fill([1, 0]), collection: 'near' });
    const far = Array.from({ length: 5_100 }, (_, index) => [1, 1 + index]);
    const { chunkIds } = await world.store(accountId, { vectors: far, collection: 'far' });
    const query = { vector: [1, 0], limit: 3, collection: 'far' };
    expect(await world.found(replica, accountId, query)).toEqual(chunkIds.slice(0, 3));
  });

  it('lets go of vectors of which most were deleted', async () => {
    const accountId = await world.account();
    const many = await world.store(accountId, { vectors: Array<number[]>(1_200).fill([1, 0]) });
    const kept = await world.store(accountId, {
      vectors: [
        [0.5, 1],
        [0.4, 1],
      ],
    });
    expect(await world.found(replica, accountId, { vector: [1, 0] })).toHaveLength(10);
    await world.remove(accountId, [many]);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await world.found(replica, accountId, { vector: [1, 0] })).toEqual(kept.chunkIds);
    }
  });

  it('reads all anew after a backup was restored, in which the numbers of transactions are lower', async () => {
    const accountId = await world.account();
    await world.store(accountId, { vectors: [[1, 0]] });
    await database.query(`UPDATE rag_vectors SET written = '9000000000' WHERE account_id = $1`, [accountId]);
    expect(await world.found(replica, accountId, { vector: [1, 0] })).toHaveLength(1);
    await world.store(accountId, { vectors: [[1, 0]] });
    expect(await world.found(replica, accountId, { vector: [1, 0] })).toHaveLength(2);
  });

  it('scans many vectors beside the event loop, with the same result', async () => {
    const dimensions = 512;
    const vectors = new CachedVectors(dimensions);
    for (let row = 0; row < 12_000; row += 1) {
      const vector = Float32Array.from({ length: dimensions }, (_, index) => Math.sin(row * 7 + index));
      vectors.append(String(row), new Uint8Array(vector.buffer));
    }
    const scan = vectors.scan(Float32Array.from({ length: dimensions }, Math.cos), 100, null);
    const threads = new VectorThreads();
    const { signal } = new AbortController();
    await threads.scan(scan, signal);
    const inProcess = nearestRows(scan);
    const scanMs = await processorMsOf(() => nearestRows(scan));
    let inThread = inProcess;
    const loopMs = await eventLoopMsOf(async () => {
      inThread = await threads.scan(scan, signal);
    });
    expect([...inThread.rows]).toEqual([...inProcess.rows]);
    expect(loopMs).toBeLessThan(scanMs);
    await threads.onApplicationShutdown();
  });
});
