import { UNSPACED_SCRIPTS } from './searchable-text';

/** In UTF-16 units. The bound limits the work of whoever looks at a single word. */
const WORD_LENGTH_MAX = 60;
const JOINTS_MAX = 5;
const LETTER = `(?:(?![${UNSPACED_SCRIPTS}])[\\p{L}\\p{M}\\p{N}])`;
const WORD = new RegExp(
  `[${UNSPACED_SCRIPTS}]|${LETTER}{1,${WORD_LENGTH_MAX}}(?:['’.\\-]${LETTER}{1,${WORD_LENGTH_MAX}}){0,${JOINTS_MAX}}`,
  'gu',
);

export interface WrittenWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** As a reader counts: "don't", "well-known", "3.5" and every character of scripts without spaces are one each. */
export function* writtenWords(text: string): Generator<WrittenWord> {
  for (const { 0: written, index } of text.matchAll(WORD)) {
    yield { text: written, start: index, end: index + written.length };
  }
}
