import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AccountShards } from '../database/account-shards';
import { inBatches } from '../database/bounded-statements';
import { DatabaseUrl } from '../database/connection-pool';
import { SILENT_FOR_SECONDS } from '../database/process-register';
import { DatabaseAway, TooManyCallsWait } from '../errors/api-errors';
import { FlushConnection } from './flush-connection';
import { Flusher, LostOrders } from './flusher';
import {
  type Balance,
  type CreditOrder,
  Ledger,
  type ReserveOrder,
  type ReserveVerdict,
  type Settlement,
  type SettleOrder,
} from './ledger';
import { LedgerMetrics } from './ledger.metrics';
import {
  batchOf,
  BusyAccounts,
  FlushQueue,
  OneByOne,
  tellOverdue,
  type WaitingOrder,
} from './pending-orders';
import { PostgresLedger } from './postgres-ledger';

const BATCHES = { sizeMax: 500, batchesMax: 40 };
/** Until then the row of a process that is gone is kept: its youngest reservations are left to later sweeps. */
const FORGOTTEN_AFTER_SECONDS = 600;

// The order is random, so that reservations that cannot be ended do not fill every batch.
const EXPIRED = `SELECT id, account_id FROM reservations WHERE lease_until <= $1 ORDER BY random() LIMIT $2`;

const GONE = `
  SELECT id FROM processes WHERE heartbeat_at <= clock_timestamp() - $1 * interval '1 second' LIMIT 1000`;

// A process that was cut off and is back reserves before its next heartbeat, so its latest are left to the next sweep.
const OF_GONE = `
  SELECT id, account_id FROM reservations WHERE process_id = ANY($1::uuid[]) AND created_at <= $2
  ORDER BY random() LIMIT $3`;

const OF_KEY = `
  SELECT id FROM reservations WHERE account_id = $1 AND ($2::uuid IS NULL OR key_id = $2)
  ORDER BY random() LIMIT $3`;

const FORGET = `
  DELETE FROM processes WHERE id = ANY($1::uuid[]) AND heartbeat_at <= clock_timestamp() - $2 * interval '1 second'`;

const logger = new Logger('Ledger');

/**
 * Ends the calls of a database whose lease is over, and those of processes that have stopped or were not heard of for 40
 * seconds. Where such a process was only cut off, its calls find their reservations ended, cost nothing and fail. A
 * reservation that cannot be ended is logged and left to the next sweep.
 */
async function sweepReservations(
  database: DataSource,
  ledger: Pick<Ledger, 'settle'>,
  now: Date,
): Promise<number> {
  const overdue = await endAll(ledger, now, (sizeMax) => database.query(EXPIRED, [now, sizeMax]));
  const rows: { id: string }[] = await database.query(GONE, [SILENT_FOR_SECONDS]);
  const gone = rows.map(({ id }) => id);
  if (gone.length === 0) {
    return overdue;
  }
  const madeBefore = new Date(now.getTime() - SILENT_FOR_SECONDS * 1000);
  const ofGone = await endAll(ledger, now, (sizeMax) => database.query(OF_GONE, [gone, madeBefore, sizeMax]));
  if (ofGone === 0) {
    await database.query(FORGET, [gone, FORGOTTEN_AFTER_SECONDS]);
  }
  return overdue + ofGone;
}

async function endAll(
  ledger: Pick<Ledger, 'settle'>,
  now: Date,
  find: (sizeMax: number) => Promise<{ id: string; account_id: string }[]>,
): Promise<number> {
  return inBatches(BATCHES, async (sizeMax) => {
    const found = await find(sizeMax);
    const ended = await Promise.all(found.map(({ id, account_id }) => expire(ledger, id, account_id, now)));
    return ended.filter(Boolean).length;
  });
}

async function expire(
  ledger: Pick<Ledger, 'settle'>,
  callId: string,
  accountId: string,
  now: Date,
): Promise<boolean> {
  const nothing = { chargeNanoUsd: 0n, status: null, inputTokens: 0, outputTokens: 0, answer: null };
  try {
    const order = { callId, accountId, outcome: 'expired' as const, now, ...nothing };
    return (await ledger.settle(order)).verdict === 'settled';
  } catch (error) {
    logger.error({
      message: 'a reservation could not be swept',
      call_id: callId,
      error: String(error),
    });
    return false;
  }
}

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
const ENDED_WITHIN_MS = 10_000;
const OVERDUE_LOOKED_FOR_EVERY_MS = 100;

/**
 * Carries the orders of many calls in one statement and one commit: a flush. The orders that arrive during a flush form the
 * next one. When few calls are under way, each order is carried out alone. Either way an order is decided exactly as
 * PostgresLedger decides it, and answered when its commit is durable.
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

  /** Accepted however many orders wait, because it ends a call that was let in. It may be made although this throws. */
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

  sweepBy(ledger: Pick<Ledger, 'settle'>, now: Date): Promise<number> {
    return sweepReservations(this.database, ledger, now);
  }

  override async endCalls(accountId: string, keyId: string | null, now: Date): Promise<void> {
    const deadlineMs = performance.now() + ENDED_WITHIN_MS;
    for (;;) {
      const left: { id: string }[] = await this.database.query(OF_KEY, [accountId, keyId, BATCHES.sizeMax]);
      if (left.length === 0) {
        return;
      }
      if (performance.now() > deadlineMs) {
        throw new DatabaseAway();
      }
      await Promise.all(left.map(({ id }) => expire(this, id, accountId, now)));
    }
  }

  override balance(accountId: string): Promise<Balance> {
    return this.single.balance(accountId);
  }

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

  /** A busy service looks idle for a moment between two flushes, so it must also have been quiet for a while. */
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

  /** Of the orders under way only reservations are rejected: what a settlement did, its flush alone can tell. */
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
 * A flush would pass over a settlement beyond its reservation, but would have kept its answer by then: were the process to
 * die between the two, retries would get the answer for nothing.
 */
function goesAlone(waiting: WaitingOrder): boolean {
  return waiting.kind === 'settle' && waiting.order.exceedsReservation === true;
}

/** One group commit for each shard, so that no flush carries the orders of two shards (docs/scaling.md). */
export class ShardedLedger extends Ledger implements OnApplicationShutdown {
  constructor(
    private readonly shards: AccountShards,
    private readonly ledgers: readonly GroupCommitLedger[],
  ) {
    super();
    if (ledgers.length !== shards.count) {
      throw new Error(`${shards.count} shards need as many ledgers, not ${ledgers.length}`);
    }
  }

  override reserve(order: ReserveOrder): Promise<ReserveVerdict> {
    return this.of(order.accountId).reserve(order);
  }

  override settle(order: SettleOrder): Promise<Settlement> {
    return this.of(order.accountId).settle(order);
  }

  override credit(order: CreditOrder): Promise<string | null> {
    return this.of(order.accountId).credit(order);
  }

  override creditWithin(manager: Pick<EntityManager, 'query'>, order: CreditOrder): Promise<string | null> {
    return this.of(order.accountId).creditWithin(manager, order);
  }

  override async sweep(now: Date): Promise<number> {
    let ended = 0;
    for (const ledger of this.ledgers) {
      ended += await ledger.sweepBy(this, now);
    }
    return ended;
  }

  override endCalls(accountId: string, keyId: string | null, now: Date): Promise<void> {
    return this.of(accountId).endCalls(accountId, keyId, now);
  }

  override balance(accountId: string): Promise<Balance> {
    return this.of(accountId).balance(accountId);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.ledgers.map((ledger) => ledger.onApplicationShutdown()));
  }

  private of(accountId: string): GroupCommitLedger {
    const ledger = this.ledgers[this.shards.of(accountId)];
    if (!ledger) {
      throw new Error(`no ledger for the shard of account ${accountId}`);
    }
    return ledger;
  }
}
