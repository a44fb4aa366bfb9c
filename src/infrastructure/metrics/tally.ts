import type { Sample } from './family';

/** A Prometheus counter: a count that starts at 0 with the process and only grows. */
export class Tally {
  private total = 0;

  /** Adds to the count, 1 unless told otherwise. */
  add(count = 1): void {
    this.total += count;
  }

  /** The one line of the text form. */
  samples(): Sample[] {
    return [{ suffix: '', labels: {}, value: this.total }];
  }
}
