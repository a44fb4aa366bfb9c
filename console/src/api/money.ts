/** Billionths of a US dollar, the unit of the service's ledger. */
export type NanoUsd = bigint;

const DECIMALS = 9;
const DECIMAL = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;
/**
 * What a person may type: dollars with at most six decimals, which is how finely the service takes amounts. What "1,000" means depends
 * on who types it, so it is no amount.
 */
const TYPED = /^(?!\$?\s*[1-9]\d*,\d{3}$)\$?\s*(\d{1,9})(?:[.,](\d{0,6}))?$/;

/**
 * The amount that a JSON number stands for. Such a number prints as the decimal it was read from, up to 15 digits; nothing is
 * ever calculated with the number itself.
 */
export function toNano(amount: number): NanoUsd {
  const match = DECIMAL.exec(String(amount));
  if (!match) {
    throw new Error(`${amount} is no amount`);
  }
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = DECIMALS - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction || '0');
  const nano = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === '-' ? -nano : nano;
}

/** The amount that somebody typed; undefined where it is none. */
export function readUsd(text: string): NanoUsd | undefined {
  const match = TYPED.exec(text.trim());
  if (!match) {
    return undefined;
  }
  const [, whole = '0', fraction = ''] = match;
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}

/** As a number for JSON, which prints as the same decimal: typed amounts have at most 15 digits. */
export function toJson(nano: NanoUsd): number {
  return Number(decimalOf(nano));
}

export interface UsdParts {
  sign: '' | '−';
  /** Whole dollars, grouped. */
  whole: string;
  cents: string;
  /** What is finer than a cent, without zeros at its end. */
  rest: string;
}

export function partsOf(nano: NanoUsd): UsdParts {
  const [whole = '0', fraction = ''] = decimalOf(nano < 0n ? -nano : nano).split('.');
  return {
    sign: nano < 0n ? '−' : '',
    whole: whole.replaceAll(/\B(?=(\d{3})+$)/g, ','),
    cents: fraction.padEnd(2, '0').slice(0, 2),
    rest: fraction.slice(2),
  };
}

/** All digits, such as "−$1,204.002351". */
export function usd(nano: NanoUsd): string {
  const { sign, whole, cents, rest } = partsOf(nano);
  return `${sign}$${whole}.${cents}${rest}`;
}

export function sumOf(amounts: Iterable<NanoUsd>): NanoUsd {
  let sum = 0n;
  for (const amount of amounts) {
    sum += amount;
  }
  return sum;
}

/** A plain decimal without zeros at its end, such as "-1204.002351". */
export function decimalOf(nano: NanoUsd): string {
  const digits = String(nano < 0n ? -nano : nano).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  const whole = digits.slice(0, -DECIMALS);
  return `${nano < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
