import type { Lease } from './lease';
import type { ReserveOrder, Settlement, SettleOrder } from './ledger';

/** A charge that may be durable already is waited for longer than a database takes to restart. */
export const ENDED_WITHIN_MS = { settled: 15_000, released: 500, expired: 5_000 };
const SENT_WITHIN_MS = 4_500;

/** A call in flight. */
export interface HeldCall {
  readonly order: ReserveOrder;
  readonly lease: Lease;
  /** Where what it costs beyond its reservation is taken from. */
  excess: { readonly lease: Lease; readonly nanoUsd: bigint } | null;
  /** Whether the database has a row of it, for readers, or is being given one. */
  shown: 'no' | 'soon' | 'yes';
  end: CallEnd | null;
  /** Others have ended the process that reserved it. */
  isLost: boolean;
  /** By performance.now(). */
  readonly beganAtMs: number;
}

/** How a call ends. Of several ends the first counts. */
export interface CallEnd {
  readonly order: SettleOrder;
  chargeNanoUsd: bigint;
  readonly deadlineMs: number;
  /** Whether it was ever sent to the database. */
  wasSent: boolean;
  /** If it was not sent until then, it is not carried out. */
  readonly sendByMs: number;
  /** What its caller is told. */
  readonly settled: Promise<Settlement>;
  /** How it ended, which may be known later; null where it was not carried out. */
  readonly outcome: Promise<Settlement | null>;
  readonly resolve: (settlement: Settlement) => void;
  /** Nobody knows its outcome yet, but its caller has to be told something. */
  readonly giveUp: (error: unknown) => void;
  /** It was not carried out. */
  readonly fail: (error: unknown) => void;
  /** Its caller was told that nobody knows its outcome. Should it not have been carried out, it never will be. */
  isGivenUp: boolean;
}

export const GONE: Settlement = Object.freeze({ verdict: 'gone', chargedNanoUsd: 0n, balanceNanoUsd: 0n });

/** What a call has reserved, and does not need any more. */
export function unspent({ order, excess }: HeldCall, { chargeNanoUsd }: CallEnd): bigint {
  const nanoUsd = order.amountNanoUsd - (chargeNanoUsd - (excess?.nanoUsd ?? 0n));
  return nanoUsd > 0n ? nanoUsd : 0n;
}

/** What calls that end take from each lease. */
export function spentOf(
  ends: readonly HeldCall[],
  chargedOf: (held: HeldCall) => bigint,
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

/** The end of a call as it is asked for. */
export function endOf(order: SettleOrder): CallEnd {
  let tell: (settlement: Settlement) => void = () => undefined;
  let giveUp: CallEnd['giveUp'] = () => undefined;
  const settled = new Promise<Settlement>((resolve, reject) => {
    tell = resolve;
    giveUp = reject;
  });
  let know: (settlement: Settlement | null) => void = () => undefined;
  const outcome = new Promise<Settlement | null>((resolve) => (know = resolve));
  return {
    order,
    chargeNanoUsd: 0n,
    deadlineMs: performance.now() + ENDED_WITHIN_MS[order.outcome],
    settled,
    outcome,
    resolve: (settlement) => {
      tell(settlement);
      know(settlement);
    },
    giveUp,
    fail: (error) => {
      giveUp(error);
      know(null);
    },
    isGivenUp: false,
    wasSent: false,
    sendByMs: performance.now() + SENT_WITHIN_MS,
  };
}

/** Notes whether ends were sent to the database. */
export function setSent(calls: readonly HeldCall[], wasSent: boolean): void {
  for (const { end } of calls) {
    if (end) {
      end.wasSent = wasSent;
    }
  }
}

/** Nobody was told that it is charged, and it never will be. */
export function isAbandoned({ end }: HeldCall): boolean {
  return end !== null && end.isGivenUp && end.order.outcome === 'settled';
}
