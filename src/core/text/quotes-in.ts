/** A part of a text, word for word. `start` and `end` are in UTF-16 units. */
export interface Quote {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SHOWN_LENGTH_MAX = 120;

/**
 * Finds quotes again in the text that they are said to be from. Runs of white space count as one space, and quotation marks
 * and dashes of any kind as one another, because models straighten them; the words have to be the same.
 * @returns the quotes as they stand in the text, in its order, each place once; those that are not there are left out
 */
export function quotesIn(quotes: readonly string[], text: string): Quote[] {
  const plain = plainText(text);
  const found = new Map<number, Quote>();
  for (const quote of quotes) {
    const place = placeOf(quote, plain);
    if (place !== null && !found.has(place.start)) {
      found.set(place.start, { ...place, text: text.slice(place.start, place.end) });
    }
  }
  return [...found.values()].sort((one, other) => one.start - other.start);
}

/** The place of each quote in the text, as `quotesIn` finds it, in the quotes' own order; null for one that is not there. */
export function quotePlaces(quotes: readonly string[], text: string): (Quote | null)[] {
  const plain = plainText(text);
  return quotes.map((quote) => {
    const place = placeOf(quote, plain);
    return place && { ...place, text: text.slice(place.start, place.end) };
  });
}

/** A sentence for a model about each quote that is not in the text. */
export function quoteFaults(quotes: readonly string[], text: string): string[] {
  const plain = plainText(text);
  return quotes
    .filter((quote) => placeOf(quote, plain) === null)
    .map((quote) => `This does not stand in the text word for word: ${quote.slice(0, SHOWN_LENGTH_MAX)}`);
}

/** A text without differences that do not matter, and where each of its units is in the text. */
interface PlainText {
  readonly text: string;
  readonly places: Uint32Array;
}

function plainText(text: string): PlainText {
  const places = new Uint32Array(text.length + 1);
  const units: string[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const unit = plainUnit(text.charAt(index));
    if (unit === ' ' && (units.length === 0 || units.at(-1) === ' ')) {
      continue;
    }
    places[units.length] = index;
    units.push(unit);
  }
  places[units.length] = text.length;
  return { text: units.join(''), places };
}

function plainUnit(unit: string): string {
  // Most units are these and stay as they are, and a text may have 400,000.
  if (unit > ' ' && unit <= '~') {
    return unit;
  }
  if (/\s/.test(unit)) {
    return ' ';
  }
  if (/[“”„‟«»"]/.test(unit)) {
    return '"';
  }
  if (/[‘’‚‛']/.test(unit)) {
    return "'";
  }
  return /[‐-―−]/.test(unit) ? '-' : unit;
}

function placeOf(quote: string, { text, places }: PlainText): { start: number; end: number } | null {
  const wanted = plainText(quote).text.trimEnd();
  const at = wanted === '' ? -1 : text.indexOf(wanted);
  if (at === -1) {
    return null;
  }
  return { start: places[at] ?? 0, end: (places[at + wanted.length - 1] ?? 0) + 1 };
}
