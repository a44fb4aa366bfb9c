import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { KeyDirectory } from '../accounts/key-cache';
import { errorText } from '../errors/api-errors';
import { type UnchargedCall, UsageLog, UsageRowsLost } from '../ledger/usage-log';
import { Clock } from '../runtime/clock';
import { BackgroundWrites } from '../runtime/background-writes';
import type { MeteredCall } from './metered-call';

const WAITING_MAX = 10_000;

/** Free calls by key, and priced ones refused or replayed. Beyond 10,000 waiting they are only counted. */
@Injectable()
export class UnchargedCalls implements OnApplicationShutdown {
  private readonly logger = new Logger('UsageLog');
  private waiting: UnchargedCall[] = [];
  private readonly writes = new BackgroundWrites(
    () => this.waiting.length > 0,
    () => this.insert(),
  );
  private dropped = 0;

  constructor(
    private readonly calls: UsageLog,
    private readonly keys: KeyDirectory,
    private readonly clock: Clock,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.write();
  }

  write(): Promise<void> {
    return this.writes.end();
  }

  note(call: MeteredCall, status: number): void {
    if (call.key) {
      this.keys.touch(call.key).catch((error: unknown) => this.logger.warn(String(error)));
    }
    if (this.waiting.length >= WAITING_MAX) {
      this.dropped += 1;
      return;
    }
    this.waiting.push({
      id: call.id,
      accountId: call.accountId,
      keyId: call.key?.id ?? null,
      requestId: call.requestId,
      clientRequestId: call.clientRequestId,
      operation: call.policy.operationId,
      outcome: status < 400 ? 'settled' : call.isReserved ? 'released' : 'refused',
      status,
      price: call.quote?.price.name ?? null,
      priceVersion: call.quote?.priceVersion ?? null,
      createdAt: call.startedAt,
      completedAt: this.clock.now(),
    });
    this.writes.begin();
  }

  private async insert(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    if (this.dropped > 0) {
      this.logger.warn({ message: 'usage rows of uncharged calls were dropped', count: this.dropped });
      this.dropped = 0;
    }
    try {
      await this.calls.insertUncharged(batch);
    } catch (error) {
      const count = error instanceof UsageRowsLost ? error.count : batch.length;
      this.logger.error({ message: 'usage rows were lost', count, error: errorText(error) });
    }
  }
}
