import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import {
  type Backend,
  ConnectionLost,
  type FlushAnswer,
  flushAnswerOf,
  type FlushConnection,
  flushParameters,
} from './flush-connection';
import type { LedgerMetrics } from './ledger.metrics';
import {
  type Batch,
  type BusyAccounts,
  type FlushQueue,
  type OneByOne,
  ordersOf,
  stillInTime,
  type WaitingReserve,
} from './pending-orders';

const ASK_AGAIN_AFTER_MS = 100;
const ANSWER_WITHIN_MS = 2_000;

const END_BACKEND = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid = $1 AND backend_start = $2::text::timestamptz`;

const COMMITTED = `
  SELECT ids.id, b.balance_nano FROM unnest($1::uuid[], $2::uuid[]) AS ids (id, account_id)
  JOIN balances AS b USING (account_id)
  WHERE EXISTS (SELECT FROM reservations AS r WHERE r.id = ids.id AND r.account_id = ids.account_id)
    OR EXISTS (SELECT FROM calls AS c WHERE c.id = ids.id AND c.account_id = ids.account_id)`;

/**
 * Finds out what became of the orders whose connection broke before their answer came. The server process that may still be
 * working on reservations is ended first: a reservation that is not committed then never will be.
 */
export class LostOrders {
  constructor(
    private readonly database: DataSource,
    private readonly queue: FlushQueue,
  ) {}

  /**
   * Answers the reservations that are committed and puts all others back; of a settlement the same one twice has the effect
   * of one. Until the database answers, each reservation waits, up to its deadline.
   */
  async findOut(batch: Batch, backend: Backend | null): Promise<void> {
    this.queue.putBack({ settles: batch.settles, reserves: backend ? [] : batch.reserves });
    let unknown = backend ? batch.reserves : [];
    while (backend && unknown.length > 0) {
      await delay(ASK_AGAIN_AFTER_MS);
      const balances = await this.committedBalances(unknown, backend);
      if (balances) {
        unknown.forEach((waiting) => answerCommitted(waiting, balances));
        const lost = unknown.filter(({ order }) => !balances.has(order.callId));
        this.queue.putBack({ settles: [], reserves: lost });
        return;
      }
      unknown = stillInTime(unknown);
    }
  }

  private async committedBalances(
    waiting: WaitingReserve[],
    backend: Backend,
  ): Promise<Map<string, bigint> | null> {
    const given = new AbortController();
    const late = delay(ANSWER_WITHIN_MS, null, { signal: given.signal }).catch(() => null);
    try {
      return await Promise.race([this.ask(waiting, backend), late]);
    } catch {
      return null;
    } finally {
      given.abort();
    }
  }

  private async ask(waiting: WaitingReserve[], backend: Backend): Promise<Map<string, bigint> | null> {
    const ended: unknown[] = await this.database.query(END_BACKEND, [backend.pid, backend.started_at]);
    if (ended.length > 0) {
      return null;
    }
    const rows: { id: string; balance_nano: string }[] = await this.database.query(COMMITTED, [
      waiting.map(({ order }) => order.callId),
      waiting.map(({ order }) => order.accountId),
    ]);
    return new Map(rows.map((row) => [row.id, BigInt(row.balance_nano)]));
  }
}

function answerCommitted(waiting: WaitingReserve, balances: Map<string, bigint>): void {
  const balanceNanoUsd = balances.get(waiting.order.callId);
  if (balanceNanoUsd !== undefined) {
    waiting.resolve({ verdict: 'reserved', balanceNanoUsd });
  }
}

const ITEMS_MAX = 500;
const CONNECT_AGAIN_AFTER_MS = 100;
const STALLED_AFTER_MS = 50;
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';

interface FlusherParts {
  connection: FlushConnection;
  queue: FlushQueue;
  busy: BusyAccounts;
  oneByOne: OneByOne;
  lost: LostOrders;
  metrics: LedgerMetrics;
  processId: string | null;
}

/** Sends batch after batch over one connection, for as long as orders wait that need it. */
export class Flusher {
  private running: Promise<void> = Promise.resolve();
  private isRunning = false;
  private stopped = false;
  private beganMs = Infinity;
  private underWay: WaitingReserve[] = [];

  constructor(
    private readonly parts: FlusherParts,
    private readonly isNeeded: () => boolean,
  ) {}

  get isBusy(): boolean {
    return this.isRunning;
  }

  get isStalled(): boolean {
    return performance.now() - this.beganMs > STALLED_AFTER_MS;
  }

  /**
   * Rejects the reservations under way that have waited beyond their deadline. They may be made all the same: then the calls'
   * releases end them, or the sweep does.
   */
  tellOverdue(): void {
    this.underWay = stillInTime(this.underWay);
  }

  /** Begins at the end of this turn of the event loop: what arrives until then is in the first batch. */
  start(): void {
    if (this.isRunning || this.stopped || !this.isNeeded()) {
      return;
    }
    this.isRunning = true;
    this.beganMs = performance.now();
    this.running = new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.run());
  }

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

  private async recover(batch: Batch, sqlState: unknown): Promise<void> {
    if (sqlState === QUERY_CANCELED) {
      this.parts.queue.putBack(batch);
    } else if (sqlState === LOCK_NOT_AVAILABLE) {
      await this.setAsideBusy(batch);
    } else {
      await this.split(batch);
    }
  }

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

  /** One order's fault must not fail the others: halves are tried, until the faulty order goes alone. */
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
