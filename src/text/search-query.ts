import { foldedRun, WORD_CHARACTERS, wordRuns } from './searchable-text';

export const QUERY_WORDS_MAX = 64;

const QUOTES = '"“”„‟«»＂';
const TERM = new RegExp(`(-?)[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]|\\S+`, 'gu');
/** One dash directly before a word. A second one, as before a program's option, makes it punctuation. */
const EXCLUDED = new RegExp(`^-[${QUOTES}]?(?=[${WORD_CHARACTERS}])`, 'u');

interface QueryWord {
  readonly start: number;
  readonly end: number;
  readonly folded: string;
}

/** Written by `searchableText`, so that nothing in them can be an operator. */
export interface SearchQuery {
  readonly wanted: string;
  readonly phrases: readonly string[];
  readonly excluded: readonly string[];
  readonly places: readonly QueryWord[];
}

/** Words, `"phrases"`, `-word` and `-"phrase"`; other marks are punctuation. Only the first 64 words count. */
export function readSearchQuery(query: string): SearchQuery {
  const wanted: string[] = [];
  const phrases: string[] = [];
  const excluded: string[] = [];
  const places: QueryWord[] = [];
  let wordsLeft = QUERY_WORDS_MAX;
  for (const { text, start, isPhrase, isExcluded } of termsOf(query)) {
    const { words, runs } = firstWords(text, start, wordsLeft);
    if (words.length === 0) {
      continue;
    }
    wordsLeft -= words.length;
    if (isExcluded) {
      excluded.push(words.join(' '));
      continue;
    }
    wanted.push(...words);
    places.push(...runs);
    if (isPhrase) {
      phrases.push(words.join(' '));
    }
  }
  return { wanted: wanted.join(' '), phrases, excluded, places };
}

export function correctedQuery(query: string, corrections: ReadonlyMap<string, string>): string {
  let corrected = '';
  let end = 0;
  for (const place of readSearchQuery(query).places) {
    const correction = corrections.get(place.folded);
    if (correction !== undefined) {
      corrected += query.slice(end, place.start) + correction;
      end = place.end;
    }
  }
  return corrected + query.slice(end);
}

function* termsOf(query: string) {
  for (const { 0: text, 1: dash = '', 2: phrase, index } of query.matchAll(TERM)) {
    yield phrase === undefined
      ? { text, start: index, isPhrase: false, isExcluded: EXCLUDED.test(text) }
      : { text: phrase, start: index + dash.length + 1, isPhrase: true, isExcluded: dash === '-' };
  }
}

function firstWords(text: string, start: number, countMax: number): { words: string[]; runs: QueryWord[] } {
  const words: string[] = [];
  const runs: QueryWord[] = [];
  for (const run of wordRuns(text)) {
    const folded = foldedRun(run.written);
    const added = folded.split(/\s+/).filter((word) => word !== '');
    if (words.length + added.length > countMax) {
      break;
    }
    words.push(...added);
    if (added.length > 0) {
      runs.push({ start: start + run.start, end: start + run.end, folded });
    }
  }
  return { words, runs };
}

/** Few enough to store the words of a hundred items within a second. */
const WORDS_PER_TEXT_MAX = 300;
/** In UTF-16 units. Shorter words have too few trigrams to be told apart. */
const LENGTH = { min: 3, max: 32 };
const HAS_LETTER = /\p{L}/u;
const SINGLE_WORD = /^[\p{L}\p{M}\p{N}]+$/u;
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Used to correct mistyped words: the first 300, in lower case, with their accents. */
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

export function isCorrectable(folded: string): boolean {
  const { length } = folded;
  return length >= LENGTH.min && length <= LENGTH.max && HAS_LETTER.test(folded) && SINGLE_WORD.test(folded);
}

/** Letters beyond ASCII as code points, because pg_trgm ignores them in a database of the locale C. */
export function wordShape(folded: string): string {
  return Array.from(folded, (letter) =>
    DIGITS.includes(letter) ? letter : DIGITS.charAt((letter.codePointAt(0) ?? 0) % DIGITS.length),
  ).join('');
}
