import { bm25Scores } from '../bm25-scores';
import { splitSentences } from '../split-sentences';
import { comparedStems, sentencesOf } from './passages';

/** A sentence of a source that an answer names: `sources[source].slice(start, end)`, in UTF-16 units. */
export interface NamedQuote {
  /** The source's index, which is one less than its number. */
  readonly source: number;
  readonly start: number;
  readonly end: number;
}

/** `[1]`, and `[1, 2]` as some models write it. */
const MARKERS = /\[(\d{1,3}(?:\s?[,;]\s?\d{1,3}){0,20})\]/g;

/**
 * The sources whose numbers stand in an answer, as `[1]`, in the order of their numbers. Each is quoted by its sentence
 * that is closest, by BM25, to the answer's sentences in which the number stands; where no sentence shares a word with
 * those, by its first one. Numbers that no source has are passed over: they may be part of what is said, such as an
 * index in code. Time is linear in the texts.
 */
export function namedQuotes(answer: string, sources: readonly string[]): NamedQuote[] {
  return [...saidOfSources(answer, sources.length)]
    .sort(([one], [other]) => one - other)
    .map(([source, said]) => ({ source, ...closest(sources[source] ?? '', [...said]) }));
}

/** By the index of a source, the stems of the answer's sentences that name it. */
function saidOfSources(answer: string, count: number): Map<number, Set<string>> {
  const said = new Map<number, Set<string>>();
  let before: string[] | null = null;
  for (const { text } of splitSentences(answer)) {
    const bare = text.replace(MARKERS, ' ');
    // A number behind the full stop is a sentence of its own, and belongs to the one before.
    const isNumberAlone = !/[\p{L}\p{N}]/u.test(bare);
    const own: string[] = isNumberAlone ? [] : comparedStems(bare);
    const leads = numbersLeading(text);
    for (const number of numbersIn(text)) {
      const source = number - 1;
      if (source >= 0 && source < count) {
        const stems = before && (isNumberAlone || leads.has(number)) ? before : own;
        said.set(source, withAll(said.get(source) ?? new Set(), stems));
      }
    }
    before = isNumberAlone ? before : own;
  }
  return said;
}

function withAll(set: Set<string>, added: readonly string[]): Set<string> {
  for (const each of added) {
    set.add(each);
  }
  return set;
}

/** Numbers at the beginning of a sentence stand behind the full stop of the one before: "At nine. [1] It closes at six." */
function numbersLeading(sentence: string): Set<number> {
  const leading = /^(?:\[[\d\s,;]{1,80}\]\s*)+/u.exec(sentence)?.[0] ?? '';
  return numbersIn(leading);
}

function numbersIn(text: string): Set<number> {
  const numbers = [...text.matchAll(MARKERS)].flatMap(([, listed = '']) => listed.split(/[,;]/));
  return new Set(numbers.map(Number));
}

function closest(source: string, said: readonly string[]): { start: number; end: number } {
  const sentences = sentencesOf([{ text: source }]);
  const scores = bm25Scores(
    sentences.map(({ text }) => comparedStems(text)),
    said,
  );
  const best = scores.reduce((found, score, index) => (score > (scores[found] ?? 0) ? index : found), 0);
  const { start, end } = sentences[best] ?? { start: 0, end: source.length };
  return { start, end };
}
