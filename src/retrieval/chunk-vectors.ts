import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { OperationTimedOut, ServiceUnavailable } from '../errors/api-errors';
import { threadSource } from '../runtime/thread-source';
import { untilAborted } from '../runtime/concurrency-limit';
import { nearestRows, type NearestRows, type VectorScan } from './nearest-rows';
import { type CachedVectors, VectorCache } from './vector-cache';
import {
  PgVectorRepository,
  type SimilarChunk,
  type SimilarOrder,
  VectorRowsRepository,
  type VectorSpace,
} from './vectors.repository';

/** Such a scan takes a few milliseconds, less than starting a thread. */
const IN_PROCESS_NUMBERS_MAX = 2_000_000;
const DEADLINE_MS = 10_000;
const SCANS_WAITING_MAX = 64;
const IDLE_TIMEOUT_MS = 30_000;
const JOB: keyof typeof import('./nearest-rows') = 'nearestRows';

@Injectable()
export class VectorThreads implements OnApplicationShutdown {
  private readonly logger = new Logger('VectorThreads');
  private readonly pool = new Piscina({
    ...threadSource(join(__dirname, 'nearest-rows')),
    name: JOB,
    minThreads: 0,
    maxThreads: Math.min(4, Math.max(1, availableParallelism() - 1)),
    maxQueue: SCANS_WAITING_MAX,
    idleTimeout: IDLE_TIMEOUT_MS,
  });

  constructor() {
    // An idle thread's failure belongs to no scan; without a listener it would end the process.
    this.pool.on('error', (error: Error) => this.logger.error(error.message, error.stack));
  }

  /** @throws OperationTimedOut after ten seconds; ServiceUnavailable when too many scans wait; the signal's reason */
  async scan(scan: VectorScan, signal: AbortSignal): Promise<NearestRows> {
    signal.throwIfAborted();
    const rows = scan.only?.length ?? scan.segments.reduce((sum, segment) => sum + segment.rows, 0);
    if (rows * scan.query.length <= IN_PROCESS_NUMBERS_MAX) {
      return nearestRows(scan);
    }
    if (this.pool.queueSize >= SCANS_WAITING_MAX) {
      throw new ServiceUnavailable('Too many searches are waiting.', 1);
    }
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    try {
      return (await this.pool.run(scan, { signal: AbortSignal.any([signal, deadline]) })) as NearestRows;
    } catch (cause) {
      signal.throwIfAborted();
      if (deadline.aborted) {
        throw new OperationTimedOut(DEADLINE_MS);
      }
      throw cause;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }
}

/** Up to so many chunks that meet the conditions are scanned alone; of more, one in ten found meets them. */
const CHOSEN_MAX = 5_000;
/** How many more are found at first, because some may be deleted. */
const SPARE = 20;
const GROWTH = 4;
const CHECKED_AT_ONCE_MAX = 1_000;

export interface NearestOrder extends SimilarOrder {
  readonly model: string;
}

@Injectable()
export class ChunkVectors {
  constructor(
    private readonly rows: VectorRowsRepository,
    private readonly pgVector: PgVectorRepository,
    private readonly cache: VectorCache,
    private readonly threads: VectorThreads,
  ) {}

  /**
   * By cosine (-1 to 1), best first; nothing that was deleted before the call on any replica, and all that was stored.
   * Without pgvector only the newest 50,000 chunks, or what RETRIEVAL_VECTORS_MB_MAX holds, are searched.
   * @throws ServiceUnavailable, OperationTimedOut when too much is to be searched at once; the signal's reason
   */
  async nearest(accountId: string, order: NearestOrder): Promise<SimilarChunk[]> {
    const space = { accountId, model: order.model, dimensions: order.vector.length };
    return (await this.pgVector.nearest(space, order)) ?? this.scan(space, order);
  }

  private async scan(space: VectorSpace, order: SimilarOrder): Promise<SimilarChunk[]> {
    const { collection, filter, limit, signal } = order;
    const isRestricted = collection !== null || filter !== null;
    const chosen = isRestricted ? await this.rows.meeting(space, order, CHOSEN_MAX) : null;
    const vectors = await untilAborted(this.cache.upToDate(space), signal);
    const checked = new Map<string, boolean>();
    for (let wanted = limit + SPARE; ; wanted *= GROWTH) {
      const scan = vectors.scan(order.vector, wanted, chosen);
      const { rows, similarities } = await this.threads.scan(scan, signal);
      const found = Array.from(rows, (row, index) => ({
        chunkId: vectors.chunkAt(row),
        similarity: similarities[index] as number,
      }));
      const meeting = await this.meeting(space, vectors, found, checked, order);
      if (meeting.length >= limit || found.length < wanted) {
        return meeting.slice(0, limit);
      }
    }
  }

  private async meeting(
    space: VectorSpace,
    vectors: CachedVectors,
    found: readonly SimilarChunk[],
    checked: Map<string, boolean>,
    order: SimilarOrder,
  ): Promise<SimilarChunk[]> {
    const meeting: SimilarChunk[] = [];
    for (let start = 0; start < found.length && meeting.length < order.limit; start += CHECKED_AT_ONCE_MAX) {
      const part = found.slice(start, start + CHECKED_AT_ONCE_MAX);
      const unchecked = part.map(({ chunkId }) => chunkId).filter((chunkId) => !checked.has(chunkId));
      if (unchecked.length > 0) {
        const verdicts = await this.rows.checked(space.accountId, unchecked, order);
        for (const chunkId of unchecked) {
          checked.set(chunkId, verdicts.get(chunkId) ?? false);
        }
        unchecked.filter((chunkId) => !verdicts.has(chunkId)).forEach((chunkId) => vectors.remove(chunkId));
        if (vectors.isMostlyRemoved) {
          this.cache.forget(space);
        }
      }
      meeting.push(...part.filter(({ chunkId }) => checked.get(chunkId)));
    }
    return meeting;
  }
}
