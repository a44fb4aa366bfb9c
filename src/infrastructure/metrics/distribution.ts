import type { Sample } from './family';

/** A Prometheus histogram: how many observed values were at or below each bound, and the sum of all values. */
export class Distribution {
  /**
   * For each bound, how many values were at or below it but above the bound before. The last counts those above all.
   */
  private readonly counts: Float64Array;
  private sum = 0;

  /** @param bounds upper bounds, ascending, in the unit of the metric's name */
  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  /** Counts one value, which is in the unit of the bounds. */
  observe(value: number): void {
    let index = 0;
    while (value > (this.bounds[index] ?? Infinity)) {
      index += 1;
    }
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += value;
  }

  /** The lines of the text form. Each bucket includes the counts of the buckets below it. */
  samples(): Sample[] {
    let below = 0;
    const buckets = Array.from(this.counts, (count, index) => {
      below += count;
      return { suffix: '_bucket', labels: { le: String(this.bounds[index] ?? '+Inf') }, value: below };
    });
    const total = { suffix: '_count', labels: {}, value: below };
    return [...buckets, { suffix: '_sum', labels: {}, value: this.sum }, total];
  }
}
