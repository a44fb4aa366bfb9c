import { Injectable } from '@nestjs/common';
import { Clock } from '../runtime/clock';

/** How far back the latencies reach at most. */
export const LATENCY_WINDOW_SECONDS = 300;
const SLOT_MS = 30_000;
const SLOTS = (LATENCY_WINDOW_SECONDS * 1000) / SLOT_MS;
/** The upper bound of the first bucket; each further bound is a tenth above the one before. */
const LEAST_MS = 0.1;
const GROWTH = 1.1;
/** The last bucket ends above ten minutes, and takes whatever is longer. */
const BUCKETS = 165;

/** How long the answers of one kind took lately. */
export interface RecentLatency {
  kind: string;
  count: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}

/** The counts of one stretch of 30 seconds. */
interface Slot {
  /** The number of the stretch since 1970. */
  number: number;
  counts: Uint32Array;
}

/**
 * How long answers took in the last five minutes, by their kind. A ring of ten histograms for each kind: its size is the
 * same however many answers there are, and the number of kinds is the caller's to bound. Percentiles are exact to a tenth.
 */
@Injectable()
export class RecentLatencies {
  private readonly rings = new Map<string, (Slot | undefined)[]>();

  constructor(private readonly clock: Clock) {}

  /**
   * Notes one answer.
   * @param kind must come from the code or the document, never from a caller
   */
  note(kind: string, durationMs: number): void {
    let ring = this.rings.get(kind);
    if (!ring) {
      ring = [];
      this.rings.set(kind, ring);
    }
    const number = this.slotNumber();
    let slot = ring[number % SLOTS];
    if (slot?.number !== number) {
      slot = { number, counts: new Uint32Array(BUCKETS) };
      ring[number % SLOTS] = slot;
    }
    const bucket = bucketOf(durationMs);
    slot.counts[bucket] = (slot.counts[bucket] ?? 0) + 1;
  }

  /** The kinds of which there were answers in the last five minutes, in the order in which they were first noted. */
  all(): RecentLatency[] {
    const oldest = this.slotNumber() - SLOTS;
    return [...this.rings].flatMap(([kind, ring]) => {
      const counts = new Float64Array(BUCKETS);
      for (const slot of ring) {
        if (slot && slot.number > oldest) {
          slot.counts.forEach((count, bucket) => (counts[bucket] = (counts[bucket] ?? 0) + count));
        }
      }
      const count = counts.reduce((sum, some) => sum + some, 0);
      const at = (share: number) => percentileMs(counts, count * share);
      return count === 0 ? [] : [{ kind, count, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) }];
    });
  }

  private slotNumber(): number {
    return Math.floor(this.clock.now().getTime() / SLOT_MS);
  }
}

function bucketOf(durationMs: number): number {
  const bucket = Math.ceil(Math.log(durationMs / LEAST_MS) / Math.log(GROWTH));
  return bucket >= 0 ? Math.min(bucket, BUCKETS - 1) : 0;
}

/** The upper bound of the bucket in which the value of this rank lies, in milliseconds to a hundredth. */
function percentileMs(counts: Float64Array, rank: number): number {
  let below = 0;
  const bucket = counts.findIndex((count) => (below += count) >= rank && count > 0);
  return Math.round(LEAST_MS * GROWTH ** bucket * 100) / 100;
}
