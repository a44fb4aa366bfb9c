import { CURRENCIES, type Currency } from '../../../../infrastructure/chain/payment-chain';
import { isObject, type JsonObject } from '../../../../infrastructure/json/json-object';
import { isJsonPointer } from './json-pointer';

const MEMBERS = ['name', 'url', 'pointer', 'names', 'pointers', 'currencies'];
/** The source's name is a label of the metrics, and stands in the log. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/i;
/** Characters that neither a URL nor a JSON pointer gives a meaning to. */
const CURRENCY_NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/i;
const URL_LENGTH_MAX = 2_048;
const POINTER_LENGTH_MAX = 256;

/** Where one source says what one coin costs. */
export interface PricePlace {
  /** May hold a key or a password. */
  readonly url: string;
  /** A JSON pointer into the answer, to the price of one coin in USD. */
  readonly pointer: string;
}

/** One entry of PRICE_SOURCES. */
export interface PriceSourceSettings {
  readonly name: string;
  /** A currency that the source does not know is absent. */
  readonly places: ReadonlyMap<Currency, PricePlace>;
}

/** An entry of PRICE_SOURCES in which faultsOfSource() has found nothing. */
interface PriceSourceEntry {
  name: string;
  url: string;
  pointer?: string;
  names?: Partial<Record<Currency, string>>;
  pointers?: Partial<Record<Currency, string>>;
  currencies?: Currency[];
}

/**
 * What is wrong with one entry of PRICE_SOURCES.
 * @param place what to call the entry
 * @returns faults that name their place, but repeat no value
 */
export function faultsOfSource(value: unknown, place: string): string[] {
  if (!isObject(value)) {
    return [`${place} must be an object`];
  }
  const { name, url, pointer, names, pointers, currencies } = value;
  const faults: [boolean, string][] = [
    [Object.keys(value).some((member) => !MEMBERS.includes(member)), ` may only have ${MEMBERS.join(', ')}`],
    [!isText(name, NAME), '.name must be 1 to 32 letters, digits, dots, hyphens or underscores'],
    [typeof url !== 'string', '.url must be a string'],
    [pointer !== undefined && !isPointer(pointer), '.pointer must be a JSON pointer'],
    [
      !isByCurrency(names, (own) => isText(own, CURRENCY_NAME)),
      `.names may give ${CURRENCIES.join(', ')} names of 1 to 32 letters, digits, dots, hyphens or underscores`,
    ],
    [!isByCurrency(pointers, isPointer), `.pointers may give ${CURRENCIES.join(', ')} JSON pointers`],
    [
      currencies !== undefined && !isCurrencies(currencies),
      `.currencies must be a list of different ones of ${CURRENCIES.join(', ')}`,
    ],
  ];
  const found = faults.filter(([broken]) => broken).map(([, text]) => place + text);
  return found.length > 0 ? found : faultsOfPlaces(value as JsonObject & PriceSourceEntry, place);
}

/** @param value in which faultsOfSource() has found nothing */
export function toSource(value: unknown): PriceSourceSettings {
  const entry = value as PriceSourceEntry;
  return {
    name: entry.name,
    places: new Map(currenciesOf(entry).map((currency) => [currency, placeOf(entry, currency)])),
  };
}

function faultsOfPlaces(entry: PriceSourceEntry, place: string): string[] {
  const currencies = currenciesOf(entry);
  const isMissing = currencies.some(
    (currency) => (entry.pointers?.[currency] ?? entry.pointer) === undefined,
  );
  const places = currencies.map((currency) => placeOf(entry, currency));
  return [
    ...(isMissing ? [`${place}.pointer is missing`] : []),
    ...(places.every(({ url }) => isUsableUrl(url))
      ? []
      : [`${place}.url must be an http or https URL without a fragment, with no braces but {currency}`]),
    ...(places.every(({ pointer }) => pointer.length <= POINTER_LENGTH_MAX)
      ? []
      : [`${place}.pointer is too long`]),
  ];
}

function currenciesOf({ currencies }: PriceSourceEntry): readonly Currency[] {
  return currencies ?? CURRENCIES;
}

function placeOf({ url, pointer, pointers, names }: PriceSourceEntry, currency: Currency): PricePlace {
  const name = names?.[currency] ?? currency;
  const named = (text: string) => text.replaceAll('{currency}', () => name);
  return { url: named(url), pointer: named(pointers?.[currency] ?? pointer ?? '') };
}

function isUsableUrl(text: string): boolean {
  if (text.length > URL_LENGTH_MAX || /[\s\\#{}]/.test(text) || !/^https?:\/\//i.test(text)) {
    return false;
  }
  try {
    const { username, password } = new URL(text);
    // They are sent decoded, and a stray per cent sign can't be.
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}

function isByCurrency(value: unknown, isValid: (own: unknown) => boolean): boolean {
  return (
    value === undefined ||
    (isObject(value) &&
      Object.entries(value).every(([currency, own]) => isCurrency(currency) && isValid(own)))
  );
}

function isCurrencies(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(isCurrency) &&
    new Set(value).size === value.length
  );
}

function isCurrency(value: unknown): value is Currency {
  return CURRENCIES.some((currency) => currency === value);
}

function isPointer(value: unknown): boolean {
  return typeof value === 'string' && value.length <= POINTER_LENGTH_MAX && isJsonPointer(value);
}

function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}
