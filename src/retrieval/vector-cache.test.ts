import { CachedVectors, VectorCache } from './vector-cache';
import type { VectorRowsRepository } from './vectors.repository';

const DIMENSIONS = 1_000;
const BYTES_MAX = Math.ceil(CachedVectors.bytesOf(1_000, DIMENSIONS) * 1.1);

/** Rows of accounts, which count how many vectors were read. */
class CountedRows {
  reads = 0;
  private readonly rows = new Map<string, string[]>();

  add(accountId: string, count: number): void {
    const rows = this.rows.get(accountId) ?? [];
    this.rows.set(accountId, [
      ...rows,
      ...Array.from({ length: count }, (_, index) => `${rows.length + index}`),
    ]);
  }

  addedSince({ accountId }: { accountId: string }, since: bigint) {
    const rows = this.rows.get(accountId) ?? [];
    return Promise.resolve({ horizon: BigInt(rows.length), chunkIds: rows.slice(Number(since)) });
  }

  vectors(_: string, chunkIds: readonly string[]) {
    this.reads += chunkIds.length;
    return Promise.resolve(new Map(chunkIds.map((id) => [id, new Uint8Array(4 * DIMENSIONS)])));
  }
}

describe('VectorCache', () => {
  it('counts what a space has grown to since it was first read', async () => {
    const rows = new CountedRows();
    const cache = new VectorCache(rows as unknown as VectorRowsRepository, BYTES_MAX);
    const space = (accountId: string) => ({ accountId, model: 'embed-a', dimensions: DIMENSIONS });
    for (const accountId of ['a', 'b']) {
      rows.add(accountId, 1);
      await cache.upToDate(space(accountId));
    }
    for (const accountId of ['a', 'b']) {
      rows.add(accountId, 799);
      await cache.upToDate(space(accountId));
    }
    rows.reads = 0;
    await cache.upToDate(space('b'));
    expect(rows.reads).toBe(0);
    await cache.upToDate(space('a'));
    expect(rows.reads).toBe(800);
  });
});
