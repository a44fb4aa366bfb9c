import { splitSentences } from '../split-sentences';
import { wordRuns } from '../word-runs';

/** A sentence that is compared. `text === source.slice(start, end)`, in UTF-16 units. */
export interface ComparedSentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The sentence with single spaces: what has to be the same. */
  readonly key: string;
  /** How often each of its words occurs, in lower case. */
  readonly words: ReadonlyMap<string, number>;
  readonly wordCount: number;
}

/** The number of a clause, which a full stop makes a sentence of its own. */
const NUMBER = /^[\p{N}.()a-z§]{1,12}[.)]$/u;

/** The sentences of a text. The number of a clause belongs to the sentence after it. */
export function comparedSentences(source: string): ComparedSentence[] {
  const compared: ComparedSentence[] = [];
  let numberAt: number | null = null;
  for (const { text, start, end } of splitSentences(source)) {
    if (numberAt === null && NUMBER.test(text) && hasWordAfter(source, end)) {
      numberAt = start;
      continue;
    }
    compared.push(compare(source, numberAt ?? start, end));
    numberAt = null;
  }
  return compared;
}

function hasWordAfter(source: string, end: number): boolean {
  return /^[ \t]{1,8}\S/.test(source.slice(end, end + 10));
}

function compare(source: string, start: number, end: number): ComparedSentence {
  const text = source.slice(start, end);
  const words = new Map<string, number>();
  let wordCount = 0;
  for (const { written } of wordRuns(text)) {
    const word = written.toLowerCase();
    words.set(word, (words.get(word) ?? 0) + 1);
    wordCount += 1;
  }
  return { text, start, end, key: text.split(/\s+/u).join(' '), words, wordCount };
}

/** How many words both sentences have, each as often as both have it. */
export function commonWords(one: ComparedSentence, other: ComparedSentence): number {
  const [small, large] = one.words.size <= other.words.size ? [one, other] : [other, one];
  let common = 0;
  for (const [word, count] of small.words) {
    common += Math.min(count, large.words.get(word) ?? 0);
  }
  return common;
}

/** Dice's coefficient of the sentences' words, 0 to 1. */
export function likeness(one: ComparedSentence, other: ComparedSentence): number {
  const total = one.wordCount + other.wordCount;
  return total === 0 ? 0 : (2 * commonWords(one, other)) / total;
}
