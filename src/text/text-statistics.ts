import { inSnakeCase } from '../runtime/json';
import { detectLanguage } from './detect-language';
import type { Place } from './places';
import { UNSPACED_SCRIPTS } from './searchable-text';
import { splitSentences } from './split-sentences';

/** In UTF-16 units. Bounds the work on a single word. */
const WORD_LENGTH_MAX = 60;
const JOINTS_MAX = 5;
const LETTER = `(?:(?![${UNSPACED_SCRIPTS}])[\\p{L}\\p{M}\\p{N}])`;
const WRITTEN_WORD = new RegExp(
  `[${UNSPACED_SCRIPTS}]|${LETTER}{1,${WORD_LENGTH_MAX}}(?:['’.\\-]${LETTER}{1,${WORD_LENGTH_MAX}}){0,${JOINTS_MAX}}`,
  'gu',
);

/** As a reader counts: "don't", "well-known", "3.5" and every character of scripts without spaces are one each. */
export function* writtenWords(text: string): Generator<Place> {
  for (const { 0: written, index } of text.matchAll(WRITTEN_WORD)) {
    yield { text: written, start: index, end: index + written.length };
  }
}

const VOWELS = /[aeiouyàáâäãåæèéêëìíîïòóôöõøœùúûüÿ]{1,60}/gu;
const SILENT_ENDING = /(?:[^laeiouyt]|[aeiouy]l|t)(?:es|ed|e)$/u;
const SPOKEN_ENDING = /(?:[sxz]es|[cs]hes|[cg]es|[td]ed|[^aeiouy]le)$/u;
const APART = /(?:i[ao](?!u)(?!n)|iu|ie[nt]|eo(?!u)|ea(?:t(?:e|i|o)|l(?:i))|ua[lt]|uo)/gu;

export function syllablesOf(word: string): number {
  const lower = word.toLowerCase();
  const groups = lower.match(VOWELS)?.length ?? 0;
  const apart = lower.match(APART)?.length ?? 0;
  const isSilent = SILENT_ENDING.test(lower) && !SPOKEN_ENDING.test(lower);
  return Math.max(1, groups + apart - (isSilent ? 1 : 0));
}

/** Flesch's reading ease, at its limits of 90, 70, 50 and 30. */
type ReadingLevel = 'very_easy' | 'easy' | 'standard' | 'difficult' | 'very_difficult';

export interface TextStatistics {
  readonly characters: number;
  readonly words: number;
  readonly sentences: number;
  readonly paragraphs: number;
  readonly averageSentenceWords: number;
  readonly averageWordSyllables: number;
  readonly readingTimeSeconds: number;
  /** Mostly 0 to 100, higher is easier. Null where the text is not English or has no sentence. */
  readonly fleschReadingEase: number | null;
  /** The American school year; null as above. */
  readonly fleschKincaidGrade: number | null;
  readonly readingLevel: ReadingLevel | null;
}

/** Silent reading of English. Source: Brysbaert, "How many words do we read per minute?", 2019. */
const WORDS_PER_MINUTE = 238;
const LEVELS: readonly (readonly [easeMin: number, level: ReadingLevel])[] = [
  [90, 'very_easy'],
  [70, 'easy'],
  [50, 'standard'],
  [30, 'difficult'],
];

/** Sources: Flesch, "A new readability yardstick", 1948; Kincaid, "Derivation of new readability formulas", 1975. */
export function textStatistics(text: string): TextStatistics {
  const { words, syllables } = countWords(text);
  const sentences = splitSentences(text).filter(({ text: sentence }) =>
    /[\p{L}\p{N}]/u.test(sentence),
  ).length;
  const sentenceWords = sentences === 0 ? 0 : words / sentences;
  const wordSyllables = words === 0 ? 0 : syllables / words;
  const isMeasured = sentences > 0 && words > 0 && detectLanguage(text) === 'en';
  const ease = isMeasured ? tenths(206.835 - 1.015 * sentenceWords - 84.6 * wordSyllables) : null;
  return {
    characters: text.length,
    words,
    sentences,
    paragraphs: countParagraphs(text),
    averageSentenceWords: tenths(sentenceWords),
    averageWordSyllables: Math.round(wordSyllables * 100) / 100,
    readingTimeSeconds: Math.ceil((words * 60) / WORDS_PER_MINUTE),
    fleschReadingEase: ease,
    fleschKincaidGrade: isMeasured ? tenths(0.39 * sentenceWords + 11.8 * wordSyllables - 15.59) : null,
    readingLevel:
      ease === null ? null : (LEVELS.find(([easeMin]) => ease >= easeMin)?.[1] ?? 'very_difficult'),
  };
}

function countWords(text: string): { words: number; syllables: number } {
  let [words, syllables] = [0, 0];
  for (const word of writtenWords(text)) {
    words += 1;
    syllables += syllablesOf(word.text);
  }
  return { words, syllables };
}

function countParagraphs(text: string): number {
  const lines = text.split('\n').map((line) => line.trim() !== '');
  return lines.filter((hasText, index) => hasText && lines[index - 1] !== true).length;
}

function tenths(number: number): number {
  return Math.round(number * 10) / 10;
}

export function textCounts(measured: TextStatistics) {
  return {
    ...inSnakeCase(measured, 'characters', 'words', 'sentences', 'paragraphs'),
    ...inSnakeCase(measured, 'averageSentenceWords', 'readingTimeSeconds'),
  };
}

export function textReadability(measured: TextStatistics) {
  return {
    ...inSnakeCase(measured, 'fleschReadingEase', 'fleschKincaidGrade', 'readingLevel'),
    ...inSnakeCase(measured, 'averageSentenceWords', 'averageWordSyllables'),
  };
}
