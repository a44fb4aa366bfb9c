/**
 * How many characters of a text are searched: so few that their words fit into a tsvector, which is limited to 1 MB.
 */
const SEARCHED_LENGTH_MAX = 100_000;
/**
 * Normalising takes quadratic time in the length of an unbroken run of combining marks: 100,000 of them blocked the
 * event loop for seconds. So runs are cut to 8.
 */
const ENDLESS_MARKS = /(\p{M}{8})\p{M}+/gu;
const ACCENTS = /[\u0300-\u036f]/g;
/** German writes it as ss in capitals, where there are none of the letter, and in Switzerland. */
const SHARP_S = /ß/g;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/gu;
/** The characters of scripts that put no space between words, as part of a regular expression's class. */
export const UNSPACED_SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/** Each character of such a script is taken for a word of its own. */
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'gu');

/**
 * The words of a text, separated by spaces, in lower case and without accents. Stored texts and queries are both split
 * here, because what Postgres takes for a word depends on the locale of the database, and because Postgres would index
 * an e-mail address, a host or a version as one word, so that a query for a part of it would find nothing.
 */
export function searchableText(text: string): string {
  const bounded = text.slice(0, SEARCHED_LENGTH_MAX).replace(ENDLESS_MARKS, '$1');
  const folded = bounded
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(SHARP_S, 'ss');
  return folded.slice(0, SEARCHED_LENGTH_MAX).replace(BETWEEN_WORDS, ' ').replace(UNSPACED, ' $& ').trim();
}

/** The words of a key. A key in camel case, such as `preferredLanguage`, is found as a whole and by its parts. */
export function searchableKey(key: string): string {
  const split = key.replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2');
  return searchableText(split === key ? key : `${key} ${split}`);
}

/** What words are made of, as part of a regular expression's class: some signs, such as `㋐`, are folded to letters. */
export const WORD_CHARACTERS = String.raw`\p{L}\p{M}\p{N}${UNSPACED_SCRIPTS}`;
const RUN = new RegExp(`[${UNSPACED_SCRIPTS}]|(?:(?![${UNSPACED_SCRIPTS}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');
const NOT_ASCII = /[^\0-\x7f]/;

/** A word as it stands in a text. */
export interface WordRun {
  /** Where it begins, in UTF-16 units. */
  readonly start: number;
  /** Where it ends, in UTF-16 units. */
  readonly end: number;
  /** The word itself. */
  readonly written: string;
}

/** The places of all words of a text that `searchableText` finds in it, in order. */
export function* wordRuns(text: string): Generator<WordRun> {
  for (const { 0: written, index } of text.matchAll(RUN)) {
    yield { start: index, end: index + written.length, written };
  }
}

/** A run as `searchableText` writes it: mostly one word, but `½` has two, and a lone accent none. */
export function foldedRun(written: string): string {
  return NOT_ASCII.test(written) ? searchableText(written) : written.toLowerCase();
}
