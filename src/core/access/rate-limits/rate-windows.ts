import type { RateTier } from './rate-tiers';

export type RateWindowName = 'second' | 'minute' | 'hour' | 'day';

/** At most `limit` calls in any span of `lengthMs`. Both are integers of at least 1. */
export interface RateWindow {
  /** The span that the rate was given for; a fractional rate makes the window a multiple of it. */
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
 * The windows that a call must fit: one per rate that the tier limits, shortest first.
 *
 * A rate that is no integer is kept exact by a longer window: 2.5 per second are 5 per 2 seconds, 0.2 per
 * second is 1 per 5 seconds. Where no factor up to 60 does that, a rate below one becomes one call per its
 * inverse, rounded up to the millisecond, and any other is rounded down: never more than was asked for.
 *
 * @param tier calls per second, minute, hour and day
 * @param multiplier the rate class's share of the tier; null makes no windows
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

/** 3 × 0.1 is 0.30000000000000004 in binary; twelve digits keep every rate that anyone writes. */
function withoutNoise(rate: number): number {
  return Number(rate.toPrecision(12));
}
