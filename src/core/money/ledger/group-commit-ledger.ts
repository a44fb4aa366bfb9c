import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DatabaseUrl } from '../../../infrastructure/database/database-url';
import { TooManyCallsWait } from '../../errors/service-errors';
import { BusyAccounts } from './group-commit/busy-accounts';
import { FlushConnection } from './group-commit/flush-connection';
import { FlushQueue } from './group-commit/flush-queue';
import { Flusher } from './group-commit/flusher';
import { LostOrders } from './group-commit/lost-orders';
import { OneByOne } from './group-commit/one-by-one';
import { batchOf, tellOverdue, type WaitingOrder } from './group-commit/waiting-order';
import {
  Ledger,
  type Balance,
  type CreditOrder,
  type ReserveOrder,
  type ReserveVerdict,
  type SettleOrder,
  type Settlement,
} from './ledger';
import { LedgerMetrics } from './ledger-metrics';
import { PostgresLedger } from './postgres-ledger';
import { sweepReservations } from './sweep-reservations';

const WAITING_MAX = 10_000;
const ALONE_MAX = 2;
/** Orders go alone again when no order has had to wait for this long. */
const QUIET_FOR_MS = 20;
/** Every flush costs a commit, so the second flusher starts only when as many orders as this share one. */
const SECOND_FLUSHER_ITEMS_MIN = 8;
const RESERVED_WITHIN_MS = 5_000;
const SETTLED_WITHIN_MS = 15_000;
const RELEASED_WITHIN_MS = 5_000;
const EMPTIED_WITHIN_MS = 20_000;
const OVERDUE_LOOKED_FOR_EVERY_MS = 100;

/**
 * The ledger in Postgres, which carries the orders of many calls in one statement and one commit: a flush. The orders
 * that arrive during a flush form the next one. When few calls are under way, each order is carried out alone instead.
 * Either way an order is decided exactly as PostgresLedger decides it, and answered when its commit is durable.
 */
@Injectable()
export class GroupCommitLedger extends Ledger implements OnApplicationShutdown {
  private readonly single: PostgresLedger;
  private readonly queue = new FlushQueue(() => this.wake());
  private readonly busy: BusyAccounts;
  private readonly oneByOne: OneByOne;
  private readonly flushers: [Flusher, Flusher];
  private alone = 0;
  private waitedMs = -Infinity;
  private watch: NodeJS.Timeout | null = null;

  /** @param processId that of this process (ProcessRegister); null where none is registered */
  constructor(
    private readonly database: DataSource,
    url: DatabaseUrl,
    private readonly metrics: LedgerMetrics,
    processId: string | null = null,
  ) {
    super();
    this.single = new PostgresLedger(database, processId);
    this.oneByOne = new OneByOne(this.single);
    this.busy = new BusyAccounts(this.single, (orders) => this.putBack(orders));
    const { queue, busy, oneByOne } = this;
    const parts = { queue, busy, oneByOne, lost: new LostOrders(database, queue), metrics, processId };
    const flusher = (isNeeded: () => boolean) =>
      new Flusher({ ...parts, connection: new FlushConnection(url.value) }, isNeeded);
    const first = flusher(() => queue.size > 0);
    const second = flusher(
      () => queue.size >= SECOND_FLUSHER_ITEMS_MIN || (queue.size > 0 && first.isStalled),
    );
    this.flushers = [first, second];
    metrics.observeQueue(() => this.waiting);
  }

  /** @throws ServiceUnavailable when too many calls wait or the database does not answer in time; nothing is charged */
  override reserve(order: ReserveOrder): Promise<ReserveVerdict> {
    if (this.isIdle) {
      this.metrics.direct('reservation');
      return this.goAlone(() => this.single.reserve(order));
    }
    if (this.waiting >= WAITING_MAX) {
      this.metrics.refusedForLoad();
      return Promise.reject(new TooManyCallsWait());
    }
    const deadlineMs = performance.now() + RESERVED_WITHIN_MS;
    return new Promise((resolve, reject) => {
      this.wait({ kind: 'reserve', order, deadlineMs, resolve, reject });
    });
  }

  /**
   * A settlement is accepted however many orders wait, because it ends a call that was let in.
   * @throws ServiceUnavailable when the database does not answer in time; the settlement may be made all the same
   */
  override settle(order: SettleOrder): Promise<Settlement> {
    if (this.isIdle && order.outcome !== 'expired') {
      this.metrics.direct('settlement');
      return this.goAlone(() => this.single.settle(order));
    }
    const withinMs = order.outcome === 'settled' ? SETTLED_WITHIN_MS : RELEASED_WITHIN_MS;
    const deadlineMs = performance.now() + withinMs;
    return new Promise((resolve, reject) => {
      this.wait({ kind: 'settle', order, deadlineMs, resolve, reject });
    });
  }

  override credit(order: CreditOrder): Promise<string | null> {
    return this.single.credit(order);
  }

  override creditWithin(manager: Pick<EntityManager, 'query'>, order: CreditOrder): Promise<string | null> {
    return this.single.creditWithin(manager, order);
  }

  override sweep(now: Date): Promise<number> {
    return this.sweepBy(this, now);
  }

  /** The same by another ledger, which sends each order to the shard of its account. */
  sweepBy(ledger: Pick<Ledger, 'settle'>, now: Date): Promise<number> {
    return sweepReservations(this.database, ledger, now);
  }

  override balance(accountId: string): Promise<Balance> {
    return this.single.balance(accountId);
  }

  /** All calls have ended by now, so only releases and the orders of a sweep can still be waiting. */
  async onApplicationShutdown(): Promise<void> {
    const deadlineMs = performance.now() + EMPTIED_WITHIN_MS;
    while (this.waiting > 0 && performance.now() < deadlineMs) {
      await delay(10);
    }
    await Promise.all(this.flushers.map((flusher) => flusher.stop()));
    if (this.watch) {
      clearTimeout(this.watch);
    }
  }

  private get waiting(): number {
    return this.queue.size + this.busy.size + this.oneByOne.size;
  }

  /**
   * Whether few calls are under way, so that an order is faster alone than in a flush. A busy service looks idle for a
   * moment between two flushes; therefore it must also have been quiet for a while.
   */
  private get isIdle(): boolean {
    return (
      this.alone < ALONE_MAX &&
      this.waiting === 0 &&
      !this.flushers.some(({ isBusy }) => isBusy) &&
      performance.now() - this.waitedMs > QUIET_FOR_MS
    );
  }

  private async goAlone<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    this.alone += 1;
    try {
      return await work();
    } finally {
      this.alone -= 1;
    }
  }

  private wait(waiting: WaitingOrder): void {
    this.waitedMs = performance.now();
    this.watchDeadlines();
    if (this.busy.has(waiting.order.accountId)) {
      this.busy.add(waiting);
    } else if (goesAlone(waiting)) {
      this.oneByOne.add(waiting);
    } else {
      this.queue.add(waiting);
    }
  }

  private putBack(orders: readonly WaitingOrder[]): void {
    orders.filter(goesAlone).forEach((waiting) => this.oneByOne.add(waiting));
    this.queue.putBack(batchOf(orders.filter((waiting) => !goesAlone(waiting))));
  }

  /** Starts the flushers that the waiting orders need. */
  private wake(): void {
    const [first, second] = this.flushers;
    first.start();
    if (first.isBusy) {
      second.start();
    }
  }

  private watchDeadlines(): void {
    this.watch ??= setTimeout(() => this.tellOverdue(), OVERDUE_LOOKED_FOR_EVERY_MS).unref();
  }

  /**
   * Rejects the orders that have waited beyond their deadline. Of those under way only reservations: what a settlement
   * of a call without an answer did, its flush alone can tell.
   */
  private tellOverdue(): void {
    this.watch = null;
    const nowMs = performance.now();
    for (const place of [this.queue, this.busy, this.oneByOne]) {
      place.takeOverdue(nowMs).forEach(tellOverdue);
    }
    this.flushers.forEach((flusher) => flusher.tellOverdue());
    this.wake();
    // A flush that fails puts its orders back, so they are watched while it is under way.
    if (this.waiting > 0 || this.flushers.some(({ isBusy }) => isBusy)) {
      this.watchDeadlines();
    }
  }
}

/**
 * A flush would pass over a settlement beyond its reservation, but would have kept its answer by then: were the process
 * to die between the two, retries would get the answer for nothing.
 */
function goesAlone(waiting: WaitingOrder): boolean {
  return waiting.kind === 'settle' && waiting.order.exceedsReservation === true;
}
