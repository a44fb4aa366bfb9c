import { Logger } from '@nestjs/common';

/**
 * Work that is due again and again. It never runs beside itself: a tick during a run is passed over. What fails is
 * logged, and the next tick comes all the same. Replicas are not told apart, so the work must bear to be done by several
 * of them at once.
 */
export class TimedJob {
  private readonly logger: Logger;
  private readonly ending = new AbortController();
  private running: Promise<void> | null = null;

  /**
   * @param name stands in the log
   * @param work one run; its signal is aborted when the process ends, so that a long run may end early
   */
  constructor(
    private readonly name: string,
    private readonly work: (signal: AbortSignal) => Promise<unknown>,
  ) {
    this.logger = new Logger(name);
  }

  /** Begins a run unless one is in progress or the process ends. Resolves with the end of that run; never rejects. */
  async tick(): Promise<void> {
    if (!this.ending.signal.aborted) {
      this.running ??= this.run();
    }
    await this.running;
  }

  /** Does one part of a run, and returns null where it failed: that is logged, and leaves the other parts. */
  async part<Result>(name: string, work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      this.logger.error({ message: `${name} failed and is tried again`, error: String(error) });
      return null;
    }
  }

  /** Resolves when no run is in progress. */
  async idle(): Promise<void> {
    await this.running;
  }

  /** Begins no run any more, and waits for the one in progress. */
  async end(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    await this.part(this.name, () => this.work(this.ending.signal));
    this.running = null;
  }
}
