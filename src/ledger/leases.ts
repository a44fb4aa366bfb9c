import { Lease, type LentRow, type WaitingExcess } from './lease';
import type { ReserveOrder, ReserveVerdict } from './ledger';

export type Refusal = Exclude<
  ReserveVerdict,
  { verdict: 'reserved' | 'key_invalid' | 'key_expired' | 'account_closed' }
>;

/** The lease of each account, key and secret by which this process reserves. */
export class Leases {
  private readonly byName = new Map<string, Lease>();
  private readonly byAccount = new Map<string, Set<Lease>>();

  get size(): number {
    return this.byName.size;
  }

  /** The one from which a call is reserved; a new one where the one before is over. */
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
    const leases = this.byAccount.get(lease.accountId);
    if (leases) {
      leases.add(lease);
    } else {
      this.byAccount.set(lease.accountId, new Set([lease]));
    }
  }

  /** Those of an account; of all accounts where it is null. */
  of(accountId: string | null): Iterable<Lease> {
    return accountId === null ? this.all() : (this.byAccount.get(accountId) ?? []);
  }

  *all(): Iterable<Lease> {
    for (const leases of this.byAccount.values()) {
      yield* leases;
    }
  }

  /** Whether another lease of the same key has something unused. */
  hasUnusedBeside(lease: Lease): boolean {
    for (const other of this.of(lease.accountId)) {
      if (other !== lease && other.keyId === lease.keyId && other.roomNanoUsd > 0n) {
        return true;
      }
    }
    return false;
  }

  /** Whether more of an excess could be had, once the other leases of this process have given back or others were refused. */
  hasMore(lease: Lease, { wantedNanoUsd, reservedNanoUsd }: WaitingExcess, row: LentRow): boolean {
    let [unused, unusedByKey] = [0n, 0n];
    for (const other of this.of(lease.accountId)) {
      const nanoUsd = other === lease ? 0n : other.roomNanoUsd;
      unused += nanoUsd;
      unusedByKey += other.keyId === lease.keyId ? nanoUsd : 0n;
    }
    const bounds = [BigInt(row.available) + unused];
    for (const [limit, spentNanoUsd] of [
      [row.daily_limit, BigInt(row.day_spent) - unusedByKey],
      [row.monthly_limit, BigInt(row.month_spent) - unusedByKey],
      [row.per_request_limit, reservedNanoUsd + lease.roomNanoUsd],
    ] as const) {
      if (limit !== null) {
        bounds.push(BigInt(limit) - spentNanoUsd);
      }
    }
    return lease.roomNanoUsd < wantedNanoUsd && bounds.every((bound) => bound > 0n);
  }

  /** From here on another lease takes its place. */
  retire(lease: Lease): void {
    lease.retire();
    if (this.byName.get(lease.name) === lease) {
      this.byName.delete(lease.name);
    }
  }

  /** Nothing is left of it. */
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
   * Why a call is refused, by what balance and limits have beside the leases, and what the leases of this process have unused.
   * The balance goes first, then the limits from the shortest period to the longest.
   * @param ofKey the only lease of its key that has anything unused
   * @returns null where it would fit, once this process has given back what its other leases have
   */
  refusal(order: ReserveOrder, row: LentRow, ofKey: Lease): Refusal | null {
    const { amountNanoUsd: amount, accountId } = order;
    const unusedByKey = ofKey.roomNanoUsd;
    let unused = 0n;
    for (const lease of this.of(accountId)) {
      unused += lease.roomNanoUsd;
    }
    const availableNanoUsd = BigInt(row.available) + unused;
    const limits = [
      { verdict: 'per_request' as const, limit: row.per_request_limit, spent: 0n, resetsAtMs: null },
      {
        verdict: 'daily' as const,
        limit: row.daily_limit,
        spent: BigInt(row.day_spent) - unusedByKey,
        resetsAtMs: row.day_ends,
      },
      {
        verdict: 'monthly' as const,
        limit: row.monthly_limit,
        spent: BigInt(row.month_spent) - unusedByKey,
        resetsAtMs: row.month_ends,
      },
    ].flatMap(({ limit, ...of }) => (limit === null ? [] : [{ ...of, limit: BigInt(limit) }]));
    const rooms = limits.map(({ limit, spent }) => limit - spent);
    const roomNanoUsd = rooms.reduce((least, room) => (room < least ? room : least), availableNanoUsd);
    if (availableNanoUsd < amount) {
      return { verdict: 'insufficient_credits', availableNanoUsd, roomNanoUsd };
    }
    const passed = limits.find(({ limit, spent }) => spent + amount > limit);
    return passed
      ? {
          verdict: passed.verdict,
          limitNanoUsd: passed.limit,
          spentNanoUsd: passed.spent,
          resetsAt: passed.resetsAtMs === null ? null : new Date(passed.resetsAtMs),
          roomNanoUsd,
        }
      : null;
  }
}
