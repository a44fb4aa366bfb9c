import { searchableText, UNSPACED_SCRIPTS } from './searchable-text';

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
