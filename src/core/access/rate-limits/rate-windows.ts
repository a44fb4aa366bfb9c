import type { RateTier } from './rate-tiers';

export type RateWindowName = 'second' | 'minute' | 'hour' | 'day';

/** At most `limit` calls in any span of `lengthMs`. Both are integers of at least 1. */
export interface RateWindow {
  /** The span for which the tier gives the rate. A fractional rate makes the window longer than this span. */
  readonly name: RateWindowName;
  readonly lengthMs: number;
  readonly limit: number;
}

const SPANS: readonly { name: RateWindowName; rate: keyof RateTier; spanMs: number }[] = [
  { name: 'second', rate: 'requestsPerSecond', spanMs: 1_000 },
  { name: 'minute', rate: 'requestsPerMinute', spanMs: 60_000 },
  { name: 'hour', rate: 'requestsPerHour', spanMs: 3_600_000 },
  { name: 'day', rate: 'requestsPerDay', spanMs: 86_400_000 },
];

const FACTOR_MAX = 60;

/**
 * The windows that a call must fit: one for each rate that the tier limits, the shortest first.
 *
 * A rate that is not an integer gets a longer window, in which its limit is an integer: 2.5 per second becomes 5 per
 * 2 seconds, and 0.2 per second becomes 1 per 5 seconds. If no factor up to 60 makes it an integer, the rate is
 * lowered a little, so that no more is allowed than was asked for: a rate below one becomes one call per 1/rate spans,
 * rounded up to the millisecond, and any other rate is rounded down.
 *
 * @param tier calls per second, minute, hour and day
 * @param multiplier the share of these rates that the rate class may use; null for no limit, and so no windows
 */
export function rateWindows(tier: RateTier, multiplier: number | null): readonly RateWindow[] {
  if (multiplier === null) {
    return [];
  }
  return SPANS.flatMap(({ name, rate, spanMs }) => {
    const tierRate = tier[rate];
    return tierRate === null ? [] : [windowOf(name, spanMs, withoutNoise(tierRate * multiplier))];
  });
}

function windowOf(name: RateWindowName, spanMs: number, rate: number): RateWindow {
  for (let factor = 1; factor <= FACTOR_MAX; factor += 1) {
    const limit = withoutNoise(rate * factor);
    if (Number.isInteger(limit)) {
      return { name, lengthMs: spanMs * factor, limit };
    }
  }
  return rate < 1
    ? { name, lengthMs: Math.ceil(spanMs / rate), limit: 1 }
    : { name, lengthMs: spanMs, limit: Math.floor(rate) };
}

/** Removes rounding errors such as 3 × 0.1 = 0.30000000000000004. Twelve digits are enough for every real rate. */
function withoutNoise(rate: number): number {
  return Number(rate.toPrecision(12));
}
