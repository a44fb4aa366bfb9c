/** What one address may have begun in a turn of the event loop; a turn then takes a few milliseconds at most. */
const BEGUN_A_TURN_MAX = 8;

/**
 * Lets the addresses take turns where one has sent many requests at once. Node hands over all that have arrived on all
 * connections before it looks for new ones, so that everybody else would wait for all of one flooding address. What is
 * beyond an address's share waits for the next turn of the loop, in which the requests of others come between.
 */
export class AddressTurns {
  private readonly begun = new Map<string, number>();
  private waiting = new Map<string, (() => void)[]>();
  private isScheduled = false;

  /** @param begin is called now, or in one of the next turns of the event loop */
  take(address: string, begin: () => void): void {
    const begun = this.begun.get(address) ?? 0;
    this.schedule();
    if (begun < BEGUN_A_TURN_MAX) {
      this.begun.set(address, begun + 1);
      begin();
      return;
    }
    const queue = this.waiting.get(address);
    if (queue) {
      queue.push(begin);
    } else {
      this.waiting.set(address, [begin]);
    }
  }

  private schedule(): void {
    if (!this.isScheduled) {
      this.isScheduled = true;
      setImmediate(() => this.turn());
    }
  }

  private turn(): void {
    this.isScheduled = false;
    this.begun.clear();
    const { waiting } = this;
    this.waiting = new Map();
    for (const [address, queue] of waiting) {
      const now = queue.splice(0, BEGUN_A_TURN_MAX);
      if (queue.length > 0) {
        this.waiting.set(address, queue);
      }
      this.begun.set(address, now.length);
      now.forEach((begin) => begin());
    }
    if (waiting.size > 0) {
      this.schedule();
    }
  }
}
