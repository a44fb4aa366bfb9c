import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { KeyDirectory } from '../core/access/access-keys/key-directory';
import { UsageLog, UsageRowsLost, type UnchargedCall } from '../core/money/usage/usage-log.repository';
import { Clock } from '../infrastructure/clock/clock';
import { errorText } from '../infrastructure/logging/error-text';
import type { MeteredCall } from './metered-call';

const WRITTEN_EVERY_MS = 250;
const WAITING_MAX = 10_000;

/**
 * The usage log of calls that moved no money: free calls of access keys, and calls of priced operations that were
 * refused or replayed. They are written together a moment after their answer. Of calls that come while 10,000 wait for
 * the next write, none is kept; their number goes to the log.
 */
@Injectable()
export class UnchargedCalls implements OnApplicationShutdown {
  private readonly logger = new Logger('UsageLog');
  private waiting: UnchargedCall[] = [];
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> | null = null;
  private dropped = 0;

  constructor(
    private readonly calls: UsageLog,
    private readonly keys: KeyDirectory,
    private readonly clock: Clock,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.write();
  }

  /**
   * Writes the calls that wait. Resolves when they are durable or were lost, which is logged. Those that come during a
   * write wait for its end and are written by the next: so a database that is away holds no more than the calls of one
   * write and those that wait.
   */
  async write(): Promise<void> {
    if (this.timer) {
      clearTimeout(this.timer);
      this.timer = null;
    }
    while (this.writing) {
      await this.writing;
    }
    const batch = this.waiting;
    this.waiting = [];
    if (this.dropped > 0) {
      this.logger.warn({ message: 'usage rows of uncharged calls were dropped', count: this.dropped });
      this.dropped = 0;
    }
    if (batch.length > 0) {
      this.writing = this.insert(batch);
      await this.writing;
    }
  }

  /**
   * Notes a call that has been answered, unless the ledger writes its receipt or it is a free call of an account token.
   * @param status the HTTP status of the answer
   */
  note(call: MeteredCall, status: number): void {
    if (!call.account || call.hasReceipt || (call.policy.price === null && !call.key)) {
      return;
    }
    if (call.key) {
      this.keys.touch(call.key).catch((error: unknown) => this.logger.warn(String(error)));
    }
    if (this.waiting.length >= WAITING_MAX) {
      this.dropped += 1;
      return;
    }
    this.waiting.push({
      id: call.id,
      accountId: call.account.id,
      keyId: call.key?.id ?? null,
      requestId: call.requestId,
      clientRequestId: call.clientRequestId,
      operation: call.policy.operationId,
      outcome: status < 400 ? 'settled' : 'refused',
      status,
      price: call.quote?.price.name ?? null,
      priceVersion: call.quote?.priceVersion ?? null,
      createdAt: call.startedAt,
      completedAt: this.clock.now(),
    });
    this.writeLater();
  }

  /** During a write nothing is begun: its end begins the next. */
  private writeLater(): void {
    if (!this.writing && this.waiting.length > 0) {
      this.timer ??= setTimeout(() => void this.write(), WRITTEN_EVERY_MS);
    }
  }

  private async insert(batch: UnchargedCall[]): Promise<void> {
    try {
      await this.calls.insertUncharged(batch);
    } catch (error) {
      const count = error instanceof UsageRowsLost ? error.count : batch.length;
      this.logger.error({ message: 'usage rows were lost', count, error: errorText(error) });
    } finally {
      this.writing = null;
      this.writeLater();
    }
  }
}
