import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { EventSubscriptions } from './event-subscriptions';
import type { EventType } from './event-types';

const UNDER_WAY_MAX = 8;
const BEGUN_MAX = 1_000;
const ENDED_WITHIN_MS = 5_000;
const REPORTED_EVERY_MS = 10_000;

/** Something to be written for the subscribers of an account, of which no call waits to hear. */
export interface UnawaitedWrite {
  accountId: string;
  /** It is written only where the account subscribes to this type. */
  type: EventType;
  write(): Promise<unknown>;
  /** Is called where it was not written: nobody subscribes, too many others wait, or the write failed. */
  undone(): void;
}

/**
 * Writes off the path of calls. However many calls give cause to it, eight writes are under way at once and a thousand
 * wait; what comes beyond that is left out. What fails or is left out goes to the log and nowhere else: a call must not
 * fail because somebody wants to be told of it.
 */
@Injectable()
export class UnawaitedWrites implements BeforeApplicationShutdown {
  private readonly logger = new Logger('UnawaitedWrites');
  private readonly begun = new Set<Promise<void>>();
  /** Wakes those that wait for a place, the first first. */
  private readonly waiting: (() => void)[] = [];
  private underWay = 0;
  private unreported = 0;
  private reportedAtMs = -Infinity;
  private isEnding = false;

  constructor(private readonly subscriptions: EventSubscriptions) {}

  /** Begins a write and returns at once. Never throws. */
  begin(write: UnawaitedWrite): void {
    if (this.begun.size >= BEGUN_MAX || this.isEnding) {
      write.undone();
      this.report('too many events wait to be written');
      return;
    }
    const running = this.run(write).finally(() => this.begun.delete(running));
    this.begun.add(running);
  }

  /** Resolves when everything that was begun has ended. */
  async idle(): Promise<void> {
    while (this.begun.size > 0) {
      await Promise.all(this.begun);
    }
  }

  /**
   * Comes after the calls in flight have ended and before the database is closed. A database that is away must not keep
   * the process from its end: what waits for longer is lost.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    if (this.begun.size === 0) {
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, ENDED_WITHIN_MS)));
    await Promise.race([this.idle(), tooLate]);
    clearTimeout(timer);
    if (this.begun.size > 0) {
      this.logger.warn({ message: 'events were lost at the shutdown', count: this.begun.size });
    }
  }

  private async run(write: UnawaitedWrite): Promise<void> {
    if (!(await this.subscriptions.wants(write.accountId, write.type))) {
      write.undone();
      return;
    }
    if (this.underWay >= UNDER_WAY_MAX) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else {
      this.underWay += 1;
    }
    try {
      await write.write();
    } catch (error) {
      write.undone();
      this.report(String(error));
    } finally {
      this.handOver();
    }
  }

  /** The place of a write that has ended goes to the one that has waited longest. */
  private handOver(): void {
    const next = this.waiting.shift();
    if (next) {
      next();
    } else {
      this.underWay -= 1;
    }
  }

  /** Every refused call may fail to be told of, so the log gets one line in ten seconds. */
  private report(error: string): void {
    this.unreported += 1;
    const nowMs = performance.now();
    if (nowMs - this.reportedAtMs >= REPORTED_EVERY_MS) {
      this.logger.error({ message: 'events could not be written', count: this.unreported, error });
      this.reportedAtMs = nowMs;
      this.unreported = 0;
    }
  }
}
