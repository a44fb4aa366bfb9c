import { Logger } from '@nestjs/common';

const LOGGED_EVERY_MS = 60_000;

/**
 * Logs what goes wrong with the connections of a queue. While its server is away each attempt to reach it fails, many
 * in a second; so a line is written at the first, and then once a minute with the number of those in between.
 */
export class QueueFaults {
  private readonly logger = new Logger('Queue');
  private loggedAtMs = -Infinity;
  private leftOut = 0;

  /** @param queue what the log calls the queue or the connection */
  constructor(private readonly queue: string) {}

  /** Takes note of a fault, and never throws. */
  readonly report = (error: unknown): void => {
    const nowMs = performance.now();
    if (nowMs - this.loggedAtMs < LOGGED_EVERY_MS) {
      this.leftOut += 1;
      return;
    }
    const { queue, leftOut } = this;
    const text = error instanceof Error ? error.message || error.name : String(error);
    this.logger.warn({ message: 'a queue has a fault and goes on trying', queue, error: text, leftOut });
    [this.loggedAtMs, this.leftOut] = [nowMs, 0];
  };
}
