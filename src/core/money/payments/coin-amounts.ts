import { COIN_DECIMALS, type Currency } from '../../../infrastructure/chain/payment-chain';

/**
 * The steps in which each coin is asked for, in its smallest unit. Wallets and JSON numbers lose the last digits of an
 * amount in wei, so ETH is asked for with eight decimal places.
 */
export const QUANTUM_BASE = { BTC: 1n, ETH: 10n ** 10n, SOL: 1n } as const satisfies Record<Currency, bigint>;

/** The quotient of a non-negative and a positive integer, rounded up. */
export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/**
 * How much of a coin pays an amount: the least that is worth at least that, in steps of the coin's quantum.
 * @param rateNanoUsd nano-USD per whole coin
 * @returns the coin's smallest units
 * @throws RangeError for a rate or an amount that is not positive
 */
export function expectedBase(amountNanoUsd: bigint, rateNanoUsd: bigint, currency: Currency): bigint {
  if (amountNanoUsd <= 0n || rateNanoUsd <= 0n) {
    throw new RangeError('neither an amount nor a rate can be zero or less');
  }
  const quantum = QUANTUM_BASE[currency];
  return ceilDiv(amountNanoUsd * 10n ** BigInt(COIN_DECIMALS[currency]), rateNanoUsd * quantum) * quantum;
}

/** Whole coins as a decimal string: to the last digit, without an exponent and without trailing zeros. */
export function baseToDecimal(amountBase: bigint, decimals: number): string {
  const digits = (amountBase < 0n ? -amountBase : amountBase).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${amountBase < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Whole coins as the nearest double. */
export function baseToNumber(amountBase: bigint, decimals: number): number {
  return Number(baseToDecimal(amountBase, decimals));
}
