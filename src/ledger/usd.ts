import { Unprocessable } from '../errors/api-errors';

export const NANO_PER_USD = 1_000_000_000n;

/** A million USD. A double prints every decimal number of at most 15 digits as the same number. */
const EXACT_MAX = 1_000_000_000_000_000n;

/** @throws RangeError for anything but at most nine digits before the point and nine after it */
export function parseUsd(decimal: string): bigint {
  const match = /^(-?)(\d{1,9})(?:\.(\d{1,9}))?$/.exec(decimal);
  if (!match) {
    throw new RangeError(`not a USD amount of at most nine decimal places: ${decimal}`);
  }
  const [, sign, whole = '', fraction = ''] = match;
  const nano = BigInt(whole) * NANO_PER_USD + BigInt(fraction.padEnd(9, '0'));
  return sign === '-' ? -nano : nano;
}

/** Rounded to the nearest. @throws RangeError for a number that is not finite, or from 1e12 on */
export function usdToNano(usd: number): bigint {
  if (!Number.isFinite(usd) || Math.abs(usd) >= 1e12) {
    throw new RangeError(`not a USD amount: ${usd}`);
  }
  return BigInt(usd.toFixed(9).replace('.', ''));
}

/** @throws Unprocessable for an amount that is finer than the ledger counts; `field` is its name in the request */
export function exactUsdToNano(usd: number, field: string): bigint {
  const nanoUsd = usdToNano(usd);
  if (nanoToUsd(nanoUsd) !== usd) {
    throw new Unprocessable(`${field} is finer than 0.000000001 USD.`);
  }
  return nanoUsd;
}

/** Written in its shortest form, it is the exact amount up to a million USD. */
export function nanoToUsd(nanoUsd: bigint): number {
  // A double holds both integers exactly, so their quotient is the double that is nearest to the amount.
  return isExactInDouble(nanoUsd) ? Number(nanoUsd) / 1e9 : Number(decimalOf(nanoUsd));
}

/** Without an exponent and without trailing zeros. */
export function formatUsd(nanoUsd: bigint): string {
  // Up to 15 digits the shortest form of a double is the amount itself; below a millionth it has an exponent.
  return nanoUsd >= 1_000n && isExactInDouble(nanoUsd) ? String(Number(nanoUsd) / 1e9) : decimalOf(nanoUsd);
}

function isExactInDouble(nanoUsd: bigint): boolean {
  return nanoUsd < EXACT_MAX && nanoUsd > -EXACT_MAX;
}

function decimalOf(nanoUsd: bigint): string {
  const digits = (nanoUsd < 0n ? -nanoUsd : nanoUsd).toString().padStart(10, '0');
  const fraction = digits.slice(-9).replace(/0+$/, '');
  return `${nanoUsd < 0n ? '-' : ''}${digits.slice(0, -9)}${fraction === '' ? '' : `.${fraction}`}`;
}
