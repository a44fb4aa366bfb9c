import { NANO_PER_USD, nanoToUsd, usdToNano } from '../../ledger/money';
import type { PaymentTerms } from './payment';
import { CURRENCIES, type Currency, isCurrency } from './payment-chain';
import { DAY_MS } from '../../runtime/clock';
import { isObject } from '../../runtime/json';

export const COIN_DECIMALS = { BTC: 8, ETH: 18, SOL: 9 } as const satisfies Record<Currency, number>;

/** Wallets and JSON numbers lose the last digits of wei, so ETH is asked for with eight decimal places. */
export const QUANTUM_BASE = { BTC: 1n, ETH: 10n ** 10n, SOL: 1n } as const satisfies Record<Currency, bigint>;

export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** The least of a coin that is worth an amount, in steps of its quantum. @throws RangeError for what is not positive */
export function expectedBase(amountNanoUsd: bigint, rateNanoUsd: bigint, currency: Currency): bigint {
  if (amountNanoUsd <= 0n || rateNanoUsd <= 0n) {
    throw new RangeError('neither an amount nor a rate can be zero or less');
  }
  const quantum = QUANTUM_BASE[currency];
  return ceilDiv(amountNanoUsd * 10n ** BigInt(COIN_DECIMALS[currency]), rateNanoUsd * quantum) * quantum;
}

export function baseToDecimal(amountBase: bigint, decimals: number): string {
  const digits = (amountBase < 0n ? -amountBase : amountBase).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${amountBase < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

export function baseToNumber(amountBase: bigint, decimals: number): number {
  return Number(baseToDecimal(amountBase, decimals));
}

/** Less would cost more in fees than it is worth. */
export const MINIMUM_NANO_USD: Record<Currency, bigint> = {
  BTC: 10n * NANO_PER_USD,
  ETH: 10n * NANO_PER_USD,
  SOL: 2n * NANO_PER_USD,
};
export const MAXIMUM_NANO_USD = 10_000n * NANO_PER_USD;
export const CREDITED_NANO_USD_MIN = NANO_PER_USD;
export const OPEN_PAYMENTS_MAX = 5;
/** Of unpaid ones: each takes an address, and wallets and pools have few. */
export const UNPAID_A_DAY_MAX = 50;
/** How long a payment is watched after its end, as a transfer may be slow to get into a block. */
export const WATCHED_FOR_MS = 7 * DAY_MS;
export const WATCHED_IN_ALL_FOR_MS = 30 * DAY_MS;
/** How long after the payment's time a block may take what was sent in time. */
export const MINED_WITHIN_MS = 2 * 60 * 60 * 1000;
/** More of one payment are left to a person: each costs work at every look. */
export const TRANSFERS_MAX = 200;
/** More than ten times the largest payment is hardly meant, and left to a person. */
export const CREDITED_AT_ONCE_NANO_USD_MAX = 10n * MAXIMUM_NANO_USD;
export const PRICE_AWAITED_MS = 6 * 60 * 60 * 1000;

export function watchedAfter(at: Date): Date {
  return new Date(at.getTime() + WATCHED_FOR_MS);
}

const PER_MILLE = 1000n;
/** Exchanges take their fee from what they send. */
const WHOLE_FROM_PER_MILLE = 995n;
const LOCKED_UP_TO_PER_MILLE = 1100n;

export function isWhole({ expectedBase }: PaymentTerms, units: bigint): boolean {
  return units * PER_MILLE >= expectedBase * WHOLE_FROM_PER_MILLE;
}

/** The nominal amount for 99.5 to 100 % of what was asked for, else by the locked price, rounded down. */
export function lockedValue(terms: PaymentTerms, units: bigint, unitsPerCoin: bigint): bigint {
  const { expectedBase, rateNanoUsd, amountNanoUsd } = terms;
  const at = (base: bigint): bigint => (base * rateNanoUsd) / unitsPerCoin;
  if (!isWhole(terms, units)) {
    // Never more than the whole is worth: a further part would take away.
    const value = at(units);
    return value < amountNanoUsd ? value : amountNanoUsd;
  }
  return units <= expectedBase ? amountNanoUsd : amountNanoUsd + at(units - expectedBase);
}

interface ValuedUnits {
  fromBase: bigint;
  units: bigint;
  isLate: boolean;
}

export function needsPresentRate(
  { expectedBase }: PaymentTerms,
  { fromBase, units, isLate }: ValuedUnits,
): boolean {
  return isLate || (fromBase + units) * PER_MILLE > expectedBase * LOCKED_UP_TO_PER_MILLE;
}

/** In time, the locked price counts up to 110 % of the amount asked; otherwise the lower of both prices. */
export function worthOf(
  terms: PaymentTerms,
  { fromBase, units, isLate }: ValuedUnits,
  unitsPerCoin: bigint,
  presentRateNanoUsd: bigint,
): bigint {
  const toBase = fromBase + units;
  const lockedMaxBase = (terms.expectedBase * LOCKED_UP_TO_PER_MILLE) / PER_MILLE;
  const lockedTo = isLate ? fromBase : clamp(lockedMaxBase, fromBase, toBase);
  const value = (base: bigint): bigint => lockedValue(terms, base, unitsPerCoin);
  const locked = value(lockedTo) - value(fromBase);
  const other = value(toBase) - value(lockedTo);
  const { rateNanoUsd } = terms;
  return locked + (presentRateNanoUsd < rateNanoUsd ? (other * presentRateNanoUsd) / rateNanoUsd : other);
}

function clamp(value: bigint, min: bigint, max: bigint): bigint {
  return value < min ? min : value > max ? max : value;
}

interface RequiredConfirmations {
  readonly confirmations: number;
  readonly needsFinal: boolean;
}

export interface ConfirmationTier {
  readonly up_to_usd: number | null;
  readonly confirmations: number;
}

interface Rule extends RequiredConfirmations {
  readonly upToNanoUsd: bigint | null;
}

type RulesByCurrency = Readonly<Record<Currency, readonly Rule[]>>;

const CHAIN_BOUNDS: Readonly<Record<Currency, { countMax: number; finalAfter: number | null }>> = {
  // As deep as a coinbase has to be before it can be spent: nobody waits longer.
  BTC: { countMax: 100, finalAfter: null },
  // Balances are looked up no deeper than this; two epochs of 32 slots make a block final.
  ETH: { countMax: 12, finalAfter: 64 },
  // The node counts to 31, and calls the next one final.
  SOL: { countMax: 31, finalAfter: 32 },
};

const RULES_MAX = 16;

const MEMBERS = ['up_to_usd', 'confirmations'];

const UP_TO_USD_MAX = 1_000_000_000;

const DEFAULT_RULES: RulesByCurrency = {
  BTC: [ruleOf(100, 1), ruleOf(1_000, 2), ruleOf(10_000, 3), ruleOf(null, 6)],
  ETH: [ruleOf(1_000, 12), { upToNanoUsd: null, confirmations: 64, needsFinal: true }],
  SOL: [{ upToNanoUsd: null, confirmations: 32, needsFinal: true }],
};

export class ConfirmationRules {
  constructor(private readonly rules: RulesByCurrency) {}

  requiredFor(currency: Currency, amountNanoUsd: bigint): RequiredConfirmations {
    const rule = this.rules[currency].find(
      ({ upToNanoUsd }) => upToNanoUsd === null || amountNanoUsd <= upToNanoUsd,
    );
    if (rule === undefined) {
      throw new Error(`no rule of confirmations for ${amountNanoUsd} nano-USD of ${currency}`);
    }
    return { confirmations: rule.confirmations, needsFinal: rule.needsFinal };
  }

  tiers(currency: Currency): ConfirmationTier[] {
    return this.rules[currency].map(({ upToNanoUsd, confirmations }) => ({
      up_to_usd: upToNanoUsd === null ? null : nanoToUsd(upToNanoUsd),
      confirmations,
    }));
  }
}

/** Such as `{"BTC": [{"up_to_usd": 100, "confirmations": 1}, {"confirmations": 6}]}`; the rest keeps its defaults. */
export function parseConfirmationRules(json: unknown): ConfirmationRules {
  if (!isObject(json)) {
    throw new Error('the confirmations must be an object');
  }
  const rules: Record<Currency, readonly Rule[]> = { ...DEFAULT_RULES };
  for (const [currency, list] of Object.entries(json)) {
    if (!isCurrency(currency)) {
      throw new Error(`${currency} is not a currency; known are ${CURRENCIES.join(', ')}`);
    }
    rules[currency] = parseList(list, currency);
  }
  return new ConfirmationRules(rules);
}

function parseList(list: unknown, currency: Currency): Rule[] {
  if (!Array.isArray(list) || list.length < 1 || list.length > RULES_MAX) {
    throw new Error(`${currency} must be a list of 1 to ${RULES_MAX} rules`);
  }
  const rules = (list as unknown[]).map((value, index) =>
    parseRule(value, `${currency}[${index}]`, currency, index === list.length - 1),
  );
  rules.forEach((rule, index) => requireAscent(rules[index - 1], rule, `${currency}[${index}]`));
  return rules;
}

function parseRule(value: unknown, path: string, currency: Currency, isLast: boolean): Rule {
  if (!isObject(value)) {
    throw new Error(`${path} must be an object`);
  }
  const unknown = Object.keys(value).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined) {
    throw new Error(`${path}.${unknown} is not known; known are ${MEMBERS.join(', ')}`);
  }
  if (isLast && value.up_to_usd !== undefined) {
    throw new Error(`${path} is the last rule and must have no up_to_usd`);
  }
  return {
    upToNanoUsd: isLast ? null : parseBound(value.up_to_usd, `${path}.up_to_usd`),
    ...parseConfirmations(value.confirmations, `${path}.confirmations`, currency),
  };
}

function parseBound(value: unknown, path: string): bigint {
  if (typeof value === 'number' && value > 0 && value <= UP_TO_USD_MAX) {
    const nanoUsd = usdToNano(value);
    if (nanoToUsd(nanoUsd) === value) {
      return nanoUsd;
    }
  }
  throw new Error(
    `${path} must be a number above 0 and up to ${UP_TO_USD_MAX}, of at most nine decimal places`,
  );
}

function parseConfirmations(value: unknown, path: string, currency: Currency): RequiredConfirmations {
  const { countMax, finalAfter } = CHAIN_BOUNDS[currency];
  if (finalAfter !== null && value === 'finalized') {
    return { confirmations: finalAfter, needsFinal: true };
  }
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= countMax) {
    return { confirmations: value, needsFinal: false };
  }
  const final = finalAfter === null ? '' : ', or "finalized"';
  throw new Error(`${path} must be a whole number from 1 to ${countMax}${final}`);
}

function requireAscent(before: Rule | undefined, rule: Rule, path: string): void {
  if (!before) {
    return;
  }
  if (before.upToNanoUsd !== null && rule.upToNanoUsd !== null && rule.upToNanoUsd <= before.upToNanoUsd) {
    throw new Error(`${path}.up_to_usd must be above that of the rule before it`);
  }
  if (rule.confirmations < before.confirmations) {
    throw new Error(`${path}.confirmations must not be less than those of the rule before it`);
  }
}

function ruleOf(upToUsd: number | null, confirmations: number): Rule {
  const upToNanoUsd = upToUsd === null ? null : BigInt(upToUsd) * NANO_PER_USD;
  return { upToNanoUsd, confirmations, needsFinal: false };
}
