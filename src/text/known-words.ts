import { foldedRun, wordRuns } from './searchable-text';

/** So few that the words of a hundred items are stored within a second. */
const WORDS_PER_TEXT_MAX = 300;
/** In UTF-16 units. Shorter words have too few trigrams to be told apart, longer ones are no words. */
const LENGTH = { min: 3, max: 32 };
const HAS_LETTER = /\p{L}/u;
const SINGLE_WORD = /^[\p{L}\p{M}\p{N}]+$/u;
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** The first 300 distinct words of a text by which mistyped words can be corrected, in lower case, with their accents. */
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

/** Whether a word, as `searchableText` writes it, may be mistyped or be a correction. */
export function isCorrectable(folded: string): boolean {
  const { length } = folded;
  return length >= LENGTH.min && length <= LENGTH.max && HAS_LETTER.test(folded) && SINGLE_WORD.test(folded);
}

/**
 * A word as `searchableText` writes it, letter by letter in ASCII: letters that are none are named after their code
 * points. Trigrams are compared in this form, because pg_trgm passes over all others in a database whose locale is C,
 * such as the embedded one. Letters of one alphabet mostly keep different names.
 */
export function wordShape(folded: string): string {
  return Array.from(folded, (letter) =>
    DIGITS.includes(letter) ? letter : DIGITS.charAt((letter.codePointAt(0) ?? 0) % DIGITS.length),
  ).join('');
}
