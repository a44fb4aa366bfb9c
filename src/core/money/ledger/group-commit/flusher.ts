import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerMetrics } from '../ledger-metrics';
import type { BusyAccounts } from './busy-accounts';
import { flushAnswerOf, type FlushAnswer } from './flush-answer';
import { ConnectionLost, type FlushConnection } from './flush-connection';
import { flushParameters } from './flush-parameters';
import type { FlushQueue } from './flush-queue';
import type { LostOrders } from './lost-orders';
import type { OneByOne } from './one-by-one';
import { ordersOf, stillInTime, type Batch, type WaitingReserve } from './waiting-order';

const ITEMS_MAX = 500;
const CONNECT_AGAIN_AFTER_MS = 100;
const STALLED_AFTER_MS = 50;
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';

export interface FlusherParts {
  connection: FlushConnection;
  queue: FlushQueue;
  busy: BusyAccounts;
  oneByOne: OneByOne;
  lost: LostOrders;
  metrics: LedgerMetrics;
  /** Whose reservations these are; null where no process is registered. */
  processId: string | null;
}

/** Sends batch after batch over one connection, for as long as orders wait that need it. */
export class Flusher {
  private running: Promise<void> = Promise.resolve();
  private isRunning = false;
  private stopped = false;
  private beganMs = Infinity;
  private underWay: WaitingReserve[] = [];

  /** @param isNeeded whether the waiting orders are worth a flush by this flusher */
  constructor(
    private readonly parts: FlusherParts,
    private readonly isNeeded: () => boolean,
  ) {}

  get isBusy(): boolean {
    return this.isRunning;
  }

  /** Whether its flush takes so long that waiting orders should not wait for its end. */
  get isStalled(): boolean {
    return performance.now() - this.beganMs > STALLED_AFTER_MS;
  }

  /**
   * Rejects the reservations of its present flush that have waited beyond their deadline. They may be made all the same:
   * then the calls' releases end them, or the sweep does.
   */
  tellOverdue(): void {
    this.underWay = stillInTime(this.underWay);
  }

  /**
   * Begins, if it is needed, at the end of this turn of the event loop: what arrives until then is in the first batch.
   */
  start(): void {
    if (this.isRunning || this.stopped || !this.isNeeded()) {
      return;
    }
    this.isRunning = true;
    this.beganMs = performance.now();
    this.running = new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.run());
  }

  /** Takes no further batch, waits for the one under way and closes the connection. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
    await this.parts.connection.close();
  }

  private async run(): Promise<void> {
    while (this.isNeeded() && !this.stopped) {
      if (await this.isConnected()) {
        this.beganMs = performance.now();
        await this.flush(this.parts.queue.take(ITEMS_MAX));
      }
    }
    // Nothing is awaited after the last look at the queue, so an order that is added next finds this flusher idle.
    this.isRunning = false;
    this.beganMs = Infinity;
    this.parts.queue.wake();
  }

  private async isConnected(): Promise<boolean> {
    try {
      await this.parts.connection.connect();
      return true;
    } catch {
      await delay(CONNECT_AGAIN_AFTER_MS);
      return false;
    }
  }

  private async flush(batch: Batch): Promise<void> {
    const { connection, lost, metrics, processId } = this.parts;
    if (batch.settles.length + batch.reserves.length === 0) {
      return;
    }
    try {
      const startedMs = performance.now();
      this.underWay = batch.reserves;
      const answer = flushAnswerOf(await connection.flush(flushParameters(batch, processId)), batch);
      const durationMs = performance.now() - startedMs;
      metrics.flushed({ settlements: batch.settles.length, reservations: batch.reserves.length, durationMs });
      this.deliver(batch, answer);
    } catch (error) {
      if (error instanceof ConnectionLost) {
        metrics.lostConnection();
        await lost.findOut(batch, error.backend);
      } else {
        await this.recover(batch, (error as { code?: unknown }).code);
      }
    }
  }

  /** Tries the orders of a flush that Postgres rolled back in another way, which depends on the error. */
  private async recover(batch: Batch, sqlState: unknown): Promise<void> {
    if (sqlState === QUERY_CANCELED) {
      this.parts.queue.putBack(batch);
    } else if (sqlState === LOCK_NOT_AVAILABLE) {
      await this.setAsideBusy(batch);
    } else {
      await this.split(batch);
    }
  }

  /** Sets aside the orders of accounts whose balance is locked. All other orders go into the next flush. */
  private async setAsideBusy(batch: Batch): Promise<void> {
    const { busy, connection, queue } = this.parts;
    const accountIds = [...new Set(ordersOf(batch).map(({ order }) => order.accountId))];
    const free = new Set(await connection.unlocked(accountIds).catch(() => accountIds));
    const isFree = ({ order }: { order: { accountId: string } }) => free.has(order.accountId);
    ordersOf(batch)
      .filter((waiting) => !isFree(waiting))
      .forEach((waiting) => busy.add(waiting));
    queue.putBack({ settles: batch.settles.filter(isFree), reserves: batch.reserves.filter(isFree) });
  }

  /**
   * One order's fault must not fail the others: the halves of the batch are tried, until the faulty order goes alone.
   */
  private async split(batch: Batch): Promise<void> {
    if (batch.settles.length + batch.reserves.length === 1) {
      ordersOf(batch).forEach((waiting) => this.parts.oneByOne.add(waiting));
      return;
    }
    this.parts.metrics.split();
    for (const half of halves(batch)) {
      await this.flush(half);
    }
  }

  private deliver({ settles, reserves }: Batch, answer: FlushAnswer): void {
    this.parts.metrics.decidedExactly(answer.decidedExactly);
    this.parts.metrics.decidedTogether(reserves.length - answer.decidedExactly);
    reserves.forEach((waiting, index) => {
      const verdict = answer.verdicts[index];
      if (verdict) {
        waiting.resolve(verdict);
      }
    });
    settles.forEach((waiting, index) => {
      const settlement = answer.settlements[index];
      if (settlement) {
        waiting.resolve(settlement);
      } else if (waiting.order.outcome === 'expired') {
        // A sweep counts only the calls that it ended itself, so that several sweeps at once count each call once.
        waiting.resolve({ verdict: 'gone', chargedNanoUsd: 0n, balanceNanoUsd: 0n });
      } else {
        this.parts.oneByOne.add(waiting);
      }
    });
  }
}

function halves({ settles, reserves }: Batch): Batch[] {
  if (settles.length > 0 && reserves.length > 0) {
    return [
      { settles, reserves: [] },
      { settles: [], reserves },
    ];
  }
  const [s, r] = [Math.ceil(settles.length / 2), Math.ceil(reserves.length / 2)];
  return [
    { settles: settles.slice(0, s), reserves: reserves.slice(0, r) },
    { settles: settles.slice(s), reserves: reserves.slice(r) },
  ];
}
