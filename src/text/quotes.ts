import type { Place } from './places';
import { firstPlaces } from './string-search';

export type Quote = Place;

/** Any white space, quotation marks and dashes are alike, because models straighten them. Null for one not there. */
export function quotePlaces(quotes: readonly string[], text: string): (Quote | null)[] {
  const plain = plainText(text);
  const wanted = quotes.map((quote) => {
    const { units } = plainText(quote);
    return units.at(-1) === SPACE ? units.subarray(0, -1) : units;
  });
  const starts = firstPlaces(wanted, plain.units);
  return wanted.map(({ length }, index) => {
    const at = starts[index] ?? -1;
    if (at === -1) {
      return null;
    }
    const [start, end] = [plain.places[at] ?? 0, (plain.places[at + length - 1] ?? 0) + 1];
    return { text: text.slice(start, end), start, end };
  });
}

const SPACE = 0x20;

/** What is written in several ways, each of one unit. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/\s/g, ' '],
  [/[“”„‟«»]/g, '"'],
  [/[‘’‚‛]/g, "'"],
  [/[‐-―−]/g, '-'],
];

/** Without insignificant differences, and with the place of each unit in the original. */
function plainText(text: string): { units: Uint16Array; places: Uint32Array } {
  const alike = ALIKE.reduce((read, [marks, as]) => read.replace(marks, as), text);
  const units = new Uint16Array(text.length);
  const places = new Uint32Array(text.length);
  let length = 0;
  for (let index = 0; index < alike.length; index += 1) {
    const unit = alike.charCodeAt(index);
    if (unit === SPACE && (length === 0 || units[length - 1] === SPACE)) {
      continue;
    }
    places[length] = index;
    units[length] = unit;
    length += 1;
  }
  return { units: units.subarray(0, length), places };
}
