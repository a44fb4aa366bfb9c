import { detectAll } from 'tinyld';

/** A language that a text may be in. */
interface LanguageCandidate {
  /** ISO 639-1. */
  readonly language: string;
  /** Its share of the evidence, 0 to 1. */
  readonly score: number;
}

interface DetectedLanguage {
  /** ISO 639-1; null where the language is not certain. */
  readonly language: string | null;
  /** The likeliest first, also where the evidence is not enough to decide. */
  readonly candidates: readonly LanguageCandidate[];
}

/** In UTF-16 units. More of a text adds no evidence. */
const READ_LENGTH_MAX = 2_000;
const CANDIDATES_MAX = 5;
/** Of the letters that tinyld knows for the language. With less it guesses. */
const ACCURACY_MIN = 0.05;
/** Addresses, paths, markup and code, as a run without spaces: English words in them say nothing about the text. */
const IN_CODE = /[/@_=<>{}[\]\\|;]|\w[.(]\w/u;
/** Languages that are mixed with others in one text; tinyld hears rarer ones in names. */
const MIXED = new Set('en de fr es it pt nl sv da no pl ru uk tr'.split(' '));
/** A second language of these that has so much, and half of what the first has, is in the text too. */
const RIVAL_ACCURACY_MIN = 0.25;
const LATIN_LETTER = /\p{Script=Latin}/gu;
const LETTER = /\p{L}/gu;
const LOWER_CASE_WORD = /(?<![\p{L}\p{N}])\p{Ll}{2,30}(?![\p{L}\p{N}])/u;

/** The language of a text as ISO 639-1, from its beginning; null where it is not certain, as for names and codes. */
export function detectLanguage(text: string): string | null {
  return detectedLanguage(text).language;
}

/** The public notice for a text that only a model could read. */
export const ENGLISH_ALONE =
  'Without one only texts in English are read, and this one is in another language.';

/** Whether rules for English apply: the text is not told to be in another language. */
export function mayBeEnglish(text: string): boolean {
  return [null, 'en'].includes(detectLanguage(text));
}

/** The language of a text and its candidates, by letters and typical groups of them. Linear time. */
export function detectedLanguage(text: string): DetectedLanguage {
  const read = text.slice(0, READ_LENGTH_MAX).replace(/\S+/gu, (run) => (IN_CODE.test(run) ? '' : run));
  const found = isOfNames(read) ? [] : detectAll(read).filter(({ lang }) => lang.length === 2);
  const sum = found.reduce((total, { accuracy }) => total + accuracy, 0);
  const [first, second] = found;
  const isOfTwo =
    first &&
    second &&
    MIXED.has(second.lang) &&
    second.accuracy >= Math.max(RIVAL_ACCURACY_MIN, first.accuracy / 2);
  return {
    language: first && first.accuracy >= ACCURACY_MIN && !isOfTwo ? first.lang : null,
    candidates: found
      .slice(0, CANDIDATES_MAX)
      .map(({ lang, accuracy }) => ({ language: lang, score: Math.round((accuracy / sum) * 1000) / 1000 })),
  };
}

/** Whether a text in Latin script is names and codes alone, which are of any language. */
function isOfNames(text: string): boolean {
  const latin = text.match(LATIN_LETTER)?.length ?? 0;
  return latin * 2 > (text.match(LETTER)?.length ?? 0) && !LOWER_CASE_WORD.test(text);
}
