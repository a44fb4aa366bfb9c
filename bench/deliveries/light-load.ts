import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../statistics';
import { nowMs, type Receivers } from './arrivals';
import type { Backend, BenchWorker } from './workers';

/** One event at a time, so far apart that hardly two are under way at once. */
export const STEADY_PER_SECOND = 50;

/** How long events of a light load took from the commit of the fact to their arrival. */
export interface Steady {
  backend: Backend;
  events: number;
  p50Ms: number;
  p99Ms: number;
}

/** Writes single events at an even pace. One that takes longer to write than the pace allows delays the next ones. */
export async function loadLightly(
  worker: BenchWorker,
  receivers: Receivers,
  seconds: number,
): Promise<Steady> {
  await receivers.countAnew();
  const count = seconds * STEADY_PER_SECOND;
  const writtenAtMs = new Map<string, number>();
  const startMs = nowMs();
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(0, startMs + (index * 1000) / STEADY_PER_SECOND - nowMs()));
    const { ids, atMs } = await worker.write(1, index);
    ids.forEach((id) => writtenAtMs.set(id, atMs));
  }
  const { atMs } = await receivers.arrived(count);
  await worker.settled();
  const tookMs = [...writtenAtMs].map(([id, fromMs]) => (atMs.get(id) ?? Infinity) - fromMs);
  return {
    backend: worker.backend,
    events: count,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
  };
}
