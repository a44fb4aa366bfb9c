import { keywords } from '../analysis/keywords';
import { syllablesOf } from '../analysis/syllables';
import { writtenWords } from '../analysis/written-words';
import { mayBeEnglish } from '../language/detect-language';
import { splitSentences } from '../split-sentences';
import { STOP_WORDS } from '../stop-words';
import type { CreativeWish } from './creative-wish';

const KEYWORDS_MAX = 16;
const FACTS_MAX = 8;
/** In UTF-16 units. */
const FACT_LENGTH_MAX = 200;
const PLACEHOLDER_LENGTH_MAX = 80;
const ENDINGS_MAX = 6;
/** The last vowels of an English word and all that follows them, without an e that is not spoken. */
const ENDING = /(?:[aeiouy]+[^aeiouy]{1,5}e?|[aeiouy]+)$/u;

/** What the places of a scaffold are filled with: words and sentences of the caller's prompt, and names that were given. */
export interface Material {
  /** The keyword whose turn it is, with its syllables where the prompt is English. */
  readonly word: (turn: number) => string;
  /** The sentence of the prompt whose turn it is. */
  readonly fact: (turn: number) => string;
  /** The name whose turn it is; null where none was given. */
  readonly name: (turn: number) => string | null;
  readonly names: readonly string[];
  /** Words of the prompt that end alike, best for rhymes, each group as one line. */
  readonly endings: readonly string[];
  /** Words of the prompt that begin alike, each group as one line. */
  readonly beginnings: readonly string[];
}

/** The same wish always has the same material. */
export function materialOf({ prompt, names }: CreativeWish): Material {
  const isEnglish = mayBeEnglish(prompt);
  const facts = splitSentences(prompt)
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .slice(0, FACTS_MAX)
    .map(({ text }) => shortened(text, FACT_LENGTH_MAX));
  const found = keywords(prompt, KEYWORDS_MAX).map(({ text }) => text);
  const words = found.length > 0 ? found : facts.map((fact) => shortened(fact, PLACEHOLDER_LENGTH_MAX));
  const content = contentWords(prompt);
  const shown = names.map((name) => shortened(name, PLACEHOLDER_LENGTH_MAX));
  return {
    word: (turn) => wordShown(turnOf(words, turn) ?? '', isEnglish && found.length > 0),
    fact: (turn) => turnOf(facts, turn) ?? '',
    name: (turn) => turnOf(shown, turn) ?? null,
    names: shown,
    endings: isEnglish ? groupsBy(content, endingOf) : [],
    beginnings: groupsBy(content, (word) => /^\p{L}/u.exec(word)?.[0] ?? null),
  };
}

/** A text of the caller's in one line, so that it can't begin a line that looks like one of ours. */
export function shortened(text: string, lengthMax: number): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line.length <= lengthMax) {
    return line;
  }
  const whole = line.slice(0, lengthMax - 1).toWellFormed();
  return `${whole.replace(/�$/u, '')}…`;
}

function turnOf(list: readonly string[], turn: number): string | undefined {
  return list[turn % Math.max(1, list.length)];
}

function wordShown(word: string, isCounted: boolean): string {
  if (!isCounted) {
    return `“${word}”`;
  }
  const count = [...writtenWords(word)].reduce((sum, { text }) => sum + syllablesOf(text), 0);
  return `“${word}” (about ${count} ${count === 1 ? 'syllable' : 'syllables'})`;
}

function contentWords(prompt: string): string[] {
  const words = [...writtenWords(prompt)].map(({ text }) => text.toLowerCase());
  return [...new Set(words)].filter((word) => word.length > 2 && !STOP_WORDS.has(word));
}

function endingOf(word: string): string | null {
  const ending = ENDING.exec(word)?.[0] ?? null;
  return ending === null || ending.length < 2 ? null : ending;
}

function groupsBy(words: readonly string[], keyOf: (word: string) => string | null): string[] {
  const groups = new Map<string, string[]>();
  for (const word of words) {
    const key = keyOf(word);
    if (key !== null) {
      groups.set(key, [...(groups.get(key) ?? []).slice(0, 5), word]);
    }
  }
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .slice(0, ENDINGS_MAX)
    .map((group) => group.join(', '));
}
