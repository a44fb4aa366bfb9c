import { Logger } from '@nestjs/common';

/**
 * Work that is due again and again. In one process it never runs twice at once: a tick during a run begins no other. A
 * failure is logged, and the next tick runs the work again. Nothing keeps two replicas from running the work at once,
 * so it has to be safe for that.
 */
export class TimedJob {
  private readonly logger: Logger;
  private readonly ending = new AbortController();
  private running: Promise<void> | null = null;

  /**
   * @param name by which the log names the job
   * @param work one run; its signal is aborted when the process ends, so that a long run may end early
   */
  constructor(
    private readonly name: string,
    private readonly work: (signal: AbortSignal) => Promise<unknown>,
  ) {
    this.logger = new Logger(name);
  }

  /**
   * Begins a run unless one is in progress or the process is ending. Resolves when the run has ended; never rejects.
   */
  async tick(): Promise<void> {
    if (!this.ending.signal.aborted) {
      this.running ??= this.run();
    }
    await this.running;
  }

  /** Does one part of a run. Logs its failure and returns null then, so that the other parts are still done. */
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

  /** Begins no further run, and waits for the one in progress. */
  async end(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    await this.part(this.name, () => this.work(this.ending.signal));
    this.running = null;
  }
}
