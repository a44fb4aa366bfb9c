import type { SourcePrice } from './quote';

/** Two per cent of the median. */
const SPREAD_PARTS = 50n;

/** On how much the sources agree. */
export interface AgreedPrice {
  /** The median of all prices. */
  readonly rateNanoUsd: bigint;
  /** Those within 2 % of the median, by ascending price. */
  readonly near: readonly SourcePrice[];
  /** Those that are farther off. */
  readonly far: readonly SourcePrice[];
}

/**
 * The median of what sources say, if at least two of them bear it out: they are within 2 % of the median, and no farther than
 * that from one another. The latter is what makes two sources alone disagree: their median always lies between them.
 * An even number of prices has the mean of the middle two for its median, rounded down.
 *
 * @param prices one for each source, each above 0
 * @returns null where fewer than two agree
 */
export function agreedPrice(prices: readonly SourcePrice[]): AgreedPrice | null {
  const sorted = prices.toSorted((one, other) => (one.rateNanoUsd < other.rateNanoUsd ? -1 : 1));
  const median = medianOf(sorted.map(({ rateNanoUsd }) => rateNanoUsd));
  const isClose = (one: bigint, other: bigint) => distance(one, other) * SPREAD_PARTS <= median;
  const near = sorted.filter(({ rateNanoUsd }) => isClose(rateNanoUsd, median));
  const agree = near.some((price, index) => {
    const before = near[index - 1];
    return before !== undefined && isClose(before.rateNanoUsd, price.rateNanoUsd);
  });
  return agree ? { rateNanoUsd: median, near, far: sorted.filter((price) => !near.includes(price)) } : null;
}

function medianOf(sorted: readonly bigint[]): bigint {
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0n;
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0n;
  return (lower + upper) / 2n;
}

function distance(one: bigint, other: bigint): bigint {
  return one < other ? other - one : one - other;
}
