import type { LimitChange } from '../../../src/accounts/access-keys';

/** What refuses the calls that do not fit. */
export type Bound = 'balance' | 'daily' | 'monthly' | 'balance and limits' | 'nothing';

const BOUNDS: readonly Bound[] = ['balance', 'daily', 'monthly', 'balance and limits', 'nothing'];

/** An account whose calls, all of one price, do not all fit; which of them do depends on who comes first. */
export interface TightAccount {
  bound: Bound;
  priceNanoUsd: bigint;
  balanceNanoUsd: bigint;
  /** One per key; the calls go to the keys by turns. */
  keyLimits: LimitChange[];
  callsPerKey: number;
}

/** The accounts of a race by turns of every bound, with one or two keys. Nowhere do limits or balances come out even. */
export function tightAccount(index: number, calls: number, priceNanoUsd: bigint): TightAccount {
  const bound = BOUNDS[index % BOUNDS.length] ?? 'nothing';
  const keys = bound === 'balance and limits' || index % 2 === 0 ? 2 : 1;
  const almost = (share: number) => BigInt(Math.floor(calls * share) + 1) * priceNanoUsd - 1n;
  const limitsOf = (key: number): LimitChange => {
    switch (bound) {
      case 'daily':
        return { dailyLimitNano: almost(0.2 + 0.1 * key), monthlyLimitNano: almost(1) };
      case 'monthly':
        return { monthlyLimitNano: almost(0.3) };
      case 'balance and limits':
        return { dailyLimitNano: almost(0.3), monthlyLimitNano: almost(0.35) };
      default:
        return {};
    }
  };
  const isPoor = bound === 'balance' || bound === 'balance and limits';
  return {
    bound,
    priceNanoUsd,
    balanceNanoUsd: almost(isPoor ? 0.45 : 1),
    keyLimits: Array.from({ length: keys }, (_, key) => limitsOf(key)),
    callsPerKey: calls / keys,
  };
}

/** How many calls a sequential model lets pass, whatever their order: no charge is ever given back. */
export function fittingCalls(account: TightAccount): number {
  const fit = (room: bigint | null | undefined) =>
    (room ?? null) === null ? Infinity : Number((room as bigint) / account.priceNanoUsd);
  const byKeys = account.keyLimits.map(({ dailyLimitNano, monthlyLimitNano }) =>
    Math.min(account.callsPerKey, fit(dailyLimitNano), fit(monthlyLimitNano)),
  );
  return Math.min(
    fit(account.balanceNanoUsd),
    byKeys.reduce((sum, calls) => sum + calls, 0),
  );
}
