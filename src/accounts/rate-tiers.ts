import { isObject } from '../runtime/json';

/** How much work an operation makes. */
export type RateClass = 'health' | 'read' | 'write' | 'llm' | 'heavy';

/** The share of a tier's rate for each class; null means no limit. Source: reference, "Rate limits". */
export const RATE_MULTIPLIERS: Readonly<Record<RateClass, number | null>> = Object.freeze({
  health: null,
  read: 1,
  write: 0.5,
  llm: 0.2,
  heavy: 0.1,
});

/** Null means no limit in that span. Numbers may be fractions. */
export interface RateTier {
  readonly requestsPerSecond: number | null;
  readonly requestsPerMinute: number | null;
  readonly requestsPerHour: number | null;
  readonly requestsPerDay: number | null;
}

/** `anonymous` and `documents` are for callers known only by their address: calls, and the documentation. */
export type RateTierName = 'free' | 'basic' | 'pro' | 'enterprise' | 'anonymous' | 'documents';

export type RateTiers = Readonly<Record<RateTierName, RateTier>>;

// Within these bounds every limit and every length in milliseconds is an integer that a double holds exactly.
const RATE_MIN = 0.001;
const RATE_MAX = 1_000_000_000;

const FIELDS = new Map<string, keyof RateTier>([
  ['requests_per_second', 'requestsPerSecond'],
  ['requests_per_minute', 'requestsPerMinute'],
  ['requests_per_hour', 'requestsPerHour'],
  ['requests_per_day', 'requestsPerDay'],
]);

/** Enterprise is unlimited until an admin sets numbers for an account. Source: reference, "Rate limits". */
export const DEFAULT_RATE_TIERS: RateTiers = Object.freeze({
  free: tierOf(1, 10, 100, 1_000),
  basic: tierOf(5, 100, 1_000, 10_000),
  pro: tierOf(20, 1_000, 10_000, 100_000),
  enterprise: tierOf(null, null, null, null),
  anonymous: tierOf(null, 20, null, null),
  // A page of the documentation consists of eight requests, of which a browser repeats none within five minutes.
  documents: tierOf(null, 60, null, null),
});

/**
 * Reads the rate tiers file: tier name → `requests_per_second | minute | hour | day`. A number that is left out keeps its
 * default, so that a file that changes one number can't lift the other limits by accident.
 * @throws Error that names the path of the first unknown or impossible value
 */
export function parseRateTiers(json: unknown): RateTiers {
  const tiers: Record<RateTierName, RateTier> = { ...DEFAULT_RATE_TIERS };
  for (const [name, value] of entriesOf(json, 'the rate tiers')) {
    if (!isTierName(name)) {
      throw new Error(`${name} is not a rate tier; known are ${Object.keys(DEFAULT_RATE_TIERS).join(', ')}`);
    }
    tiers[name] = withAccountRates(DEFAULT_RATE_TIERS[name], parseRates(value, name));
  }
  return Object.freeze(tiers);
}

/** An account's own number replaces that of the tier, and null removes the limit. */
export function withAccountRates(tier: RateTier, rates: Partial<RateTier>): RateTier {
  const own = Object.entries(rates).filter(([, rate]) => rate !== undefined);
  return Object.freeze({ ...tier, ...Object.fromEntries(own) });
}

function parseRates(json: unknown, path: string): Partial<RateTier> {
  const rates: Partial<Record<keyof RateTier, number | null>> = {};
  for (const [field, value] of entriesOf(json, path)) {
    const name = FIELDS.get(field);
    if (name === undefined) {
      throw new Error(`${path}.${field} is not a rate; known are ${[...FIELDS.keys()].join(', ')}`);
    }
    if (!isRate(value)) {
      throw new Error(
        `${path}.${field} must be a number from ${RATE_MIN} to ${RATE_MAX}, or null for no limit`,
      );
    }
    rates[name] = value;
  }
  return rates;
}

function entriesOf(json: unknown, path: string): [string, unknown][] {
  if (!isObject(json)) {
    throw new Error(`${path} must be an object`);
  }
  return Object.entries(json);
}

function isTierName(name: string): name is RateTierName {
  return Object.hasOwn(DEFAULT_RATE_TIERS, name);
}

function isRate(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && value >= RATE_MIN && value <= RATE_MAX);
}

function tierOf(
  requestsPerSecond: number | null,
  requestsPerMinute: number | null,
  requestsPerHour: number | null,
  requestsPerDay: number | null,
): RateTier {
  return Object.freeze({ requestsPerSecond, requestsPerMinute, requestsPerHour, requestsPerDay });
}
