import { Injectable } from '@nestjs/common';
import type { CachedVectors } from './cached-vectors';
import { VectorCache } from './vector-cache';
import { VectorRowsRepository } from './vector-rows.repository';
import type { DocumentConditions, SimilarChunk, SimilarOrder, VectorSpace } from './vector-space';
import { VectorThreads } from './vector-threads';

/** Where no more chunks meet the conditions, these alone are scanned; otherwise one in ten found does at least. */
const CHOSEN_MAX = 5_000;
/** How many more than are wanted are found at first, because some may be deleted. */
const SPARE = 20;
const GROWTH = 4;
const JUDGED_AT_ONCE_MAX = 1_000;

/** Searches the vectors of a space by looking at each of them, in memory. */
@Injectable()
export class ExactScan {
  constructor(
    private readonly cache: VectorCache,
    private readonly rows: VectorRowsRepository,
    private readonly threads: VectorThreads,
  ) {}

  /**
   * The most similar chunks that meet the conditions, the most similar first. Chunks that were deleted before the call
   * are never among them, and those that were stored before it are looked at.
   * @throws ServiceUnavailable, OperationTimedOut when too much is to be done; the signal's reason
   */
  async nearest(space: VectorSpace, order: SimilarOrder): Promise<SimilarChunk[]> {
    const { collection, filter, limit, signal } = order;
    const isRestricted = collection !== null || filter !== null;
    const chosen = isRestricted ? await this.rows.meeting(space, order, CHOSEN_MAX) : null;
    const vectors = await untilAborted(this.cache.upToDate(space), signal);
    const judged = new Map<string, boolean>();
    for (let wanted = limit + SPARE; ; wanted *= GROWTH) {
      const scan = vectors.scan(order.vector, wanted, chosen);
      const { rows, similarities } = await this.threads.scan(scan, signal);
      const found = Array.from(rows, (row, index) => ({
        chunkId: vectors.chunkAt(row),
        similarity: similarities[index] as number,
      }));
      const meeting = await this.meeting(space, vectors, { found, judged, order });
      if (meeting.length >= limit || found.length < wanted) {
        return meeting.slice(0, limit);
      }
    }
  }

  /** Those found that are there and meet the conditions, as many as are wanted. Removes those that are not there. */
  private async meeting(
    space: VectorSpace,
    vectors: CachedVectors,
    { found, judged, order }: Judgement,
  ): Promise<SimilarChunk[]> {
    const meeting: SimilarChunk[] = [];
    for (let start = 0; start < found.length && meeting.length < order.limit; start += JUDGED_AT_ONCE_MAX) {
      const part = found.slice(start, start + JUDGED_AT_ONCE_MAX);
      await this.judge(space, vectors, {
        ids: part.map(({ chunkId }) => chunkId),
        judged,
        conditions: order,
      });
      meeting.push(...part.filter(({ chunkId }) => judged.get(chunkId)));
    }
    return meeting;
  }

  private async judge(
    space: VectorSpace,
    vectors: CachedVectors,
    {
      ids,
      judged,
      conditions,
    }: { ids: string[]; judged: Map<string, boolean>; conditions: DocumentConditions },
  ): Promise<void> {
    const unjudged = ids.filter((chunkId) => !judged.has(chunkId));
    if (unjudged.length === 0) {
      return;
    }
    const verdicts = await this.rows.judged(space.accountId, unjudged, conditions);
    for (const chunkId of unjudged) {
      const verdict = verdicts.get(chunkId);
      judged.set(chunkId, verdict ?? false);
      if (verdict === undefined) {
        vectors.remove(chunkId);
      }
    }
    if (vectors.isMostlyRemoved) {
      this.cache.forget(space);
    }
  }
}

interface Judgement {
  readonly found: readonly SimilarChunk[];
  /** Whether chunks meet the conditions, as far as that is known. */
  readonly judged: Map<string, boolean>;
  readonly order: SimilarOrder;
}

/** The result of work that others wait for too, and that goes on when the signal aborts. @throws the signal's reason */
async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const refuse = () => reject(signal.reason as Error);
    signal.addEventListener('abort', refuse, { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    done.abort();
  }
}
