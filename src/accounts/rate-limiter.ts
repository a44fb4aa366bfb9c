import { isObject } from '../runtime/json';
import type { AccountRateLimits } from './accounts';

export type RateWindowName = 'second' | 'minute' | 'hour' | 'day';

export interface RateWindow {
  readonly name: RateWindowName;
  readonly lengthMs: number;
  readonly limit: number;
}

/** Account ids are this service's; `ip` and `login` are strangers' and unlimited in number. */
export type RateSubjectKind = 'account' | 'ip' | 'login';

export interface RateSubject {
  readonly id: `${RateSubjectKind}:${string}`;
  /** At most one of each name; none for no limit. */
  readonly windows: readonly RateWindow[];
}

/** Of the window with the fewest calls left after the decision; of several, the last to grow. */
export interface RateRoom {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds, rounded up, at which `remaining` grows. */
  readonly resetAtSeconds: number;
  readonly windowSeconds: number;
}

export interface RefusedCall extends RateRoom {
  readonly allowed: false;
  readonly retryAfterSeconds: number;
}

export type RateDecision =
  (RateRoom & { readonly allowed: true }) | RefusedCall | { readonly allowed: true; readonly limit: null };

export abstract class RateLimiter {
  /** A refused call counts in no window, so callers that keep trying get room. Ids must be distinct. */
  abstract take(subjects: readonly RateSubject[], nowMs: number): RateDecision | Promise<RateDecision>;

  abstract forget(id: RateSubject['id']): void | Promise<void>;
}

export type RateClass = 'health' | 'read' | 'write' | 'llm' | 'heavy';

/** Factor on the tier's rates; null means no limit. Source: reference, "Rate limits". */
export const RATE_MULTIPLIERS: Readonly<Record<RateClass, number | null>> = Object.freeze({
  health: null,
  read: 1,
  write: 0.5,
  llm: 0.2,
  heavy: 0.1,
});

export type RateTier = Readonly<AccountRateLimits>;

/** `anonymous` and `documents` count addresses; `console` counts free calls of sessions. */
export type RateTierName = 'free' | 'basic' | 'pro' | 'enterprise' | 'anonymous' | 'documents' | 'console';

export type RateTiers = Readonly<Record<RateTierName, RateTier>>;

// Keeps limits and lengths in milliseconds exact in a double.
const RATE_MIN = 0.001;
const RATE_MAX = 1_000_000_000;

const SPANS: readonly { name: RateWindowName; rate: keyof RateTier; spanMs: number }[] = [
  { name: 'second', rate: 'requests_per_second', spanMs: 1_000 },
  { name: 'minute', rate: 'requests_per_minute', spanMs: 60_000 },
  { name: 'hour', rate: 'requests_per_hour', spanMs: 3_600_000 },
  { name: 'day', rate: 'requests_per_day', spanMs: 86_400_000 },
];

const RATES = SPANS.map(({ rate }) => rate);

/** Enterprise is unlimited until an admin sets numbers. Source: reference, "Rate limits". */
export const DEFAULT_RATE_TIERS: RateTiers = Object.freeze({
  free: tierOf(1, 10, 100, 1_000),
  basic: tierOf(5, 100, 1_000, 10_000),
  pro: tierOf(20, 1_000, 10_000, 100_000),
  enterprise: tierOf(null, null, null, null),
  anonymous: tierOf(null, 20, null, null),
  // A documentation page makes eight requests, cached for five minutes.
  documents: tierOf(null, 60, null, null),
  // A view makes up to three calls, and a person may have several open.
  console: tierOf(10, 300, 5_000, null),
});

/** Missing numbers keep their default, so that no limit is lifted. @throws Error that names the path */
export function parseRateTiers(json: unknown): RateTiers {
  const tiers: Record<RateTierName, RateTier> = { ...DEFAULT_RATE_TIERS };
  for (const [name, value] of entriesOf(json, 'the rate tiers')) {
    if (!Object.hasOwn(DEFAULT_RATE_TIERS, name)) {
      throw new Error(`${name} is not a rate tier; known are ${Object.keys(DEFAULT_RATE_TIERS).join(', ')}`);
    }
    const tier = name as RateTierName;
    tiers[tier] = withAccountRates(DEFAULT_RATE_TIERS[tier], parseRates(value, name));
  }
  return Object.freeze(tiers);
}

export function withAccountRates(tier: RateTier, rates: Partial<RateTier>): RateTier {
  const own = Object.entries(rates).filter(([, rate]) => rate !== undefined);
  return Object.freeze({ ...tier, ...Object.fromEntries(own) });
}

function parseRates(json: unknown, path: string): Partial<RateTier> {
  const rates: Partial<AccountRateLimits> = {};
  for (const [field, value] of entriesOf(json, path)) {
    const rate = RATES.find((name) => name === field);
    if (rate === undefined) {
      throw new Error(`${path}.${field} is not a rate; known are ${RATES.join(', ')}`);
    }
    if (value !== null && !(typeof value === 'number' && value >= RATE_MIN && value <= RATE_MAX)) {
      throw new Error(
        `${path}.${field} must be a number from ${RATE_MIN} to ${RATE_MAX}, or null for no limit`,
      );
    }
    rates[rate] = value;
  }
  return rates;
}

function entriesOf(json: unknown, path: string): [string, unknown][] {
  if (!isObject(json)) {
    throw new Error(`${path} must be an object`);
  }
  return Object.entries(json);
}

function tierOf(...rates: readonly (number | null)[]): RateTier {
  const named = RATES.map((name, index) => [name, rates[index] ?? null]);
  return Object.freeze(Object.fromEntries(named) as RateTier);
}

const FACTOR_MAX = 60;

/** Shortest first. A fractional rate gets a longer window (2.5: 5 in 2 seconds) or is lowered a little. */
export function rateWindows(tier: RateTier, multiplier: number | null): readonly RateWindow[] {
  if (multiplier === null) {
    return [];
  }
  return SPANS.flatMap(({ name, rate, spanMs }) => {
    const tierRate = tier[rate];
    return tierRate === null ? [] : [windowOf(name, spanMs, withoutNoise(tierRate * multiplier))];
  });
}

function windowOf(name: RateWindowName, spanMs: number, rate: number): RateWindow {
  for (let factor = 1; factor <= FACTOR_MAX; factor += 1) {
    const limit = withoutNoise(rate * factor);
    if (Number.isInteger(limit)) {
      return { name, lengthMs: spanMs * factor, limit };
    }
  }
  return rate < 1
    ? { name, lengthMs: Math.ceil(spanMs / rate), limit: 1 }
    : { name, lengthMs: spanMs, limit: Math.floor(rate) };
}

/** Removes rounding errors such as 3 × 0.1 = 0.30000000000000004. */
function withoutNoise(rate: number): number {
  return Number(rate.toPrecision(12));
}

export class TierRates {
  constructor(private readonly tiers: RateTiers) {}

  /** An account's own numbers need the enterprise tier; an unknown tier is the free one. */
  tier(name: string, own: AccountRateLimits | null): RateTier {
    const tier = Object.hasOwn(this.tiers, name) ? this.tiers[name as RateTierName] : this.tiers.free;
    return name !== 'enterprise' || own === null ? tier : withAccountRates(tier, own);
  }

  /** The console's, none above the numbers an admin has set for the account. */
  console(accountTier: string, own: AccountRateLimits | null): RateTier {
    const [console, account] = [this.tiers.console, this.tier(accountTier, own)];
    if (accountTier !== 'enterprise' || own === null) {
      return console;
    }
    const smaller = (rate: keyof RateTier) =>
      console[rate] === null || account[rate] === null
        ? (console[rate] ?? account[rate])
        : Math.min(console[rate], account[rate]);
    return tierOf(...RATES.map(smaller));
  }
}
