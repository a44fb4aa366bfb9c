/** A read that takes longer is not waited for; it may still end, and then shows in the next scrape. */
const WAITED_MS_MAX = 1_000;
const FRESH_MS = 5_000;

/** Figures that have to be asked for, of the database or of the queue, whenever somebody reads the metrics. */
export interface Polled<Figures> {
  /** As they were read last. */
  readonly latest: Figures;
}

/**
 * Reads figures for scrapes in a way in which scrapes can do no harm: one read at a time, none twice within five seconds
 * however often somebody scrapes, and no scrape waits longer than a second for all of them. A read that fails leaves the
 * figures as they were, and is counted.
 */
export class PolledFigures {
  private readonly sources: (() => Promise<void>)[] = [];
  private readAtMs = -Infinity;
  private reading: Promise<void> | null = null;

  /** @param failed is called for every read that failed */
  constructor(private readonly failed: () => void) {}

  /** @param first what is shown until the first read */
  add<Figures>(first: Figures, read: () => Promise<Figures>): Polled<Figures> {
    const polled = { latest: first };
    this.sources.push(async () => {
      polled.latest = await read();
    });
    return polled;
  }

  /** Reads all figures anew, unless that was done just now. Never rejects. */
  async refresh(): Promise<void> {
    if (this.reading === null && performance.now() - this.readAtMs >= FRESH_MS) {
      this.reading = this.readAll().finally(() => {
        this.readAtMs = performance.now();
        this.reading = null;
      });
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, WAITED_MS_MAX);
    });
    await Promise.race([this.reading, late]);
    clearTimeout(timer);
  }

  /** One after the other: all together they need one connection to the database. */
  private async readAll(): Promise<void> {
    for (const read of this.sources) {
      await read().catch(this.failed);
    }
  }
}
