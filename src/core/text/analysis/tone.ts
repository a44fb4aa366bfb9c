import { mayBeEnglish } from '../language/detect-language';
import { FORMAL_WORDS, INFORMAL_WORDS, NEGATIONS, SENTIMENT_WORDS, STRENGTHENERS } from './tone-words';
import { wordsOfNames } from './words-of-names';
import { writtenWords } from './written-words';

export interface Tone {
  readonly formality: 'informal' | 'neutral' | 'formal';
  readonly sentiment: 'negative' | 'neutral' | 'positive';
  /** -1 to 1. */
  readonly sentimentScore: number;
  /** What it was read from, as sentences for people. */
  readonly signals: string[];
}

const SENTIMENT_MIN = 0.15;
/** How many words before a word of sentiment may turn it around. */
const NEGATION_REACH = 3;
/** Keeps two words of sentiment in a long text from counting as much as twenty. */
const SMOOTHING = 2;
const FORMALITY_MIN = 2;
const EXAMPLES_MAX = 5;
const CONTRACTION = /^\p{L}{1,12}['’](?:s|t|re|ve|ll|d|m)$/u;
const POSSESSIVE = /['’]s$/u;

/**
 * The tone of an English text by lists of words: how formal it is, and whether it speaks well or ill of things. A negation
 * turns the next words around. Irony is not seen. A text in another language is neutral, and a signal says so.
 */
export function toneOf(text: string): Tone {
  if (!mayBeEnglish(text)) {
    const signals = ['The text is not English, and tone is measured in English only.'];
    return { formality: 'neutral', sentiment: 'neutral', sentimentScore: 0, signals };
  }
  const words = wordsOf(text);
  const sentiment = sentimentOf(words);
  const formality = formalityOf(
    words.map(({ word }) => word),
    text,
  );
  return {
    formality: formality.formality,
    sentiment:
      sentiment.score >= SENTIMENT_MIN
        ? 'positive'
        : sentiment.score <= -SENTIMENT_MIN
          ? 'negative'
          : 'neutral',
    sentimentScore: sentiment.score,
    signals: [...formality.signals, ...sentiment.signals],
  };
}

/** A word in lower case. */
interface ReadWord {
  readonly word: string;
  /** Whether it is part of a name, which says nothing about whom it names: "Harbour Trust". */
  readonly isName: boolean;
}

/** The words, with an empty one where a clause ends, across which nothing is negated. */
function wordsOf(text: string): ReadWord[] {
  const words = [...writtenWords(text)];
  const names = wordsOfNames(text, words);
  let end = 0;
  return words.flatMap((written) => {
    const gap = text.slice(end, written.start);
    end = written.end;
    const word = written.text.toLowerCase().replaceAll('’', "'");
    const read = { word, isName: names.has(written.start) };
    return /[.,;:!?\n]/u.test(gap) ? [{ word: '', isName: false }, read] : [read];
  });
}

function sentimentOf(read: readonly ReadWord[]): { score: number; signals: string[] } {
  const [positive, negative] = [new Map<string, number>(), new Map<string, number>()];
  const words = read.map(({ word }) => word);
  for (const [index, { word, isName }] of read.entries()) {
    const value = isName ? undefined : SENTIMENT_WORDS.get(word);
    if (value === undefined) {
      continue;
    }
    const reach = words.slice(Math.max(0, index - NEGATION_REACH), index);
    const before = reach.slice(reach.lastIndexOf('') + 1);
    const isTurned = before.some((each) => NEGATIONS.has(each) || each.endsWith("n't"));
    const strength = STRENGTHENERS.has(words[index - 1] ?? '') ? 1.5 : 1;
    const signed = (isTurned ? -0.75 : 1) * value * strength;
    const side = signed > 0 ? positive : negative;
    const shown = isTurned ? `not ${word}` : word;
    side.set(shown, (side.get(shown) ?? 0) + Math.abs(signed));
  }
  const [good, bad] = [sumOf(positive), sumOf(negative)];
  const score = good + bad === 0 ? 0 : (good - bad) / (good + bad + SMOOTHING);
  const signals = [
    ...(positive.size > 0 ? [`Positive words: ${examples(positive)}.`] : []),
    ...(negative.size > 0 ? [`Negative words: ${examples(negative)}.`] : []),
  ];
  return { score: Math.round(score * 100) / 100, signals };
}

function formalityOf(
  words: readonly string[],
  text: string,
): { formality: Tone['formality']; signals: string[] } {
  const count = (matches: (word: string) => boolean) => words.filter(matches).length;
  const contractions = count(
    (word) =>
      CONTRACTION.test(word) &&
      (!POSSESSIVE.test(word) || /^(?:it|that|what|who|he|she|there|here|let)'s$/.test(word)),
  );
  const informal = count((word) => INFORMAL_WORDS.has(word));
  const formal = count((word) => FORMAL_WORDS.has(word));
  const exclamations = text.match(/!/g)?.length ?? 0;
  const emoji = text.match(/\p{Extended_Pictographic}/gu)?.length ?? 0;
  const marks: readonly (readonly [number, string])[] = [
    [contractions, 'Contractions'],
    [informal, 'Informal words'],
    [exclamations, 'Exclamation marks'],
    [emoji, 'Emoji'],
    [formal, 'Formal words'],
  ];
  const signals = marks.filter(([number]) => number > 0).map(([number, name]) => `${name}: ${number}.`);
  // Per hundred words, but a short text counts as a hundred, so that one contraction decides nothing.
  const hundreds = Math.max(1, words.filter((word) => word !== '').length / 100);
  const balance = (2 * formal - contractions - 2 * informal - exclamations - 2 * emoji) / hundreds;
  const formality = balance >= FORMALITY_MIN ? 'formal' : balance <= -FORMALITY_MIN ? 'informal' : 'neutral';
  return { formality, signals };
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, each) => sum + each, 0);
}

function examples(counts: ReadonlyMap<string, number>): string {
  const words = [...counts].sort((one, other) => other[1] - one[1]).map(([word]) => word);
  return words.slice(0, EXAMPLES_MAX).join(', ');
}
