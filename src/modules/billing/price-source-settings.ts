import { readJsonArray, repeated } from '../../config/environment';
import { isJsonPointer, isObject, type JsonObject } from '../../runtime/json';
import { CURRENCIES, type Currency, isCurrency } from './payment-chain';

const DEFAULT_PRICE_SOURCES: readonly unknown[] = [
  {
    name: 'kraken',
    url: 'https://api.kraken.com/0/public/Ticker?pair={currency}USD',
    // The last trade. Kraken answers under another name than the one it is asked by.
    pointer: '/result/{currency}USD/c/0',
    names: { BTC: 'XBT' },
    pointers: { BTC: '/result/XXBTZUSD/c/0', ETH: '/result/XETHZUSD/c/0' },
  },
  {
    name: 'coinbase',
    url: 'https://api.coinbase.com/v2/prices/{currency}-USD/spot',
    pointer: '/data/amount',
  },
  {
    name: 'bitstamp',
    url: 'https://www.bitstamp.net/api/v2/ticker/{currency}usd/',
    pointer: '/last',
    names: { BTC: 'btc', ETH: 'eth', SOL: 'sol' },
  },
];

const MEMBERS = ['name', 'url', 'pointer', 'names', 'pointers', 'currencies'];
const NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/i;
/** Characters without meaning in a URL or a JSON pointer. */
const CURRENCY_NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/i;
const URL_LENGTH_MAX = 2_048;
const POINTER_LENGTH_MAX = 256;

export interface PricePlace {
  /** May hold a key or a password. */
  readonly url: string;
  readonly pointer: string;
}

interface PriceSourceSettings {
  readonly name: string;
  readonly places: ReadonlyMap<Currency, PricePlace>;
}

interface PriceSourceEntry {
  name: string;
  url: string;
  pointer?: string;
  names?: Partial<Record<Currency, string>>;
  pointers?: Partial<Record<Currency, string>>;
  currencies?: Currency[];
}

/** Faults repeat no value, which may be a key. */
function faultsOfSource(value: unknown, place: string): string[] {
  if (!isObject(value)) {
    return [`${place} must be an object`];
  }
  const { name, url, pointer, names, pointers, currencies } = value;
  const found = broken(place, [
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
  ]);
  return found.length > 0 ? found : faultsOfPlaces(value as JsonObject & PriceSourceEntry, place);
}

function broken(place: string, rules: [isBroken: boolean, fault: string][]): string[] {
  return rules.filter(([isBroken]) => isBroken).map(([, fault]) => place + fault);
}

function toSource(value: unknown): PriceSourceSettings {
  const entry = value as PriceSourceEntry;
  return {
    name: entry.name,
    places: new Map(currenciesOf(entry).map((currency) => [currency, placeOf(entry, currency)])),
  };
}

function faultsOfPlaces(entry: PriceSourceEntry, place: string): string[] {
  const currencies = currenciesOf(entry);
  const places = currencies.map((currency) => placeOf(entry, currency));
  return broken(place, [
    [
      currencies.some((currency) => (entry.pointers?.[currency] ?? entry.pointer) === undefined),
      '.pointer is missing',
    ],
    [
      places.some(({ url }) => !isUsableUrl(url)),
      '.url must be an http or https URL without a fragment, with no braces but {currency}',
    ],
    [places.some(({ pointer }) => pointer.length > POINTER_LENGTH_MAX), '.pointer is too long'],
  ]);
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
    // They are sent decoded, and a stray per cent sign cannot be decoded.
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

function isPointer(value: unknown): boolean {
  return typeof value === 'string' && value.length <= POINTER_LENGTH_MAX && isJsonPointer(value);
}

function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

const SOURCES_MIN = 2;
const SOURCES_MAX = 16;

interface ReadPriceSources {
  sources: readonly PriceSourceSettings[];
  /** Each names its place in PRICE_SOURCES. None repeats a value: a URL may hold a key. */
  faults: string[];
}

/** `{currency}` stands for BTC, ETH or SOL, or for its entry in `names`. */
export function readPriceSources(variable: string | null): ReadPriceSources {
  const { list, fault } =
    variable === null
      ? { list: DEFAULT_PRICE_SOURCES, fault: null }
      : readJsonArray('PRICE_SOURCES', variable);
  if (fault !== null) {
    return refused([fault]);
  }
  if (list.length < SOURCES_MIN || list.length > SOURCES_MAX) {
    return refused([`PRICE_SOURCES must name ${SOURCES_MIN} to ${SOURCES_MAX} sources`]);
  }
  const formFaults = list.flatMap((value, index) => faultsOfSource(value, `PRICE_SOURCES[${index}]`));
  if (formFaults.length > 0) {
    return refused(formFaults);
  }
  const sources = list.map(toSource);
  const faults = [
    ...repeated(sources.map(({ name }) => name)).map(
      (index) => `PRICE_SOURCES[${index}].name is used before`,
    ),
    ...repeatedPlaces(sources),
  ];
  return faults.length > 0 ? refused(faults) : { sources, faults };
}

function refused(faults: string[]): ReadPriceSources {
  return { sources: [], faults };
}

/** One source would pass for two, or one coin would be sold at the price of another. */
function repeatedPlaces(sources: readonly PriceSourceSettings[]): string[] {
  const known = new Set<string>();
  return sources.flatMap(({ places }, index) =>
    CURRENCIES.flatMap((currency) => {
      const place = places.get(currency);
      const key = place && JSON.stringify([new URL(place.url).href, place.pointer]);
      if (key === undefined || !known.has(key)) {
        known.add(key ?? '');
        return [];
      }
      return [
        `PRICE_SOURCES[${index}] takes the price of ${currency} from a place that is named before: {currency} is missing, or names, or currencies`,
      ];
    }),
  );
}
