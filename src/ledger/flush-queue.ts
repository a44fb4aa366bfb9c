import type { Batch } from './flush-connection';
import type { HeldCall } from './leases';
import type { Lease, LentRow } from './lease';

/** Of each kind. Postgres looks the rows of one through for each of another. */
const ITEMS_MAX = 300;

/** Whose orders these are, and what becomes of them. */
export interface FlushOwner {
  /** The process by which the next flush is fenced. */
  readonly processId: string;
  /** Whether a lease of this account may ask for more than it needs. */
  hasSlack(accountId: string): boolean;
  ended(held: HeldCall, chargedNanoUsd: bigint, balanceNanoUsd: bigint, isTakenOver: boolean): void;
  /** A call whose end Postgres refuses; it is in flight still. */
  notEnded(held: HeldCall, error: unknown): void;
  /** A call whose charge was not carried out, although its caller was told that nobody knows. */
  abandoned(held: HeldCall): void;
  /** Whether readers see a call now; the database may have refused to take it. */
  shown(held: HeldCall, isShown: boolean): void;
  lent(lease: Lease, row: LentRow): void;
  /** Nothing is left of a lease that was retired. */
  removed(lease: Lease): void;
  refused(lease: Lease, error: unknown): void;
  /** Others have ended the process: nothing of a flush was carried out. */
  fenced(processId: string): Promise<void>;
}

/** What waits for a flush. */
export class FlushQueue {
  ends: HeldCall[] = [];
  begun: HeldCall[] = [];
  readonly leases = new Set<Lease>();

  get size(): number {
    return this.ends.length + this.begun.length + this.leases.size;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** @returns the calls whose ends are dropped */
  clear(): HeldCall[] {
    const dropped = this.ends;
    this.ends = [];
    this.begun = [];
    this.leases.clear();
    return dropped;
  }

  /** Takes out the charges that were never sent and have waited for too long. */
  takeUnsent(nowMs: number): HeldCall[] {
    const isUnsent = ({ end }: HeldCall) =>
      end !== null && !end.wasSent && end.order.outcome === 'settled' && end.sendByMs <= nowMs;
    const unsent = this.ends.filter(isUnsent);
    if (unsent.length > 0) {
      this.ends = this.ends.filter((held) => !isUnsent(held));
    }
    return unsent;
  }

  take(): Batch {
    const ends = this.ends.splice(0, ITEMS_MAX);
    const begun = this.begun.splice(0, ITEMS_MAX);
    const leases = [...this.leasesInOrder(ends)].slice(0, ITEMS_MAX);
    leases.forEach((lease) => this.leases.delete(lease));
    return { ends, begun, leases };
  }

  /** What a call leaves unused is given back by the flush that ends it: others would be refused for it in between. */
  private leasesInOrder(ends: readonly HeldCall[]): ReadonlySet<Lease> {
    if (this.leases.size <= ITEMS_MAX) {
      return this.leases;
    }
    const first = ends.map(({ lease }) => lease).filter((lease) => this.leases.has(lease));
    return new Set([...first, ...this.leases]);
  }

  putBack({ ends, begun, leases }: Batch): void {
    this.ends.unshift(...ends);
    this.begun.unshift(...begun);
    leases.forEach((lease) => this.leases.add(lease));
  }

  /** Takes out what concerns an account. */
  takeOf(accountId: string): Batch {
    const all = { ends: this.ends, begun: this.begun, leases: [...this.leases] };
    const [taken, rest] = dividedBy(all, new Set([accountId]));
    [this.ends, this.begun] = [[...rest.ends], [...rest.begun]];
    taken.leases.forEach((lease) => this.leases.delete(lease));
    return taken;
  }
}

export function accountsOf({ ends, begun, leases }: Batch): Set<string> {
  return new Set([
    ...[...ends, ...begun].map(({ order }) => order.accountId),
    ...leases.map(({ accountId }) => accountId),
  ]);
}

/** What concerns these accounts, and the rest. */
export function dividedBy(batch: Batch, accounts: ReadonlySet<string>): [Batch, Batch] {
  const part = (isOf: boolean): Batch => ({
    ends: batch.ends.filter(({ order }) => accounts.has(order.accountId) === isOf),
    begun: batch.begun.filter(({ order }) => accounts.has(order.accountId) === isOf),
    leases: batch.leases.filter(({ accountId }) => accounts.has(accountId) === isOf),
  });
  return [part(true), part(false)];
}

/** The kinds of a batch by themselves, or the halves of its only kind. */
export function halvesOf({ ends, begun, leases }: Batch): Batch[] {
  const none: Batch = { ends: [], begun: [], leases: [] };
  const kinds = [
    { ...none, ends },
    { ...none, begun },
    { ...none, leases },
  ].filter((kind) => kind.ends.length + kind.begun.length + kind.leases.length > 0);
  if (kinds.length > 1) {
    return kinds;
  }
  const middle = Math.ceil((ends.length + begun.length + leases.length) / 2);
  return [
    [0, middle],
    [middle, Infinity],
  ].map(([from, to]) => ({
    ends: ends.slice(from, to),
    begun: begun.slice(from, to),
    leases: leases.slice(from, to),
  }));
}
