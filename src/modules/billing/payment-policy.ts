import { NANO_PER_USD } from '../../ledger/money';
import type { PaymentTerms } from './payment';
import { COIN_DECIMALS, type Currency } from './payment-chain';

/** Wallets and JSON numbers lose the last digits of an amount in wei, so ETH is asked for with eight decimal places. */
export const QUANTUM_BASE = { BTC: 1n, ETH: 10n ** 10n, SOL: 1n } as const satisfies Record<Currency, bigint>;

/** Rounded up. */
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

/** To the last digit, without an exponent and without trailing zeros. */
export function baseToDecimal(amountBase: bigint, decimals: number): string {
  const digits = (amountBase < 0n ? -amountBase : amountBase).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${amountBase < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

export function baseToNumber(amountBase: bigint, decimals: number): number {
  return Number(baseToDecimal(amountBase, decimals));
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What is below costs more in fees than it is worth. */
export const MINIMUM_NANO_USD: Record<Currency, bigint> = {
  BTC: 10n * NANO_PER_USD,
  ETH: 10n * NANO_PER_USD,
  SOL: 2n * NANO_PER_USD,
};
export const MAXIMUM_NANO_USD = 10_000n * NANO_PER_USD;
/** Less is not credited. */
export const CREDITED_NANO_USD_MIN = NANO_PER_USD;
export const OPEN_PAYMENTS_MAX = 5;
/** Of those for which nothing came: each takes an address, and wallets and pools have only so many. */
export const UNPAID_A_DAY_MAX = 50;
/** How long a transfer may take to get into a block, and for how long a payment is watched after its end. */
export const WATCHED_FOR_MS = 7 * DAY_MS;
/** However much comes. */
export const WATCHED_IN_ALL_FOR_MS = 30 * DAY_MS;
/** How long after the payment's time a block may take what was sent in time. */
export const MINED_WITHIN_MS = 2 * 60 * 60 * 1000;
/** More of one payment are left to a person: each costs work at every look. */
export const TRANSFERS_MAX = 200;
/** Nobody can mean to pay more than ten times the most that a payment may be: it is left to a person. */
export const CREDITED_AT_ONCE_NANO_USD_MAX = 10n * MAXIMUM_NANO_USD;
/** How long matured coins wait for a price before a person is told. */
export const PRICE_AWAITED_MS = 6 * 60 * 60 * 1000;

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

/** They came late, or go beyond 110 % of what was asked for. */
export function needsPresentRate(
  { expectedBase }: PaymentTerms,
  { fromBase, units, isLate }: ValuedUnits,
): boolean {
  return isLate || (fromBase + units) * PER_MILLE > expectedBase * LOCKED_UP_TO_PER_MILLE;
}

/**
 * What the next units of a payment are worth. What came in time counts at the locked price up to 110 % of what was asked for, and
 * everything else at the locked or the present price, whichever is lower.
 * @param presentRateNanoUsd only read where needsPresentRate() says so
 */
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
