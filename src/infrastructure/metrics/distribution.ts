import type { Sample } from './family';

/** How many observed values lay below each bound, and their sum: a Prometheus histogram. */
export class Distribution {
  /** Per bound those that are above the bound before; the last counts what is above them all. */
  private readonly counts: Float64Array;
  private sum = 0;

  /** @param bounds upper bounds, ascending, in the unit of the metric's name */
  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  /** `value` in the unit of the bounds. */
  observe(value: number): void {
    let index = 0;
    while (value > (this.bounds[index] ?? Infinity)) {
      index += 1;
    }
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += value;
  }

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
