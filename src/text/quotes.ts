import type { Place } from './places';
import { firstPlaces } from './string-search';

export type Quote = Place;

/** White space, quotation marks and dashes compare as equal, because models straighten them. Null for absent quotes. */
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

function plainText(text: string): { units: Uint16Array; places: Uint32Array } {
  const units = new Uint16Array(text.length);
  const places = new Uint32Array(text.length);
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = plainUnit(text.charCodeAt(index));
    if (unit === SPACE && (length === 0 || units[length - 1] === SPACE)) {
      continue;
    }
    places[length] = index;
    units[length] = unit;
    length += 1;
  }
  return { units: units.subarray(0, length), places };
}

function plainUnit(unit: number): number {
  // Most of a text's up to 400,000 units are these, and stay as they are.
  return unit > SPACE && unit < FIRST_UNLIKE ? unit : (PLAIN.get(unit) ?? unit);
}

const FIRST_UNLIKE = 0x7f;
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/\s/, ' '],
  [/[“”„‟«»"]/, '"'],
  [/[‘’‚‛']/, "'"],
  [/[‐-―−]/, '-'],
];
/** The ideographic space, the last white space but the byte order mark. */
const LAST_UNLIKE = 0x3000;
const BYTE_ORDER_MARK = 0xfeff;
const PLAIN = new Map<number, number>();
for (const unit of [...Array(LAST_UNLIKE + 1).keys(), BYTE_ORDER_MARK]) {
  const [, as] = ALIKE.find(([marks]) => marks.test(String.fromCharCode(unit))) ?? [];
  if (as !== undefined) {
    PLAIN.set(unit, as.charCodeAt(0));
  }
}
