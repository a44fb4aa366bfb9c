import { newId } from '../runtime/ids';
import type { ReserveOrder, ReserveVerdict } from './ledger';

/** A reservation that waits for a flush to give its lease more. */
export interface WaitingOrder {
  readonly order: ReserveOrder;
  /** Whether the flush under way, or the latest one, asks for it: what that says is said of no order that came later. */
  isAsked: boolean;
  readonly deadlineMs: number;
  readonly resolve: (verdict: ReserveVerdict) => void;
  readonly reject: (error: unknown) => void;
}

/** What a call is charged beyond its reservation waits likewise, and is content with less. */
export interface WaitingExcess {
  readonly wantedNanoUsd: bigint;
  readonly reservedNanoUsd: bigint;
  /** The time of the settlement, in Unix milliseconds. */
  readonly nowMs: number;
  readonly deadlineMs: number;
  readonly resolve: (granted: { lease: Lease; nanoUsd: bigint }) => void;
  readonly reject: (error: unknown) => void;
}

/** A row of ledger_lend's answer. Amounts are texts of nano-USD, times milliseconds since 1970. */
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

/** What a lease asks of a flush. Amounts are nano-USD. */
interface Ask {
  readonly takes: boolean;
  readonly needsNanoUsd: readonly bigint[];
  readonly roomNanoUsd: bigint;
  readonly slackNanoUsd: bigint;
  readonly giveNanoUsd: bigint;
  readonly isOver: boolean;
  readonly answersRecall: boolean;
  /** The time by which the database judges, in Unix milliseconds. */
  readonly nowMs: number;
}

/** A first lease has room for so many calls, and one that lasts less than SHORT_MS for twice as many the next time. */
const CALLS_FIRST = 16n;
const CALLS_MAX = 16_384n;
const SHORT_MS = 5_000;
const LONG_MS = 30_000;
/** The clocks of two processes differ by less, because both carry on the database's. */
const CLOCKS_DIFFER_MS_MAX = 2_000;

/**
 * What this process may reserve of one account, by one key and secret, without asking: the database has moved it from the
 * balance's available part to its reserved one, and counts it as spent by the key. `total` is what the database knows, and
 * the calls in flight hold a part of it.
 */
export class Lease {
  readonly id = newId();
  totalNanoUsd = 0n;
  heldNanoUsd = 0n;
  /** The database knows that nothing of it is unused. */
  isExact = true;
  /** Nothing is reserved from it any more. */
  isRetired = false;
  isGranted = false;
  perRequestLimitNanoUsd: bigint | null = null;
  /** More is spent than a limit allows, which was lowered since: not even what costs nothing is reserved. */
  private isPassed = false;
  /** Until then a process may decide by it: the key's day ends, or the key or its secret does. Unix milliseconds. */
  endsAtMs = Infinity;
  waiting: WaitingOrder[] = [];
  excess: WaitingExcess | null = null;
  largestNanoUsd = 0n;
  /** When its latest order was made, in Unix milliseconds. */
  orderedAtMs = 0;
  usedAtMs = performance.now();
  /** Others have ended the process that had it. */
  isLost = false;
  /** Others wait for what is given back. */
  isRecalled = false;
  /** No sooner than this it is asked for again, because others have to give back first. */
  againAtMs = 0;
  /** What it asks of the flush under way. */
  ask: Ask | null = null;
  private slackCalls = CALLS_FIRST;
  /** What it had unused when it was granted last; 0 where the balance had nothing more for it. */
  private roomAtFirstNanoUsd = 0n;
  private toppedUpAtMs = -Infinity;

  /** @param secretHash null where no secret was shown; a lease for what calls cost beyond their reservations asks for none */
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

  /** The database has everything back that is unused; of a process that was ended, it has all. */
  get isGivenBack(): boolean {
    return this.isLost || (this.isExact && this.ask === null && this.roomNanoUsd === 0n);
  }

  /** Whether anybody waits for it. */
  get isAsked(): boolean {
    return this.waiting.length > 0 || this.excess !== null;
  }

  /**
   * Whether a call can be reserved without asking. Where its process is behind the others, these may have begun the next day of
   * the key, which they do where nobody has anything unused of the day before: so what calls of an exact lease leave goes back then.
   */
  takes({ amountNanoUsd, now }: ReserveOrder): boolean {
    // What a flush under way gives back may be committed already.
    const isExact = this.isExact || this.ask?.takes === false;
    const endsAtMs = isExact ? this.endsAtMs - CLOCKS_DIFFER_MS_MAX : this.endsAtMs;
    return (
      this.isGranted && this.waiting.length === 0 && this.fits(amountNanoUsd) && now.getTime() < endsAtMs
    );
  }

  /** Whether there is room for it, and no limit for a single call forbids it. */
  fits(amountNanoUsd: bigint): boolean {
    return (
      !this.isPassed &&
      amountNanoUsd <= this.totalNanoUsd - this.heldNanoUsd &&
      (this.perRequestLimitNanoUsd === null || amountNanoUsd <= this.perRequestLimitNanoUsd)
    );
  }

  /** Whether what a call costs beyond its reservation can be taken without asking. */
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
   * Says what it asks of the next flush, if anything: what its calls need, or more where little is left; or it gives back what
   * is unused where it is retired, exact or recalled.
   * @param spentNanoUsd what calls that end in the same flush are charged from it
   * @param hasSlack whether it may ask for more than it needs
   */
  prepare(spentNanoUsd: bigint, nowMs: number, hasSlack: boolean): boolean {
    const { isRetired, isExact, isRecalled, isAsked } = this;
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
    // Otherwise who asks in each flush, because calls go on coming, would never give back what others wait for.
    const givesFirst = isRecalled && roomNanoUsd > 0n;
    if (isAsked && nowMs >= this.againAtMs && !givesFirst) {
      this.ask = {
        ...nothing,
        takes: true,
        needsNanoUsd: this.needs(),
        slackNanoUsd: hasSlack && !this.isForExcess ? this.slackNanoUsd : 0n,
        nowMs: this.excess?.nowMs ?? this.orderedAtMs,
      };
    } else {
      // Whoever waits for others keeps nothing that those may wait for.
      const isOver = !isAsked && isRetired && this.heldNanoUsd === spentNanoUsd;
      const givesBack = (isAsked || isRetired || isExact || isRecalled) && roomNanoUsd > 0n;
      if (givesBack || isOver || isRecalled || (isRetired && !isExact)) {
        this.ask = { ...nothing, takes: false, giveNanoUsd: roomNanoUsd, isOver, answersRecall: isRecalled };
        this.totalNanoUsd -= roomNanoUsd;
      } else if (!isAsked && hasSlack && this.isLow) {
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

  /** Less than half of what it had is left: the next flush may bring more before a call has to wait for it. */
  get isLow(): boolean {
    return !this.isExact && !this.isRetired && this.roomNanoUsd * 2n < this.roomAtFirstNanoUsd;
  }

  private needs(): bigint[] {
    this.waiting.forEach((waiting) => (waiting.isAsked = true));
    return this.excess ? [this.excess.wantedNanoUsd] : this.waiting.map(({ order }) => order.amountNanoUsd);
  }

  /** How much it would like to have beyond what it needs. */
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
    this.isPassed = isAbove(row.day_spent, row.daily_limit) || isAbove(row.month_spent, row.monthly_limit);
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
