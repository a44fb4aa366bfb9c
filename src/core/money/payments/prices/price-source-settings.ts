import { readFileSync } from 'node:fs';
import { CURRENCIES } from '../../../../infrastructure/chain/payment-chain';
import { DEFAULT_PRICE_SOURCES } from './default-price-sources';
import { faultsOfSource, toSource, type PriceSourceSettings } from './price-source-entry';

const SOURCES_MIN = 2;
const SOURCES_MAX = 16;

export interface ReadPriceSources {
  sources: readonly PriceSourceSettings[];
  /** Each names its place in PRICE_SOURCES. None repeats a value: a URL may hold a key. */
  faults: string[];
}

/**
 * Reads the value of PRICE_SOURCES, which is JSON text or the path of a JSON file: a list of
 * `{"name", "url", "pointer", "names", "pointers", "currencies"}`. In `url` and in the pointers `{currency}` stands for BTC, ETH or
 * SOL, or for what `names` says that the source calls it. `pointer` leads to the price; `pointers` does for single currencies.
 * `currencies` lists those that the source knows; without it, it knows all.
 *
 * @param variable null for the sources that come with the service
 */
export function readPriceSources(variable: string | null): ReadPriceSources {
  const { list, fault } = variable === null ? { list: DEFAULT_PRICE_SOURCES } : parsed(variable.trim());
  if (fault !== undefined || !Array.isArray(list)) {
    return refused([fault ?? 'PRICE_SOURCES must be an array']);
  }
  if (list.length < SOURCES_MIN || list.length > SOURCES_MAX) {
    return refused([`PRICE_SOURCES must name ${SOURCES_MIN} to ${SOURCES_MAX} sources`]);
  }
  const formFaults = list.flatMap((value, index) => faultsOfSource(value, `PRICE_SOURCES[${index}]`));
  if (formFaults.length > 0) {
    return refused(formFaults);
  }
  const sources = list.map(toSource);
  const faults = [...repeatedNames(sources), ...repeatedPlaces(sources)];
  return faults.length > 0 ? refused(faults) : { sources, faults };
}

function refused(faults: string[]): ReadPriceSources {
  return { sources: [], faults };
}

/** Leaves out the messages of the errors that it catches: they quote the value, which may hold keys. */
function parsed(text: string): { list?: unknown; fault?: string } {
  let json = text;
  if (!/^[[{"]/.test(text)) {
    try {
      json = readFileSync(text, 'utf8');
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown fault';
      return { fault: `PRICE_SOURCES must be JSON or the path of a JSON file; as a path it gives ${code}` };
    }
  }
  try {
    return { list: JSON.parse(json) as unknown };
  } catch {
    return { fault: 'PRICE_SOURCES is not valid JSON' };
  }
}

function repeatedNames(sources: readonly PriceSourceSettings[]): string[] {
  const names = sources.map(({ name }) => name);
  return names.flatMap((name, index) =>
    names.indexOf(name) < index ? [`PRICE_SOURCES[${index}].name is used before`] : [],
  );
}

/**
 * Two prices from one place always agree. Were they of one currency, a single source would pass for two; were they of two, one
 * coin would be sold at the price of the other.
 */
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
