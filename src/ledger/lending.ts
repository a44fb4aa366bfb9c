import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import { DatabaseAway, NothingReserved } from '../errors/api-errors';
import type { Flusher } from './flusher';
import { Lease, type LentRow, type WaitingExcess, type WaitingOrder } from './lease';
import { Leases, type Refusal } from './leases';
import type { ReserveOrder, ReserveVerdict } from './ledger';
import type { LedgerMetrics } from './ledger.metrics';
import type { SilentProcesses } from './silent-processes';

const GIVEN_BACK_WITHIN_MS = 10_000;
const IDLE_AFTER_MS = 60_000;
/** After a recall a lease has no more than its calls need for this long. */
const EXACT_FOR_MS = 1_000;
/** How often a lease asks again while others give back, unless they report it first. */
const ASKED_AGAIN_AFTER_MS = 25;
const REFUSED_AGAIN_AFTER_MS = 1_000;
const LIMITS_REPORTED_MAX = 10_000;

const TELL_LIMIT = 'SELECT ledger_tell_limit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';

export const RESERVED: ReserveVerdict = Object.freeze({ verdict: 'reserved' });

interface LendingParts {
  database: DataSource;
  flusher: Flusher;
  metrics: LedgerMetrics;
  silent: SilentProcesses;
  hold: (lease: Lease, order: ReserveOrder) => void;
}

/** Refuses only when nobody has unused credit of the account: others are asked to give back first. */
export class Lending {
  readonly leases = new Leases();
  waiting = 0;
  private readonly logger = new Logger('Ledger');
  private readonly waitingLeases = new Set<Lease>();
  private readonly exactUntilMs = new Map<string, number>();
  private readonly limitsReported = new LRUCache<string, true>({ max: LIMITS_REPORTED_MAX });

  constructor(private readonly parts: LendingParts) {}

  hasSlack(accountId: string): boolean {
    const untilMs = this.exactUntilMs.get(accountId);
    return untilMs === undefined || performance.now() > untilMs;
  }

  leaseFor(order: ReserveOrder): Lease {
    const lease = this.leases.for(order);
    if (order.now.getTime() < lease.endsAtMs) {
      return lease;
    }
    this.retire(lease);
    return this.leases.for(order);
  }

  ask(order: ReserveOrder, deadlineMs: number): Promise<ReserveVerdict> {
    return new Promise((resolve, reject) => {
      this.waiting += 1;
      this.wait({ order, isInFlush: false, deadlineMs, resolve, reject });
    });
  }

  lent(lease: Lease, row: LentRow): void {
    if (row.verdict === 'stale') {
      this.replace(lease);
    } else if (row.verdict !== 'lent') {
      this.refuse(lease, row.verdict);
    } else {
      this.serve(lease, row);
      this.serveExcess(lease, row);
      if (lease.isRetired && lease.isWaitedFor) {
        this.replace(lease);
      }
    }
    if (lease.waiting.length === 0) {
      this.waitingLeases.delete(lease);
    }
    if (lease.isExact || lease.isRetired || lease.isRecalled) {
      this.parts.flusher.touch(lease);
    }
  }

  refused(lease: Lease, error: unknown): void {
    this.waiting -= lease.waiting.length;
    lease.waiting.splice(0).forEach(({ reject }) => reject(error));
    lease.excess?.reject(error);
    lease.excess = null;
    this.waitingLeases.delete(lease);
    // Retries what it was to give back.
    setTimeout(() => this.parts.flusher.touch(lease), REFUSED_AGAIN_AFTER_MS).unref();
  }

  /** Drops all leases after others took them back; waiting reservations ask for new ones. */
  lose(): void {
    const waiting = [...this.waitingLeases].flatMap((lease) => lease.waiting.splice(0));
    for (const lease of this.leases.all()) {
      lease.excess?.resolve({ lease, nanoUsd: 0n });
      lease.excess = null;
    }
    this.leases.clear();
    this.waitingLeases.clear();
    waiting.forEach((order) => this.wait(order));
  }

  /** Ends reservations by old keys and limits; resolves when the database has all that was unused. */
  async giveBack(accountId: string | null): Promise<void> {
    if (accountId !== null) {
      this.exactUntilMs.set(accountId, performance.now() + EXACT_FOR_MS);
    }
    const leases = [...this.leases.of(accountId)];
    leases.forEach((lease) => this.retire(lease));
    await this.parts.flusher.until(
      () => leases.every(({ isGivenBack }) => isGivenBack),
      GIVEN_BACK_WITHIN_MS,
    );
  }

  recall(accountId: string): void {
    this.exactUntilMs.set(accountId, performance.now() + EXACT_FOR_MS);
    for (const lease of this.leases.of(accountId)) {
      lease.isRecalled = true;
      this.parts.flusher.touch(lease);
    }
  }

  /** @param accountId empty where it is unknown */
  askAgain(accountId: string): void {
    for (const lease of this.waitingLeases) {
      if (accountId === '' || lease.accountId === accountId) {
        lease.againAtMs = 0;
        this.parts.flusher.touch(lease);
      }
    }
  }

  /** Queues an excess, in a lease of its own. @returns how much of it can be charged */
  askExcess(
    { accountId, keyId }: Pick<ReserveOrder, 'accountId' | 'keyId'>,
    wanted: Omit<WaitingExcess, 'resolve' | 'reject'>,
  ): Promise<{ lease: Lease; nanoUsd: bigint }> {
    return new Promise((resolve, reject) => {
      this.waitExcess(new Lease(accountId, keyId, null, '', true), { ...wanted, resolve, reject });
    });
  }

  rejectOverdue(nowMs: number): void {
    for (const lease of this.waitingLeases) {
      this.rejectOverdueOf(lease, nowMs);
    }
  }

  tidy(nowMs: number): void {
    for (const lease of [...this.leases.all()]) {
      if (!lease.isRetired && !lease.isWaitedFor && nowMs - lease.usedAtMs > IDLE_AFTER_MS) {
        this.retire(lease);
      }
    }
    for (const [accountId, untilMs] of this.exactUntilMs) {
      if (nowMs > untilMs) {
        this.exactUntilMs.delete(accountId);
      }
    }
  }

  private waitExcess(lease: Lease, excess: WaitingExcess): void {
    lease.excess = excess;
    this.leases.add(lease);
    this.waitingLeases.add(lease);
    this.parts.flusher.touch(lease);
  }

  private wait(waiting: WaitingOrder): void {
    const lease = this.leaseFor(waiting.order);
    waiting.isInFlush = false;
    lease.waiting.push(waiting);
    this.waitingLeases.add(lease);
    this.parts.flusher.touch(lease);
  }

  private replace(lease: Lease): void {
    const waiting = lease.waiting.splice(0);
    const { excess, accountId, keyId } = lease;
    lease.excess = null;
    this.waitingLeases.delete(lease);
    this.retire(lease);
    if (excess) {
      this.waitExcess(new Lease(accountId, keyId, null, '', true), excess);
    }
    waiting.forEach((order) => this.wait(order));
  }

  /** The flush under way may have been lent the amount already, so it decides (lent). */
  private retire(lease: Lease): void {
    this.leases.retire(lease);
    this.parts.flusher.touch(lease);
    if (lease.isWaitedFor && !lease.ask?.takes) {
      this.replace(lease);
    }
  }

  private refuse(lease: Lease, verdict: 'account_closed' | 'key_invalid' | 'key_expired'): void {
    this.waiting -= lease.waiting.length;
    lease.waiting.splice(0).forEach(({ resolve }) => resolve({ verdict }));
    lease.excess?.resolve({ lease, nanoUsd: 0n });
    lease.excess = null;
    this.retire(lease);
  }

  /** Refuses only if nobody has anything to give back, and this flush asked for the order. */
  private serve(lease: Lease, row: LentRow): void {
    for (const one of lease.waiting.splice(0)) {
      const { order, resolve } = one;
      if (row.amount !== null && lease.fits(order.amountNanoUsd)) {
        this.waiting -= 1;
        this.parts.metrics.reservedByFlush.add();
        this.parts.hold(lease, order);
        resolve(RESERVED);
        continue;
      }
      const isOpen = !one.isInFlush || row.is_lent || this.leases.hasUnusedBeside(lease);
      const refusal = isOpen ? null : this.leases.refusal(order, row, lease);
      if (refusal) {
        this.waiting -= 1;
        this.reportLimit(order, row, refusal, resolve);
      } else {
        lease.waiting.push(one);
      }
    }
    if (lease.waiting.length > 0) {
      this.waitForOthers(lease, row.is_lent);
    }
  }

  private serveExcess(lease: Lease, row: LentRow): void {
    const { excess } = lease;
    if (!excess) {
      return;
    }
    if (row.is_lent || this.leases.hasMore(lease, excess, row)) {
      this.waitForOthers(lease, row.is_lent);
      return;
    }
    lease.excess = null;
    const bounds = [excess.wantedNanoUsd, lease.roomNanoUsd];
    if (lease.perRequestLimitNanoUsd !== null) {
      bounds.push(lease.perRequestLimitNanoUsd - excess.reservedNanoUsd);
    }
    const grantedNanoUsd = bounds.reduce((least, bound) => (bound < least ? bound : least));
    const heldNanoUsd = grantedNanoUsd > 0n ? grantedNanoUsd : 0n;
    lease.hold(heldNanoUsd, performance.now());
    lease.retire();
    excess.resolve({ lease, nanoUsd: heldNanoUsd });
    this.parts.flusher.touch(lease);
  }

  /** Other processes give back first; where they have nothing, the other leases of this process do. */
  private waitForOthers(lease: Lease, isLent: boolean): void {
    const waitMs = isLent ? ASKED_AGAIN_AFTER_MS : 0;
    this.waitingLeases.add(lease);
    lease.againAtMs = performance.now() + waitMs;
    setTimeout(() => this.parts.flusher.touch(lease), waitMs + 1).unref();
    for (const other of this.leases.of(lease.accountId)) {
      if (other.roomNanoUsd > 0n) {
        other.isRecalled ||= other !== lease;
        this.parts.flusher.touch(other);
      }
    }
    if (isLent) {
      this.parts.metrics.recalls.add();
      this.parts.silent.endSoon(lease.accountId);
    }
  }

  private reportLimit(
    order: ReserveOrder,
    row: LentRow,
    refusal: Refusal,
    resolve: (verdict: ReserveVerdict) => void,
  ): void {
    const isTold = row.tells_limit && !order.isAskedAgain;
    if (!isTold || (refusal.verdict !== 'daily' && refusal.verdict !== 'monthly')) {
      resolve(refusal);
      return;
    }
    const period = refusal.verdict === 'daily' ? row.day : row.month;
    const mark = `${order.keyId}:${refusal.verdict}:${period}:${refusal.limitNanoUsd}`;
    if (this.limitsReported.has(mark)) {
      resolve(refusal);
      return;
    }
    const { accountId, keyId, amountNanoUsd, operation, now } = order;
    const { limitNanoUsd, spentNanoUsd, resetsAt } = refusal;
    const amounts = [limitNanoUsd, spentNanoUsd, amountNanoUsd].map(String);
    this.parts.database
      .query(TELL_LIMIT, [accountId, keyId, refusal.verdict, ...amounts, period, resetsAt, operation, now])
      .then(() => this.limitsReported.set(mark, true))
      .catch((error: unknown) =>
        this.logger.warn({ message: 'a limit that was met was not told', error: String(error) }),
      )
      .finally(() => resolve(refusal));
  }

  private rejectOverdueOf(lease: Lease, nowMs: number): void {
    const overdue = lease.waiting.filter(({ deadlineMs }) => deadlineMs <= nowMs);
    if (overdue.length > 0) {
      const isLocked = this.parts.flusher.isLocked(lease.accountId);
      const message = isLocked ? 'The account is busy; call again.' : new DatabaseAway().message;
      this.waiting -= overdue.length;
      lease.waiting = lease.waiting.filter(({ deadlineMs }) => deadlineMs > nowMs);
      overdue.forEach(({ reject }) => reject(new NothingReserved(message)));
    }
    if (lease.excess && lease.excess.deadlineMs <= nowMs) {
      lease.excess.reject(new DatabaseAway());
      lease.excess = null;
      lease.retire();
    }
    if (!lease.isWaitedFor) {
      this.waitingLeases.delete(lease);
      this.parts.flusher.touch(lease);
    }
  }
}
