import { NANO_PER_USD } from '../../pricing/usd';

const LENGTH_MAX = 64;
const EXPONENT_DIGITS_MAX = 2;
/** Thousands of times what any coin has cost: a larger number is in another unit. */
const PRICE_MAX_NANO_USD = 1_000_000_000n * NANO_PER_USD;
const DECIMAL = new RegExp(String.raw`^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,${EXPONENT_DIGITS_MAX}}))?$`, 'i');

/**
 * Reads what a source says that a coin costs in USD: a JSON number, or a decimal string. No digit is lost but those beyond the
 * ninth decimal place, which are cut off.
 * @returns nano-USD for one whole coin; null for anything that can't be a price
 */
export function readPrice(value: unknown): bigint | null {
  if (typeof value !== 'string' && typeof value !== 'number') {
    return null;
  }
  // A double prints as the shortest decimal that means it, so a source's number of up to 15 digits comes out as it was written.
  const text = String(value);
  const match = text.length > LENGTH_MAX ? null : DECIMAL.exec(text);
  if (!match) {
    return null;
  }
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const nanoUsd = shifted(BigInt(whole + fraction), Number(exponent) - fraction.length + 9);
  return nanoUsd > 0n && nanoUsd <= PRICE_MAX_NANO_USD ? nanoUsd : null;
}

function shifted(digits: bigint, places: number): bigint {
  return places >= 0 ? digits * 10n ** BigInt(places) : digits / 10n ** BigInt(-places);
}
