/**
 * The middle one of the numbers, or the mean of the middle two where their count is even.
 * @throws RangeError for none
 */
export function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) {
    throw new RangeError('an empty list has no median');
  }
  return (lower + upper) / 2;
}

/**
 * The nearest rank: the smallest number that at least `share` of all numbers do not exceed.
 * @throws RangeError for none
 */
export function percentile(numbers: number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) {
    throw new RangeError('an empty list has no percentile');
  }
  return value;
}
