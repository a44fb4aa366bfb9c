import { stemmer } from 'stemmer';
import { words } from '../content-stems';
import { splitSentences } from '../split-sentences';
import { STOP_WORDS } from '../stop-words';
import { QUESTION_WORDS } from './question-words';

/** A text that may hold an answer, and what stands above it. */
export interface Passage {
  readonly text: string;
  readonly heading: string | null;
}

/** A sentence of a passage: `passages[passage].text.slice(start, end)`, in UTF-16 units. */
export interface PlacedSentence {
  /** The passage's index. */
  readonly passage: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const ACCENTS = /[\u0300-\u036f]/g;
/** Marks follow each other only so often in words; a run of thousands takes quadratic time to normalise. */
const ENDLESS_MARKS = /(\p{M}{8})\p{M}+/gu;
/** The characters of scripts that put no space between words. Each of them is taken for a word of its own. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** The stems by which a question and a sentence are compared: without accents, stop words and words of questions. */
export function comparedStems(text: string): string[] {
  const folded = text.replace(ENDLESS_MARKS, '$1').normalize('NFKD').replace(ACCENTS, '').normalize('NFKC');
  return words(folded.replace(UNSPACED, ' $& '))
    .filter((word) => !STOP_WORDS.has(word) && !QUESTION_WORDS.has(word))
    .map((word) => stemmer(word));
}

/** The sentences of all passages, in order. */
export function sentencesOf(passages: readonly Pick<Passage, 'text'>[]): PlacedSentence[] {
  return passages.flatMap(({ text }, passage) =>
    splitSentences(text).map((sentence) => ({ passage, ...sentence })),
  );
}
