/** 1 USD in the ledger's unit. */
export const NANO_PER_USD = 1_000_000_000n;

/** 15 digits: a million USD. */
const EXACT_MAX = 1_000_000_000_000_000n;

/** A decimal string of at most nine places, such as a price of the document, as nano-USD. Throws RangeError. */
export function parseUsd(decimal: string): bigint {
  const match = /^(-?)(\d{1,9})(?:\.(\d{1,9}))?$/.exec(decimal);
  if (!match) {
    throw new RangeError(`not a USD amount of at most nine decimal places: ${decimal}`);
  }
  const [, sign, whole = '', fraction = ''] = match;
  const nano = BigInt(whole) * NANO_PER_USD + BigInt(fraction.padEnd(9, '0'));
  return sign === '-' ? -nano : nano;
}

/** A JSON number of USD as nano-USD, rounded to the nearest; finite numbers below 1e12 only. */
export function usdToNano(usd: number): bigint {
  if (!Number.isFinite(usd) || Math.abs(usd) >= 1e12) {
    throw new RangeError(`not a USD amount: ${usd}`);
  }
  return BigInt(usd.toFixed(9).replace('.', ''));
}

/** Nano-USD as the JSON number whose shortest decimal form is that amount (exact up to 15 digits). */
export function nanoToUsd(nanoUsd: bigint): number {
  // Of two integers that a double holds exactly, the quotient is the double nearest to the amount.
  return isExactInDouble(nanoUsd) ? Number(nanoUsd) / 1e9 : Number(decimalOf(nanoUsd));
}

/** Nano-USD as a plain decimal string without trailing zeros. */
export function formatUsd(nanoUsd: bigint): string {
  // Up to 15 digits a double's shortest form is the amount itself; below a millionth it would have an exponent.
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
