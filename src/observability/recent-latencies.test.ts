import { ManualClock } from '../runtime/clock';
import { RecentLatencies } from './metrics';

describe('RecentLatencies', () => {
  let clock: ManualClock;
  let latencies: RecentLatencies;

  beforeEach(() => {
    clock = new ManualClock();
    latencies = new RecentLatencies(clock);
  });

  it('has nothing to tell before the first answer', () => {
    expect(latencies.all()).toEqual([]);
  });

  it('is exact to a tenth, from a tenth of a millisecond to ten minutes', () => {
    const [leastMs, longestMs] = [0.1, 600_000];
    for (let durationMs = leastMs; durationMs <= longestMs; durationMs *= 1.37) {
      const alone = new RecentLatencies(clock);
      alone.note('read', durationMs);
      const [{ p50Ms } = { p50Ms: 0 }] = alone.all();
      expect(p50Ms).toBeGreaterThanOrEqual(Math.floor(durationMs * 100) / 100);
      expect(p50Ms).toBeLessThanOrEqual(durationMs * 1.1 + 0.01);
    }
  });

  it.each([0, -1, NaN, 1e12, Infinity])('counts an impossible duration of %s too', (durationMs) => {
    latencies.note('read', durationMs);
    expect(latencies.all()).toMatchObject([{ kind: 'read', count: 1 }]);
  });

  it('tells percentiles of each kind by itself', () => {
    for (let ms = 1; ms <= 1000; ms += 1) {
      latencies.note('read', ms);
    }
    latencies.note('llm', 30_000);
    const [read, llm] = latencies.all();
    expect([read?.kind, read?.count, llm?.kind, llm?.count]).toEqual(['read', 1000, 'llm', 1]);
    for (const [told, exact] of [
      [read?.p50Ms, 500],
      [read?.p95Ms, 950],
      [read?.p99Ms, 990],
      [llm?.p50Ms, 30_000],
    ] as const) {
      expect(told).toBeGreaterThanOrEqual(exact);
      expect(told).toBeLessThanOrEqual(exact * 1.1);
    }
  });

  it('forgets what is older than five minutes, and nothing younger than four and a half', () => {
    latencies.note('read', 1);
    clock.advance(270_000);
    latencies.note('read', 1);
    expect(latencies.all()).toMatchObject([{ count: 2 }]);
    clock.advance(30_000);
    expect(latencies.all()).toMatchObject([{ count: 1 }]);
    clock.advance(300_000);
    expect(latencies.all()).toEqual([]);
  });

  it('uses a stretch of the ring again without what it counted before', () => {
    latencies.note('read', 1);
    clock.advance(300_000);
    latencies.note('read', 1000);
    expect(latencies.all()).toMatchObject([{ count: 1 }]);
  });
});
