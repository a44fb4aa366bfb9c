import { Injectable } from '@nestjs/common';
import { Clock } from '../runtime/clock';

export const LATENCY_WINDOW_SECONDS = 300;
const SLOT_MS = 30_000;
const SLOTS = (LATENCY_WINDOW_SECONDS * 1000) / SLOT_MS;
/** Each further bound is a tenth above the one before. */
const LEAST_MS = 0.1;
const GROWTH = 1.1;
/** The last bucket ends above ten minutes, and takes whatever is longer. */
const BUCKETS = 165;

export interface RecentLatency {
  kind: string;
  count: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}

/** One stretch of 30 seconds. */
interface Slot {
  /** Counted from 1970. */
  number: number;
  counts: Uint32Array;
}

/**
 * How long answers took in the last five minutes: for each kind a ring of ten histograms of constant size. The caller
 * bounds the kinds. Percentiles are exact to a tenth.
 */
@Injectable()
export class RecentLatencies {
  private readonly rings = new Map<string, (Slot | undefined)[]>();

  constructor(private readonly clock: Clock) {}

  /** @param kind must come from the code or the document, never from a caller */
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

  /** In the order in which kinds were first noted. */
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

/** In milliseconds to a hundredth. */
function percentileMs(counts: Float64Array, rank: number): number {
  let below = 0;
  const bucket = counts.findIndex((count) => (below += count) >= rank && count > 0);
  return Math.round(LEAST_MS * GROWTH ** bucket * 100) / 100;
}
