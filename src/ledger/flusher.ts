import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { untilWoken } from '../database/connection-pool';
import { sqlStateOf } from '../database/driver-errors';
import { DatabaseAway, NothingCharged } from '../errors/api-errors';
import { adopt, ConnectionLost, type FlushAnswer, type FlushConnection, TakenOver } from './flush-connection';
import {
  accountsOf,
  type Batch,
  type FlushOwner,
  FlushQueue,
  halvesOf,
  preparedOf,
  sizeOf,
} from './flush-batch';
import { chargedNanoUsdOf, endLost, type ReservedCall, isAbandoned, setSent, setTakenOver } from './leases';
import type { Lease } from './lease';
import type { LedgerMetrics } from './ledger.metrics';

const CONNECT_AGAIN_AFTER_MS = 100;
const IDLE_MS_MAX = 60_000;
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';
const LOOKED_AT_EVERY_MS = 50;

interface Lane {
  readonly queue: FlushQueue;
  readonly connection: FlushConnection;
  running: Promise<void>;
  isRunning: boolean;
  idle?: NodeJS.Timeout;
  underWay: readonly ReservedCall[];
}

/**
 * One statement and commit for all that came during the last flush. Orders of accounts that another
 * transaction has locked go over a second connection, one account at a time, so that they delay no others.
 */
export class Flusher {
  private readonly logger = new Logger('Ledger');
  private readonly main: Lane;
  private readonly aside: Lane;
  private readonly busy = new Set<string>();
  /** The latest main flush timed out on a lock, and no locked account was found. */
  private isLockUnexplained = false;
  private isStopped = false;
  private readonly watchers = new Set<() => void>();

  constructor(
    private readonly owner: FlushOwner,
    private readonly metrics: LedgerMetrics,
    connections: readonly [FlushConnection, FlushConnection],
  ) {
    const lane = (connection: FlushConnection): Lane => ({
      queue: new FlushQueue(),
      connection,
      running: Promise.resolve(),
      isRunning: false,
      underWay: [],
    });
    this.main = lane(connections[0]);
    this.aside = lane(connections[1]);
  }

  isLocked(accountId: string): boolean {
    return this.busy.has(accountId);
  }

  get size(): number {
    return this.main.queue.size + this.aside.queue.size;
  }

  end(held: ReservedCall): void {
    const lane = this.laneOf(held.order.accountId);
    lane.queue.ends.push(held);
    lane.queue.leases.add(held.lease);
    if (held.excess) {
      lane.queue.leases.add(held.excess.lease);
    }
    this.start(lane);
  }

  begin(held: ReservedCall): void {
    const lane = this.laneOf(held.order.accountId);
    lane.queue.begun.push(held);
    this.start(lane);
  }

  touch(lease: Lease): void {
    const lane = this.laneOf(lease.accountId);
    lane.queue.leases.add(lease);
    this.start(lane);
  }

  *unanswered(): Iterable<ReservedCall> {
    for (const { queue, underWay } of [this.main, this.aside]) {
      yield* underWay;
      yield* queue.ends;
    }
  }

  failUnsent(nowMs: number): void {
    const unsent = [this.main, this.aside].flatMap(({ queue }) => queue.takeUnsent(nowMs));
    unsent.forEach((held) => this.owner.notEnded(held, new NothingCharged()));
  }

  /** Checks after each flush and at intervals. @throws DatabaseAway when it takes longer */
  async until(isDone: () => boolean, withinMs: number): Promise<void> {
    const deadlineMs = performance.now() + withinMs;
    while (!isDone()) {
      if (performance.now() > deadlineMs) {
        throw new DatabaseAway();
      }
      const lookAtMs = performance.now() + LOOKED_AT_EVERY_MS;
      await untilWoken(this.watchers, lookAtMs, () => new DatabaseAway()).catch(() => undefined);
    }
  }

  clear(): ReservedCall[] {
    this.busy.clear();
    return [this.main, this.aside].flatMap(({ queue }) => queue.clear());
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all([this.main.running, this.aside.running]);
    await Promise.all([this.main.connection.close(), this.aside.connection.close()]);
  }

  private laneOf(accountId: string): Lane {
    return this.busy.size > 0 && this.busy.has(accountId) ? this.aside : this.main;
  }

  /** Waits for the event loop's turn to end, so that the first flush takes all that arrives in it. */
  private start(lane: Lane): void {
    if (!lane.isRunning && !this.isStopped) {
      lane.isRunning = true;
      clearTimeout(lane.idle);
      lane.running = new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.run(lane));
    }
  }

  private async run(lane: Lane): Promise<void> {
    while (lane.queue.size > 0 && !this.isStopped) {
      try {
        await lane.connection.connect();
        await (lane === this.main ? this.flush(lane, lane.queue.take()) : this.flushBusy());
      } catch (error) {
        this.logger.debug({ message: 'a flush did not reach the database', error: String(error) });
        await delay(CONNECT_AGAIN_AFTER_MS);
      }
      this.watchers.forEach((look) => look());
    }
    lane.isRunning = false;
    lane.idle = setTimeout(() => void lane.connection.close(), IDLE_MS_MAX).unref();
  }

  private async flush(lane: Lane, batch: Batch): Promise<void> {
    const { processId } = this.owner;
    const prepared = preparedOf(batch, this.owner);
    if (sizeOf(prepared) === 0) {
      return;
    }
    setSent(prepared.ends, true);
    lane.underWay = prepared.ends;
    const startedMs = performance.now();
    const answer = await this.send(lane, processId, prepared);
    lane.underWay = [];
    if (answer === null) {
      return;
    }
    this.isLockUnexplained &&= lane !== this.main;
    this.metrics.flushed({
      settlements: prepared.ends.length,
      leases: prepared.leases.length,
      durationMs: performance.now() - startedMs,
    });
    if (answer.isFenced) {
      await this.beFenced(processId, prepared);
    } else {
      this.deliver(prepared, answer);
    }
  }

  /** @returns null where it failed; its orders are queued again, or answered */
  private async send(lane: Lane, processId: string, batch: Batch): Promise<FlushAnswer | null> {
    try {
      return await lane.connection.flush(processId, batch);
    } catch (error) {
      if (error instanceof ConnectionLost) {
        this.metrics.lostConnections.add();
        await this.findOut(lane, processId, batch);
      } else {
        batch.leases.forEach((lease) => lease.takeBack());
        setSent(batch.ends, false);
        await this.recover(lane, batch, error);
      }
      return null;
    }
  }

  private deliver({ ends, begun, leases }: Batch, { balancesNanoUsd, lent }: FlushAnswer): void {
    const { owner } = this;
    begun.forEach((held) => owner.shown(held, true));
    ends.forEach((held, index) => {
      owner.ended(held, chargedNanoUsdOf(held), balancesNanoUsd[index] ?? 0n, held.end?.isTakenOver === true);
    });
    const rows = new Map(lent.map((row) => [row.item, row]));
    leases.forEach((lease, item) => {
      const { ask } = lease;
      const row = rows.get(item);
      lease.ask = null;
      if (row) {
        lease.grant(row, performance.now());
      } else if (ask && !ask.takes) {
        lease.isExact = true;
        lease.isRecalled = false;
        if (ask.isOver) {
          owner.lending.leases.remove(lease);
        } else if (lease.isWaitedFor) {
          this.touch(lease);
        }
      }
    });
    leases.forEach((lease, item) => {
      const row = rows.get(item);
      if (row) {
        owner.lending.lent(lease, row);
      }
    });
  }

  private async recover(lane: Lane, batch: Batch, error: unknown): Promise<void> {
    const sqlState = sqlStateOf(error);
    if (error instanceof TakenOver || (sqlState === QUERY_CANCELED && sizeOf(batch) === 1)) {
      setTakenOver(batch.ends, error instanceof TakenOver ? error.callIds : new Set());
      this.putBack(lane, batch);
    } else if (sqlState === LOCK_NOT_AVAILABLE) {
      await this.setAsideBusy(lane, batch, error);
    } else {
      await this.split(lane, batch, error);
    }
  }

  /** When no balance or key is found locked twice in a row, halving finds the locked account. */
  private async setAsideBusy(lane: Lane, batch: Batch, error: unknown): Promise<void> {
    if (lane === this.aside) {
      this.putBack(lane, batch);
      return;
    }
    const locked = await lane.connection.locked(this.owner.processId, batch).catch(() => null);
    if (locked?.size === 0 && this.isLockUnexplained) {
      const accounts = accountsOf(batch);
      if (accounts.size > 1) {
        await this.split(lane, batch, error);
        return;
      }
      accounts.forEach((accountId) => locked.add(accountId));
    }
    this.isLockUnexplained = locked?.size === 0;
    this.putBack(lane, batch);
    for (const accountId of locked ?? []) {
      this.busy.add(accountId);
      this.aside.queue.putBack(this.main.queue.takeOf(accountId));
    }
    if (this.busy.size > 0) {
      this.start(this.aside);
    }
  }

  private async flushBusy(): Promise<void> {
    const { aside, busy } = this;
    const [accountId] = busy;
    if (accountId === undefined) {
      this.main.queue.putBack(aside.queue.take());
      this.start(this.main);
      return;
    }
    busy.delete(accountId);
    busy.add(accountId);
    const batch = aside.queue.takeOf(accountId);
    await this.flush(aside, batch);
    const rest = aside.queue.takeOf(accountId);
    const isLocked =
      rest.ends.some((held) => batch.ends.includes(held)) ||
      rest.leases.some((lease) => batch.leases.includes(lease));
    if (isLocked) {
      aside.queue.putBack(rest);
      return;
    }
    busy.delete(accountId);
    this.main.queue.putBack(rest);
    this.start(this.main);
  }

  /** Finds one order's fault by halving, so that it does not fail the others. */
  private async split(lane: Lane, batch: Batch, error: unknown): Promise<void> {
    if (sizeOf(batch) === 1) {
      const { ends, begun, leases } = batch;
      ends.forEach((held) => this.owner.notEnded(held, error));
      begun.forEach((held) => this.owner.shown(held, false));
      leases.forEach((lease) => this.owner.lending.refused(lease, error));
      this.logger.error({ message: 'the database refused an order of the ledger', error: String(error) });
      return;
    }
    this.metrics.splits.add();
    // A half that waits must be found by `failUnsent` and `takeOf`.
    this.putBack(lane, batch);
    for (const half of halvesOf(batch)) {
      await this.flush(lane, lane.queue.takeBack(half));
    }
  }

  private async findOut(lane: Lane, processId: string, batch: Batch): Promise<void> {
    const found = await lane.connection.findOut(processId, batch, () => this.isStopped);
    if (!found) {
      batch.leases.forEach((lease) => lease.takeBack());
      this.putBack(lane, batch);
      return;
    }
    adopt(batch, found);
    const isOpen = (held: ReservedCall) => !found.ended.has(held.order.callId) && !isAbandoned(held);
    const open = batch.ends.filter(isOpen);
    for (const held of batch.ends) {
      const ended = found.ended.get(held.order.callId);
      if (ended) {
        const isTakenOver = ended.outcome !== held.end?.order.outcome;
        this.owner.ended(held, ended.chargedNanoUsd, ended.balanceNanoUsd, isTakenOver);
      } else if (isAbandoned(held)) {
        this.owner.abandoned(held);
      }
    }
    this.putBack(lane, { ends: open, begun: batch.begun, leases: batch.leases });
  }

  private async beFenced(processId: string, batch: Batch): Promise<void> {
    batch.leases.forEach((lease) => lease.takeBack());
    await this.owner.fenced(processId);
    batch.ends.forEach(endLost);
    batch.leases.filter(({ isLost }) => !isLost).forEach((lease) => this.touch(lease));
  }

  /** Queues a batch again, without what was lost meanwhile. */
  private putBack(lane: Lane, { ends, begun, leases }: Batch): void {
    ends.filter(({ isLost }) => isLost).forEach(endLost);
    const left = ends.filter(({ isLost }) => !isLost);
    // Abandoned charges are queued anew, as releases.
    lane.queue.putBack({ ends: left.filter((held) => !isAbandoned(held)), begun, leases });
    left.filter(isAbandoned).forEach((held) => this.owner.abandoned(held));
    // Orders of a locked account are nearly always under way, so the timer would not see them wait.
    this.failUnsent(performance.now());
  }
}
