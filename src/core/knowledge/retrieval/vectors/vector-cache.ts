import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import { LRUCache } from 'lru-cache';
import { ServiceUnavailable } from '../../../errors/service-errors';
import { CachedVectors } from './cached-vectors';
import { VectorRowsRepository } from './vector-rows.repository';
import type { VectorSpace } from './vector-space';

/** Of an account with more chunks the newest are searched. */
const ROWS_MAX = 50_000;
/** How much more than the newest a space may hold before it is read anew. */
const ROOM_FOR_NEWS = 1.1;
const BATCH_BYTES_MAX = 1_048_576;
const BATCH_ROWS_MAX = 1_000;
/** How many spaces of many new vectors are read at once: while they are read they may be beyond the bound on memory. */
const LOADS_AT_ONCE_MAX = 2;
const LOADS_WAITING_MAX = 100;

/** The reads of a space: one that runs, and one that begins after it, which all share who came in the meantime. */
interface Reads {
  running: Promise<CachedVectors>;
  next: Promise<CachedVectors> | null;
}

/**
 * The vectors of the spaces that were searched last, within a bound for the whole process. Each search
 * reads what was written since the search before, so that what any replica has stored is found at once. What was deleted
 * stays until a search comes upon it.
 */
export class VectorCache {
  private readonly spaces: LRUCache<string, CachedVectors>;
  private readonly reads = new Map<string, Reads>();
  private readonly loads = bulkhead(LOADS_AT_ONCE_MAX, LOADS_WAITING_MAX);

  /** @param bytesMax how much memory the vectors of all spaces may take together */
  constructor(
    private readonly rows: VectorRowsRepository,
    private readonly bytesMax: number,
  ) {
    this.spaces = new LRUCache({ maxSize: bytesMax });
  }

  /**
   * The vectors of a space, with all that were committed before the call. Of more than 50,000, or than there is memory
   * for, the newest are there.
   * @throws ServiceUnavailable when too many accounts' vectors have to be read first
   */
  upToDate(space: VectorSpace): Promise<CachedVectors> {
    const key = JSON.stringify([space.accountId, space.model, space.dimensions]);
    const reads = this.reads.get(key);
    if (!reads) {
      return this.begin(key, space);
    }
    // The read that runs may have missed what was committed since it began.
    const begin = () => this.begin(key, space);
    reads.next ??= reads.running.then(begin, begin);
    return reads.next;
  }

  /** Lets go of a space, of which too much was deleted. */
  forget({ accountId, model, dimensions }: VectorSpace): void {
    this.spaces.delete(JSON.stringify([accountId, model, dimensions]));
  }

  private begin(key: string, space: VectorSpace): Promise<CachedVectors> {
    const running = this.read(key, space).finally(() => {
      if (this.reads.get(key)?.running === running && !this.reads.get(key)?.next) {
        this.reads.delete(key);
      }
    });
    this.reads.set(key, { running, next: null });
    return running;
  }

  private async read(key: string, space: VectorSpace): Promise<CachedVectors> {
    const perRow = CachedVectors.bytesOf(1, space.dimensions);
    const rowsMax = Math.min(ROWS_MAX, Math.floor(this.bytesMax / ROOM_FOR_NEWS / perRow));
    let vectors = this.spaces.get(key) ?? new CachedVectors(space.dimensions);
    let news = await this.rows.news(space, vectors.horizon, rowsMax);
    const unknown = () => news.chunkIds.filter((chunkId) => !vectors.has(chunkId));
    // Numbers of transactions fall when a backup is restored.
    if (news.horizon < vectors.horizon || vectors.count + unknown().length > rowsMax * ROOM_FOR_NEWS) {
      vectors = new CachedVectors(space.dimensions);
      news = await this.rows.news(space, 0n, rowsMax);
    }
    const added = unknown();
    const append = () => this.append(vectors, space, added);
    await (added.length <= BATCH_ROWS_MAX ? append() : this.inTurn(append));
    vectors.horizon = news.horizon;
    // The cache keeps the size of a value that is set again as it was.
    this.spaces.delete(key);
    this.spaces.set(key, vectors, { size: Math.max(1, Math.min(vectors.bytes, this.bytesMax)) });
    return vectors;
  }

  private async append(vectors: CachedVectors, space: VectorSpace, chunkIds: string[]): Promise<void> {
    const rowsMax = Math.max(1, Math.floor(BATCH_BYTES_MAX / 4 / space.dimensions));
    const size = Math.min(BATCH_ROWS_MAX, rowsMax);
    for (let start = 0; start < chunkIds.length; start += size) {
      const batch = chunkIds.slice(start, start + size);
      const found = await this.rows.vectors(space.accountId, batch);
      for (const chunkId of batch) {
        const bytes = found.get(chunkId);
        if (bytes) {
          vectors.append(chunkId, bytes);
        }
      }
    }
  }

  private async inTurn(load: () => Promise<void>): Promise<void> {
    try {
      await this.loads.execute(load);
    } catch (cause) {
      throw cause instanceof BulkheadRejectedError
        ? new ServiceUnavailable('Too many accounts begin to search at once.', 5, cause)
        : cause;
    }
  }
}
