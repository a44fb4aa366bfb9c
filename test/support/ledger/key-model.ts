import type { LimitChange } from '../../../src/accounts/access-keys';
import type { KeySpendingLimits } from '../../../src/accounts/spending-limits';
import { dayIn, endOfPeriod, monthIn } from './zone-periods';

const OVERLAPS_MAX = 5;

/** What was spent in one day or month; the empty text names the time before the first. */
export interface Counter {
  readonly period: string;
  readonly spent: bigint;
}

export interface Counters {
  readonly day: Counter;
  readonly month: Counter;
}

/** What a key should be. Amounts in nano-USD, null for no limit. */
export interface KeyModel extends Counters {
  readonly isActive: boolean;
  readonly expiresAtMs: number;
  readonly secret: string;
  /** The secrets that rotations have replaced and kept for an overlap. */
  readonly replaced: readonly { readonly secret: string; readonly validUntilMs: number }[];
  readonly zone: string;
  readonly perRequest: bigint | null;
  readonly daily: bigint | null;
  readonly monthly: bigint | null;
}

export const NOTHING_SPENT: Counters = { day: { period: '', spent: 0n }, month: { period: '', spent: 0n } };

export function newKey(secret: string, expiresAtMs: number): KeyModel {
  const none = { replaced: [], perRequest: null, daily: null, monthly: null };
  return { isActive: true, expiresAtMs, secret, zone: 'UTC', ...none, ...NOTHING_SPENT };
}

/** Whether the key takes this secret; null for no comparison. */
export function takes({ secret, replaced }: KeyModel, shown: string | null, nowMs: number): boolean {
  const overlaps = replaced.some((old) => old.secret === shown && old.validUntilMs > nowMs);
  return shown === null || shown === secret || overlaps;
}

/** The key after a rotation; null where the secrets that overlap already leave no room for one more. */
export function withSecret(
  { secret, replaced, ...key }: KeyModel,
  newSecret: string,
  { nowMs, overlapMs }: { nowMs: number; overlapMs: number },
): KeyModel | null {
  if (overlapMs === 0) {
    return { ...key, secret: newSecret, replaced: [] };
  }
  const running = replaced.filter((old) => old.validUntilMs > nowMs);
  return running.length >= OVERLAPS_MAX
    ? null
    : { ...key, secret: newSecret, replaced: [...running, { secret, validUntilMs: nowMs + overlapMs }] };
}

/** The counters as they stand at a moment. A clock that runs behind opens no earlier period again. */
export function countersAt({ day, month, zone }: KeyModel, nowMs: number): Counters {
  const at = (counter: Counter, period: string): Counter =>
    counter.period < period ? { period, spent: 0n } : counter;
  return { day: at(day, dayIn(zone, nowMs)), month: at(month, monthIn(zone, nowMs)) };
}

/**
 * What was spent in a period that either zone is still in counts on, under the new zone's name for it; `keeps` says
 * where that is so.
 */
export function countersMoved(
  key: KeyModel,
  zone: string,
  nowMs: number,
): Counters & { keeps: { day: boolean; month: boolean } } {
  const [day, month] = [dayIn(zone, nowMs), monthIn(zone, nowMs)];
  const keeps = {
    day: key.day.period >= day || key.day.period >= dayIn(key.zone, nowMs),
    month: key.month.period >= month || key.month.period >= monthIn(key.zone, nowMs),
  };
  return {
    day: { period: day, spent: keeps.day ? key.day.spent : 0n },
    month: { period: month, spent: keeps.month ? key.month.spent : 0n },
    keeps,
  };
}

/** The key with its limits changed; null where the daily one would be above the monthly one. */
export function withLimits(key: KeyModel, change: LimitChange): KeyModel | null {
  const after = (asked: bigint | null | undefined, before: bigint | null) =>
    asked === undefined ? before : asked;
  const daily = after(change.dailyLimitNano, key.daily);
  const monthly = after(change.monthlyLimitNano, key.monthly);
  const perRequest = after(change.perRequestLimitNano, key.perRequest);
  return daily !== null && monthly !== null && daily > monthly
    ? null
    : { ...key, daily, monthly, perRequest };
}

/** What the owner is shown. */
export function limitsShown(key: KeyModel, nowMs: number): KeySpendingLimits {
  const { day, month } = countersAt(key, nowMs);
  return {
    dailyLimitNano: key.daily,
    monthlyLimitNano: key.monthly,
    perRequestLimitNano: key.perRequest,
    timezone: key.zone,
    daySpentNano: day.spent,
    monthSpentNano: month.spent,
    dayResetsAt: new Date(endOfPeriod(key.zone, day.period)),
    monthResetsAt: new Date(endOfPeriod(key.zone, month.period)),
  };
}
