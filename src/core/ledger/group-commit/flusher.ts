import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerMetrics } from '../ledger-metrics';
import { flushAnswerOf, type FlushAnswer } from './flush-answer';
import { ConnectionLost, type FlushConnection } from './flush-connection';
import { flushParameters } from './flush-parameters';
import type { FlushQueue } from './flush-queue';
import type { LostOrders } from './lost-orders';
import type { SlowLanes } from './slow-lanes';
import type { Batch } from './waiting-order';

const ITEMS_MAX = 500;
const CONNECT_AGAIN_AFTER_MS = 100;
const LOCK_NOT_AVAILABLE = '55P03';

export interface FlusherParts {
  connection: FlushConnection;
  queue: FlushQueue;
  lanes: SlowLanes;
  lost: LostOrders;
  metrics: LedgerMetrics;
}

/** Carries batch after batch over one connection for as long as enough orders wait. */
export class Flusher {
  private running: Promise<void> = Promise.resolve();
  private busy = false;
  private stopped = false;

  /** @param itemsMin how many orders have to wait for this flusher to take them; the first takes any */
  constructor(
    private readonly parts: FlusherParts,
    private readonly itemsMin: number,
  ) {}

  get isBusy(): boolean {
    return this.busy;
  }

  /** Begins with what has arrived by the end of this turn of the event loop. */
  start(): void {
    if (this.busy || this.stopped) {
      return;
    }
    this.busy = true;
    this.running = new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.run());
  }

  /** Takes no further batch, waits for the one under way and closes the connection. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
    await this.parts.connection.close();
  }

  private async run(): Promise<void> {
    const { queue } = this.parts;
    while (queue.size >= this.itemsMin && !this.stopped) {
      if (await this.isConnected()) {
        await this.flush(queue.take(ITEMS_MAX));
      }
    }
    // In the same turn as the look at the queue: who adds to it next must find this flusher idle.
    this.busy = false;
  }

  private async isConnected(): Promise<boolean> {
    try {
      await this.parts.connection.connect();
      return true;
    } catch {
      this.parts.lost.giveUpOverdue();
      await delay(CONNECT_AGAIN_AFTER_MS);
      return false;
    }
  }

  private async flush(batch: Batch): Promise<void> {
    const { connection, lost, metrics } = this.parts;
    if (batch.settles.length + batch.reserves.length === 0) {
      return;
    }
    try {
      const startedMs = performance.now();
      const answer = flushAnswerOf(await connection.flush(flushParameters(batch)), batch);
      const durationMs = performance.now() - startedMs;
      metrics.flushed({ settlements: batch.settles.length, reservations: batch.reserves.length, durationMs });
      this.deliver(batch, answer);
    } catch (error) {
      if (error instanceof ConnectionLost) {
        metrics.lostConnection();
        await lost.findOut(batch, error.backend);
      } else {
        await this.split(batch, error);
      }
    }
  }

  /** One order's fault must not fail its neighbours: halves are tried, down to the order that goes alone. */
  private async split(batch: Batch, error: unknown): Promise<void> {
    const { settles, reserves } = batch;
    const isAlone = settles.length + reserves.length === 1;
    if (isAlone || (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) {
      this.parts.lanes.addAll(batch);
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
        // A sweep asks whether it ended the call itself: each is counted once, however many sweep.
        waiting.resolve({ verdict: 'gone', chargedNanoUsd: 0n, balanceNanoUsd: 0n });
      } else {
        this.parts.lanes.add(waiting);
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
