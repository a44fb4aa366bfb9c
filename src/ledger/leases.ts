import { Lease, type LentRow, type WaitingExcess } from './lease';
import type { ReserveOrder, ReserveVerdict, Settlement, SettleOrder } from './ledger';

export type Refusal = Exclude<
  ReserveVerdict,
  { verdict: 'reserved' | 'key_invalid' | 'key_expired' | 'account_closed' }
>;

export class Leases {
  private readonly byName = new Map<string, Lease>();
  private readonly byAccount = new Map<string, Set<Lease>>();

  get size(): number {
    return this.byName.size;
  }

  for(order: ReserveOrder): Lease {
    const { accountId, keyId, secretHash = null } = order;
    const name = `${accountId}${keyId ?? ''}${secretHash?.toString('latin1') ?? ''}`;
    let lease = this.byName.get(name);
    if (!lease) {
      lease = new Lease(accountId, keyId, secretHash, name);
      this.byName.set(name, lease);
      this.add(lease);
    }
    lease.orderedAtMs = Math.max(lease.orderedAtMs, order.now.getTime());
    if (order.amountNanoUsd > lease.largestNanoUsd) {
      lease.largestNanoUsd = order.amountNanoUsd;
    }
    return lease;
  }

  add(lease: Lease): void {
    const leases = this.byAccount.get(lease.accountId) ?? new Set();
    leases.add(lease);
    this.byAccount.set(lease.accountId, leases);
  }

  /** Null for all accounts. */
  of(accountId: string | null): Iterable<Lease> {
    return accountId === null ? this.all() : (this.byAccount.get(accountId) ?? []);
  }

  *all(): Iterable<Lease> {
    for (const leases of this.byAccount.values()) {
      yield* leases;
    }
  }

  hasUnusedBeside(lease: Lease): boolean {
    for (const other of this.of(lease.accountId)) {
      if (other !== lease && other.keyId === lease.keyId && other.roomNanoUsd > 0n) {
        return true;
      }
    }
    return false;
  }

  /** Whether more could be charged once this process's other leases gave back or others were refused. */
  hasMore(lease: Lease, { wantedNanoUsd, reservedNanoUsd }: WaitingExcess, row: LentRow): boolean {
    let [unused, unusedByKey] = [0n, 0n];
    for (const other of this.of(lease.accountId)) {
      const nanoUsd = other === lease ? 0n : other.roomNanoUsd;
      unused += nanoUsd;
      unusedByKey += other.keyId === lease.keyId ? nanoUsd : 0n;
    }
    const limits = limitsOf(row, unusedByKey, reservedNanoUsd + lease.roomNanoUsd);
    return (
      lease.roomNanoUsd < wantedNanoUsd &&
      BigInt(row.available) + unused > 0n &&
      limits.every(({ limitNanoUsd, spentNanoUsd }) => spentNanoUsd < limitNanoUsd)
    );
  }

  retire(lease: Lease): void {
    lease.retire();
    if (this.byName.get(lease.name) === lease) {
      this.byName.delete(lease.name);
    }
  }

  remove(lease: Lease): void {
    const leases = this.byAccount.get(lease.accountId);
    leases?.delete(lease);
    if (leases?.size === 0) {
      this.byAccount.delete(lease.accountId);
    }
  }

  clear(): void {
    for (const lease of this.all()) {
      lease.retire();
      lease.isLost = true;
    }
    this.byName.clear();
    this.byAccount.clear();
  }

  /**
   * Why balance or limits refuse a call; unused amounts of this process's leases count as available.
   * @param ofKey the only lease of its key with anything unused
   * @returns null where it fits once they are given back
   */
  refusal(order: ReserveOrder, row: LentRow, ofKey: Lease): Refusal | null {
    const { amountNanoUsd: amount, accountId } = order;
    let unused = 0n;
    for (const lease of this.of(accountId)) {
      unused += lease.roomNanoUsd;
    }
    const availableNanoUsd = BigInt(row.available) + unused;
    const limits = limitsOf(row, ofKey.roomNanoUsd, 0n);
    const rooms = limits.map(({ limitNanoUsd, spentNanoUsd }) => limitNanoUsd - spentNanoUsd);
    const roomNanoUsd = rooms.reduce((least, room) => (room < least ? room : least), availableNanoUsd);
    if (availableNanoUsd < amount) {
      return { verdict: 'insufficient_credits', availableNanoUsd, roomNanoUsd };
    }
    const passed = limits.find(({ limitNanoUsd, spentNanoUsd }) => spentNanoUsd + amount > limitNanoUsd);
    return passed ? { ...passed, roomNanoUsd } : null;
  }
}

/** @param unusedByKey unused in this process's leases, though the row counts it as spent */
function limitsOf(row: LentRow, unusedByKey: bigint, spentByCall: bigint) {
  const limits = [
    ['per_request', row.per_request_limit, spentByCall, null],
    ['daily', row.daily_limit, BigInt(row.day_spent) - unusedByKey, row.day_ends],
    ['monthly', row.monthly_limit, BigInt(row.month_spent) - unusedByKey, row.month_ends],
  ] as const;
  return limits.flatMap(([verdict, limit, spentNanoUsd, endsAtMs]) => {
    const resetsAt = endsAtMs === null ? null : new Date(endsAtMs);
    return limit === null ? [] : [{ verdict, limitNanoUsd: BigInt(limit), spentNanoUsd, resetsAt }];
  });
}

/** A charge may be durable already, so it is waited for longer than a database takes to restart. */
export const ENDED_WITHIN_MS = { settled: 15_000, released: 500, expired: 5_000 };
const SENT_WITHIN_MS = 4_500;

export interface ReservedCall {
  readonly order: ReserveOrder;
  readonly lease: Lease;
  /** The lease that pays for what it costs beyond its reservation. */
  excess: { readonly lease: Lease; readonly nanoUsd: bigint } | null;
  /** Whether the database has its row, which makes it visible to readers, or is about to. */
  shown: 'no' | 'soon' | 'yes';
  end: CallEnd | null;
  isLost: boolean;
  /** By performance.now(). */
  readonly beganAtMs: number;
}

/** How a call is to end. Of several ends the first counts. Times are by performance.now(). */
export class CallEnd {
  chargeNanoUsd = 0n;
  /** A retry took over the Idempotency-Key and is charged in this call's place. */
  isTakenOver = false;
  wasSent = false;
  /** A charge that was not sent by then is never made. */
  readonly sendByMs = performance.now() + SENT_WITHIN_MS;
  readonly deadlineMs: number;
  readonly settled: Promise<Settlement>;
  /** How it ended, which may be known after the caller was answered; null where it was not carried out. */
  readonly outcome: Promise<Settlement | null>;
  /** Its caller was answered that the outcome is unknown: if not carried out by then, it never will be. */
  isGivenUp = false;
  giveUp!: (error: unknown) => void;
  private answer!: (settlement: Settlement) => void;
  private know!: (settlement: Settlement | null) => void;

  constructor(readonly order: SettleOrder) {
    this.deadlineMs = performance.now() + ENDED_WITHIN_MS[order.outcome];
    this.settled = new Promise((resolve, reject) => {
      this.answer = resolve;
      this.giveUp = reject;
    });
    this.outcome = new Promise((resolve) => (this.know = resolve));
  }

  resolve(settlement: Settlement): void {
    this.answer(settlement);
    this.know(settlement);
  }

  fail(error: unknown): void {
    this.giveUp(error);
    this.know(null);
  }
}

export const GONE_SETTLEMENT: Settlement = Object.freeze({
  verdict: 'gone',
  chargedNanoUsd: 0n,
  balanceNanoUsd: 0n,
});

export function endLost({ end }: ReservedCall): void {
  end?.resolve(GONE_SETTLEMENT);
}

export function unspent({ order, excess }: ReservedCall, { chargeNanoUsd }: CallEnd): bigint {
  const nanoUsd = order.amountNanoUsd - (chargeNanoUsd - (excess?.nanoUsd ?? 0n));
  return nanoUsd > 0n ? nanoUsd : 0n;
}

export function chargedNanoUsdOf({ end }: ReservedCall): bigint {
  return !end || end.isTakenOver ? 0n : end.chargeNanoUsd;
}

export function spentOf(
  ends: readonly ReservedCall[],
  chargedOf: (held: ReservedCall) => bigint = chargedNanoUsdOf,
): Map<Lease, bigint> {
  const spent = new Map<Lease, bigint>();
  const spend = (lease: Lease, nanoUsd: bigint) => spent.set(lease, (spent.get(lease) ?? 0n) + nanoUsd);
  for (const held of ends) {
    const chargedNanoUsd = chargedOf(held);
    const excessNanoUsd = chargedNanoUsd > 0n ? (held.excess?.nanoUsd ?? 0n) : 0n;
    spend(held.lease, chargedNanoUsd - excessNanoUsd);
    if (held.excess) {
      spend(held.excess.lease, excessNanoUsd);
    }
  }
  return spent;
}

export function setSent(calls: readonly ReservedCall[], wasSent: boolean): void {
  for (const { end } of calls) {
    if (end) {
      end.wasSent = wasSent;
    }
  }
}

export function setTakenOver(calls: readonly ReservedCall[], callIds: ReadonlySet<string>): void {
  for (const { order, end } of calls) {
    if (end) {
      end.isTakenOver ||= callIds.has(order.callId);
    }
  }
}

/** A charge whose caller was answered "unknown", and which is never to be made. */
export function isAbandoned({ end }: ReservedCall): boolean {
  return end !== null && end.isGivenUp && end.order.outcome === 'settled';
}
