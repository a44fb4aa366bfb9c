import { isObject } from 'class-validator';

const TOKENS_MAX = 10_000_000;
const NAMES_MAX = 100;
/** The kind or type of a part; the name of a field, or `tools.` with the type of a tool. */
const NAME = /^[A-Za-z][A-Za-z0-9_.:-]{0,63}$/;
const USD = /^\d{1,6}(\.\d{1,9})?$/;

/** `part_tokens` and `pass_fields` as an entry of UPSTREAMS has them; null and absent mean that nothing is priced. */
export interface TermsEntry {
  readonly part_tokens?: unknown;
  readonly pass_fields?: unknown;
}

/** What is wrong with the terms of an upstream or a model. No fault repeats a value. */
export function faultsOfTerms(
  { part_tokens: tokens, pass_fields: fields }: TermsEntry,
  place: string,
): string[] {
  return [
    ...faultsOfMap(tokens, `${place}.part_tokens`, isTokens, `whole tokens up to ${TOKENS_MAX}`),
    ...faultsOfMap(fields, `${place}.pass_fields`, isPrice, 'USD a call with at most nine decimals, or null'),
  ];
}

/** The tokens of parts by their kind. */
export function toPartTokens(...entries: readonly unknown[]): ReadonlyMap<string, number> {
  return new Map(entries.flatMap((entry) => Object.entries((entry ?? {}) as Record<string, number>)));
}

/** The price of each field that is passed on, as decimal text in USD. */
export function toPassFields(entry: unknown): ReadonlyMap<string, string> {
  const prices = Object.entries((entry ?? {}) as Record<string, string | null>);
  return new Map(prices.map(([name, price]) => [name, price ?? '0']));
}

function faultsOfMap(
  map: unknown,
  place: string,
  isValue: (value: unknown) => boolean,
  form: string,
): string[] {
  if (map === undefined || map === null) {
    return [];
  }
  const entries = isObject<Record<string, unknown>>(map) && !Array.isArray(map) ? Object.entries(map) : null;
  if (!entries || entries.length > NAMES_MAX || !entries.every(([name]) => NAME.test(name))) {
    return [`${place} must be an object of at most ${NAMES_MAX} names`];
  }
  return entries.every(([, value]) => isValue(value)) ? [] : [`${place} must have values of ${form}`];
}

function isTokens(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= TOKENS_MAX;
}

function isPrice(value: unknown): boolean {
  return value === null || (typeof value === 'string' && USD.test(value));
}
