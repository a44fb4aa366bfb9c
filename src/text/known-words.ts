import { foldedRun, wordRuns } from './searchable-text';

/** So few that the words of a hundred items are stored within a second. */
const WORDS_PER_TEXT_MAX = 300;
/** In UTF-16 units. Shorter words have too few trigrams to be told apart. */
const LENGTH = { min: 3, max: 32 };
const HAS_LETTER = /\p{L}/u;
const SINGLE_WORD = /^[\p{L}\p{M}\p{N}]+$/u;
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** The first 300 distinct words by which mistyped words can be corrected, in lower case, with their accents. */
export function knownWords(text: string): string[] {
  const words = new Set<string>();
  for (const { written } of wordRuns(text)) {
    if (written.length <= LENGTH.max) {
      const word = written.toLowerCase().normalize('NFC');
      if (isCorrectable(foldedRun(word))) {
        words.add(word);
      }
    }
    if (words.size === WORDS_PER_TEXT_MAX) {
      break;
    }
  }
  return [...words];
}

/** For a word as `searchableText` writes it. */
export function isCorrectable(folded: string): boolean {
  const { length } = folded;
  return length >= LENGTH.min && length <= LENGTH.max && HAS_LETTER.test(folded) && SINGLE_WORD.test(folded);
}

/**
 * A word as `searchableText` writes it, in ASCII: other letters become their code points, because pg_trgm ignores them
 * in a database whose locale is C, such as the embedded one.
 */
export function wordShape(folded: string): string {
  return Array.from(folded, (letter) =>
    DIGITS.includes(letter) ? letter : DIGITS.charAt((letter.codePointAt(0) ?? 0) % DIGITS.length),
  ).join('');
}
