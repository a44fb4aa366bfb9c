import { newId } from '../runtime/ids';
import type { ReserveOrder, ReserveVerdict } from './ledger';

export interface WaitingOrder {
  readonly order: ReserveOrder;
  /** Whether the current or latest flush asks for it; that flush's answer decides no later order. */
  isInFlush: boolean;
  readonly deadlineMs: number;
  readonly resolve: (verdict: ReserveVerdict) => void;
  readonly reject: (error: unknown) => void;
}

export interface WaitingExcess {
  readonly wantedNanoUsd: bigint;
  readonly reservedNanoUsd: bigint;
  /** The settlement's time, in Unix milliseconds; `deadlineMs` is by performance.now(). */
  readonly nowMs: number;
  readonly deadlineMs: number;
  readonly resolve: (granted: { lease: Lease; nanoUsd: bigint }) => void;
  readonly reject: (error: unknown) => void;
}

/** A row of ledger_lend. Amounts are texts of nano-USD, times Unix milliseconds. */
export interface LentRow {
  item: number;
  verdict: 'lent' | 'account_closed' | 'key_invalid' | 'key_expired' | 'stale';
  amount: string | null;
  is_exact: boolean | null;
  is_lent: boolean;
  tells_limit: boolean;
  available: string;
  day_spent: string;
  month_spent: string;
  per_request_limit: string | null;
  daily_limit: string | null;
  monthly_limit: string | null;
  day: string | null;
  month: string | null;
  day_ends: number | null;
  month_ends: number | null;
  ends_at: number | null;
}

interface Ask {
  readonly takes: boolean;
  readonly needsNanoUsd: readonly bigint[];
  readonly roomNanoUsd: bigint;
  readonly slackNanoUsd: bigint;
  readonly giveNanoUsd: bigint;
  readonly isOver: boolean;
  readonly answersRecall: boolean;
  /** The time by which the database judges, Unix milliseconds. */
  readonly nowMs: number;
}

/** A first lease has room for CALLS_FIRST calls; one used up within SHORT_MS gets twice as many next time. */
const CALLS_FIRST = 16n;
const CALLS_MAX = 16_384n;
const SHORT_MS = 5_000;
const LONG_MS = 30_000;
/** Bounds the difference between two processes' clocks, which both follow the database's. */
const CLOCKS_DIFFER_MS_MAX = 2_000;

/**
 * What this process may reserve for one account, key and secret without asking: the database counts it as
 * reserved and spent. Calls in flight hold a part of `total`.
 */
export class Lease {
  readonly id = newId();
  totalNanoUsd = 0n;
  heldNanoUsd = 0n;
  /** The database knows that nothing of it is unused. */
  isExact = true;
  isRetired = false;
  isGranted = false;
  perRequestLimitNanoUsd: bigint | null = null;
  /** A lowered limit is exceeded: not even free calls are reserved. */
  private isLimitExceeded = false;
  /** Unix milliseconds until which it is valid: the key's day ends, or the key or its secret does. */
  endsAtMs = Infinity;
  waiting: WaitingOrder[] = [];
  excess: WaitingExcess | null = null;
  largestNanoUsd = 0n;
  /** Unix milliseconds, unlike `usedAtMs`. */
  orderedAtMs = 0;
  usedAtMs = performance.now();
  isLost = false;
  /** Others wait for what it gives back. */
  isRecalled = false;
  /** Not asked again before, because others have to give back first. */
  againAtMs = 0;
  ask: Ask | null = null;
  private slackCalls = CALLS_FIRST;
  /** Unused when last granted; 0 where the balance had no more. */
  private roomAtFirstNanoUsd = 0n;
  private toppedUpAtMs = -Infinity;

  /** @param secretHash null for no secret; leases for an excess have none */
  constructor(
    readonly accountId: string,
    readonly keyId: string | null,
    readonly secretHash: Buffer | null,
    readonly name: string,
    readonly isForExcess = false,
  ) {}

  get roomNanoUsd(): bigint {
    return this.totalNanoUsd - this.heldNanoUsd;
  }

  /** Whether the database has all unused credit back; of an ended process it has all. */
  get isGivenBack(): boolean {
    return this.isLost || (this.isExact && this.ask === null && this.roomNanoUsd === 0n);
  }

  get isWaitedFor(): boolean {
    return this.waiting.length > 0 || this.excess !== null;
  }

  /** Other processes may be ahead, and begin a key's next day once no lease has unused credit: exact leases end early. */
  takes({ amountNanoUsd, now }: ReserveOrder): boolean {
    // What the flush under way gives back may be committed already.
    const isExact = this.isExact || this.ask?.takes === false;
    const endsAtMs = isExact ? this.endsAtMs - CLOCKS_DIFFER_MS_MAX : this.endsAtMs;
    return (
      this.isGranted && this.waiting.length === 0 && this.fits(amountNanoUsd) && now.getTime() < endsAtMs
    );
  }

  fits(amountNanoUsd: bigint): boolean {
    return (
      !this.isLimitExceeded &&
      amountNanoUsd <= this.totalNanoUsd - this.heldNanoUsd &&
      (this.perRequestLimitNanoUsd === null || amountNanoUsd <= this.perRequestLimitNanoUsd)
    );
  }

  hasRoomBeyond({ amountNanoUsd }: ReserveOrder, chargeNanoUsd: bigint, now: Date): boolean {
    return (
      this.isGranted &&
      now.getTime() < this.endsAtMs &&
      chargeNanoUsd - amountNanoUsd <= this.roomNanoUsd &&
      (this.perRequestLimitNanoUsd === null || chargeNanoUsd <= this.perRequestLimitNanoUsd)
    );
  }

  /** @param nowMs by performance.now() */
  hold(nanoUsd: bigint, nowMs: number): void {
    this.heldNanoUsd += nanoUsd;
    this.usedAtMs = nowMs;
  }

  /**
   * Asks for what its calls need, more where little is left, or gives back what is unused.
   * @param spentNanoUsd charges from it in the same flush
   * @param hasSlack whether it may ask for more than it needs
   */
  prepare(spentNanoUsd: bigint, nowMs: number, hasSlack: boolean): boolean {
    const { isRetired, isExact, isRecalled, isWaitedFor } = this;
    const roomNanoUsd = this.roomNanoUsd > 0n ? this.roomNanoUsd : 0n;
    const nothing = {
      needsNanoUsd: [],
      roomNanoUsd,
      slackNanoUsd: 0n,
      giveNanoUsd: 0n,
      isOver: false,
      answersRecall: false,
      nowMs: this.orderedAtMs,
    };
    this.ask = null;
    if (this.isLost) {
      return false;
    }
    // Under steady calls a lease that always asks would never give back what others wait for.
    const givesFirst = isRecalled && roomNanoUsd > 0n;
    if (isWaitedFor && nowMs >= this.againAtMs && !givesFirst) {
      this.ask = {
        ...nothing,
        takes: true,
        needsNanoUsd: this.needs(),
        slackNanoUsd: hasSlack && !this.isForExcess ? this.slackNanoUsd : 0n,
        nowMs: this.excess?.nowMs ?? this.orderedAtMs,
      };
    } else {
      // A lease that waits for others keeps nothing that these may wait for.
      const isOver = !isWaitedFor && isRetired && this.heldNanoUsd === spentNanoUsd;
      const givesBack = (isWaitedFor || isRetired || isExact || isRecalled) && roomNanoUsd > 0n;
      if (givesBack || isOver || isRecalled || (isRetired && !isExact)) {
        this.ask = { ...nothing, takes: false, giveNanoUsd: roomNanoUsd, isOver, answersRecall: isRecalled };
        this.totalNanoUsd -= roomNanoUsd;
      } else if (!isWaitedFor && hasSlack && this.isLow) {
        this.ask = { ...nothing, takes: true, slackNanoUsd: this.slackNanoUsd };
      }
    }
    return this.ask !== null;
  }

  /** The flush was not carried out. */
  takeBack(): void {
    this.totalNanoUsd += this.ask?.giveNanoUsd ?? 0n;
    this.ask = null;
  }

  /** Asks before all is used, so that no call has to wait. */
  get isLow(): boolean {
    return !this.isExact && !this.isRetired && this.roomNanoUsd * 2n < this.roomAtFirstNanoUsd;
  }

  private needs(): bigint[] {
    this.waiting.forEach((waiting) => (waiting.isInFlush = true));
    return this.excess ? [this.excess.wantedNanoUsd] : this.waiting.map(({ order }) => order.amountNanoUsd);
  }

  private get slackNanoUsd(): bigint {
    return this.slackCalls * this.largestNanoUsd;
  }

  grant(row: LentRow, nowMs: number): void {
    if (row.amount === null) {
      return;
    }
    const totalNanoUsd = BigInt(row.amount);
    if (!row.is_exact && totalNanoUsd > this.totalNanoUsd) {
      const lastedMs = nowMs - this.toppedUpAtMs;
      if (lastedMs > LONG_MS) {
        this.slackCalls = CALLS_FIRST;
      } else if (lastedMs < SHORT_MS && this.slackCalls < CALLS_MAX) {
        this.slackCalls *= 2n;
      }
      this.toppedUpAtMs = nowMs;
    }
    this.totalNanoUsd = totalNanoUsd;
    const hasMore = BigInt(row.available) >= this.largestNanoUsd;
    this.roomAtFirstNanoUsd = hasMore ? this.roomNanoUsd : 0n;
    this.isExact = row.is_exact === true;
    this.isGranted = !this.isRetired;
    this.perRequestLimitNanoUsd = row.per_request_limit === null ? null : BigInt(row.per_request_limit);
    this.isLimitExceeded =
      isAbove(row.day_spent, row.daily_limit) || isAbove(row.month_spent, row.monthly_limit);
    this.endsAtMs = row.ends_at ?? Infinity;
  }

  retire(): void {
    this.isRetired = true;
    this.isGranted = false;
  }
}

function isAbove(spent: string, limit: string | null): boolean {
  return limit !== null && BigInt(spent) > BigInt(limit);
}
