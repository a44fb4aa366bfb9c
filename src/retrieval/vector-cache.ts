import { LRUCache } from 'lru-cache';
import { ServiceUnavailable } from '../errors/api-errors';
import { FairConcurrencyLimit } from '../runtime/concurrency-limit';
import type { VectorScan, VectorSegment } from './nearest-rows';
import { VectorRowsRepository, type VectorSpace } from './vectors.repository';

const NUMBER_BYTES = 4;
const SEGMENT_BYTES_MAX = 1_048_576;
const SEGMENT_ROWS_MIN = 16;
/** The measured size of an id in the list and in the map. */
const ID_BYTES = 150;

interface GrowingSegment extends VectorSegment {
  rows: number;
  readonly rowsMax: number;
}

/** Vectors in shared memory, which threads scan while more are appended: nothing moves, removed ones become NaN. */
export class CachedVectors {
  /** All vectors of earlier transactions are in the cache. */
  horizon = 0n;
  private readonly segments: GrowingSegment[] = [];
  private readonly ids: string[] = [];
  private readonly rows = new Map<string, number>();
  private removed = 0;

  constructor(private readonly dimensions: number) {}

  static bytesOf(rows: number, dimensions: number): number {
    return rows * (dimensions * NUMBER_BYTES + ID_BYTES);
  }

  /** Removed vectors included. */
  get count(): number {
    return this.ids.length;
  }

  get bytes(): number {
    const numbers = this.segments.reduce((sum, segment) => sum + segment.numbers.byteLength, 0);
    return numbers + this.ids.length * ID_BYTES;
  }

  get isMostlyRemoved(): boolean {
    return this.removed > 1_000 && this.removed > this.count / 2;
  }

  has(chunkId: string): boolean {
    return this.rows.has(chunkId);
  }

  /** @param bytes little-endian 32-bit floats of a chunk that is not in the cache */
  append(chunkId: string, bytes: Uint8Array): void {
    const segment = this.roomySegment();
    new Uint8Array(segment.numbers.buffer).set(bytes, segment.rows * this.dimensions * NUMBER_BYTES);
    segment.rows += 1;
    this.rows.set(chunkId, this.ids.length);
    this.ids.push(chunkId);
  }

  remove(chunkId: string): void {
    const row = this.rows.get(chunkId);
    if (row === undefined) {
      return;
    }
    this.rows.delete(chunkId);
    this.removed += 1;
    let first = 0;
    for (const { numbers, rows } of this.segments) {
      if (row >= first && row < first + rows) {
        numbers[(row - first) * this.dimensions] = NaN;
      }
      first += rows;
    }
  }

  scan(query: Float32Array, limit: number, chunkIds: readonly string[] | null): VectorScan {
    const rows = chunkIds?.flatMap((chunkId) => this.rows.get(chunkId) ?? []);
    return {
      segments: this.segments.map(({ numbers, rows: filled }) => ({ numbers, rows: filled })),
      query,
      limit,
      only: rows ? Uint32Array.from(rows).sort() : null,
    };
  }

  chunkAt(row: number): string {
    const chunkId = this.ids[row];
    if (chunkId === undefined) {
      throw new Error('a scan found a row that is not filled');
    }
    return chunkId;
  }

  private roomySegment(): GrowingSegment {
    const last = this.segments.at(-1);
    if (last && last.rows < last.rowsMax) {
      return last;
    }
    const bounded = Math.min(this.count, Math.floor(SEGMENT_BYTES_MAX / NUMBER_BYTES / this.dimensions));
    const rowsMax = Math.max(SEGMENT_ROWS_MIN, bounded);
    const shared = new SharedArrayBuffer(rowsMax * this.dimensions * NUMBER_BYTES);
    const segment = { numbers: new Float32Array(shared), rows: 0, rowsMax };
    this.segments.push(segment);
    return segment;
  }
}

const ROWS_MAX = 50_000;
/** The growth of a space after which it is read anew. */
const ROOM_FOR_GROWTH = 1.1;
const BATCH_BYTES_MAX = 1_048_576;
const BATCH_ROWS_MAX = 1_000;
/** Spaces being read may exceed the memory bound. */
const LOADS = { atOnceMax: 2, accountAtOnceMax: 2, waitingMax: 100 };

interface Reads {
  running: Promise<CachedVectors>;
  next: Promise<CachedVectors> | null;
}

/** Each search first reads what any replica has written since; deleted vectors stay until a search finds them. */
export class VectorCache {
  private readonly spaces: LRUCache<string, CachedVectors>;
  private readonly reads = new Map<string, Reads>();
  private readonly loads = new FairConcurrencyLimit(
    LOADS,
    () => new ServiceUnavailable('Too many accounts begin to search at once.', 5),
  );

  constructor(
    private readonly rows: VectorRowsRepository,
    private readonly bytesMax: number,
  ) {
    this.spaces = new LRUCache({ maxSize: bytesMax });
  }

  /** All committed before the call; of more than 50,000, or than fit, the newest. @throws ServiceUnavailable */
  upToDate(space: VectorSpace): Promise<CachedVectors> {
    const key = JSON.stringify([space.accountId, space.model, space.dimensions]);
    const reads = this.reads.get(key);
    if (!reads) {
      return this.begin(key, space);
    }
    // The running read may have missed later commits.
    const begin = () => this.begin(key, space);
    reads.next ??= reads.running.then(begin, begin);
    return reads.next;
  }

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
    const rowsMax = Math.min(ROWS_MAX, Math.floor(this.bytesMax / ROOM_FOR_GROWTH / perRow));
    let vectors = this.spaces.get(key) ?? new CachedVectors(space.dimensions);
    let found = await this.rows.addedSince(space, vectors.horizon, rowsMax);
    const unknown = () => found.chunkIds.filter((chunkId) => !vectors.has(chunkId));
    // Transaction numbers fall when a backup is restored.
    if (found.horizon < vectors.horizon || vectors.count + unknown().length > rowsMax * ROOM_FOR_GROWTH) {
      vectors = new CachedVectors(space.dimensions);
      found = await this.rows.addedSince(space, 0n, rowsMax);
    }
    const added = unknown();
    const append = () => this.append(vectors, space, added);
    await (added.length <= BATCH_ROWS_MAX ? append() : this.loads.within(space.accountId, append));
    vectors.horizon = found.horizon;
    // The cache would keep the old size of a value that is set again.
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
}
