import { detectAll } from 'tinyld';
import { FUNCTION_WORDS } from './function-words';

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
const WORD = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}]{2,30}(?![\p{L}\p{M}\p{N}])/gu;
/** What stands before the first word of a sentence, which has a capital for that alone. */
const SENTENCE_BEGINS = /(?:^|[.?!:¿¡„“"«(\n])\s{0,3}$/u;
/** Of all letters. In another script Latin words are names. */
const LATIN_SHARE_MIN = 0.9;
/** Letters that Vietnamese alone has. */
export const VIETNAMESE = /[ơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/u;
/** Function words decide with as much as one that is the language's own, a tenth of all, and twice what another language has. */
const WORDS_WEIGHT_MIN = 1;
const WORDS_SHARE_MIN = 0.1;
const WORDS_LEAD_MIN = 2;
/** With as much as one and a half words of its own, another language is in the text too, or has to be far behind. */
const MIXED_WEIGHT_MIN = 1.5;
const MIXED_LEAD_MIN = 4;

/** The languages that have each function word. */
const LANGUAGES_OF_WORD = new Map<string, string[]>();
for (const [language, words] of FUNCTION_WORDS) {
  for (const word of words) {
    LANGUAGES_OF_WORD.set(word, [...(LANGUAGES_OF_WORD.get(word) ?? []), language]);
  }
}

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

/** The language of a text and its candidates, by its function words, or by letters and typical groups of them. Linear time. */
export function detectedLanguage(text: string): DetectedLanguage {
  const read = text.slice(0, READ_LENGTH_MAX).replace(/\S+/gu, (run) => (IN_CODE.test(run) ? '' : run));
  if (isOfNames(read)) {
    return { language: null, candidates: [] };
  }
  return byFunctionWords(read) ?? byLetters(read);
}

/**
 * Null where function words do not decide. tinyld is sure of a language by one group of letters that is rare in the others:
 * a question about "Grainger Market" is told to be Tagalog.
 */
function byFunctionWords(text: string): DetectedLanguage | null {
  if (latinShareOf(text) < LATIN_SHARE_MIN) {
    return null;
  }
  const all = [...text.matchAll(WORD)];
  const weights = new Map<string, number>();
  for (const [index, word] of all.entries()) {
    const languages = isOfName(all, index) ? [] : languagesOf(word[0].toLowerCase());
    for (const language of languages) {
      weights.set(language, (weights.get(language) ?? 0) + 1 / languages.length);
    }
  }
  const ranked = [...weights].sort(([, one], [, other]) => other - one);
  const [[language, weight] = ['', 0], [, rival] = ['', 0]] = ranked;
  const lead = rival < MIXED_WEIGHT_MIN ? WORDS_LEAD_MIN : MIXED_LEAD_MIN;
  const isClear = weight >= Math.max(WORDS_WEIGHT_MIN, WORDS_SHARE_MIN * all.length, lead * rival);
  return isClear ? { language, candidates: candidatesOf(ranked) } : null;
}

function languagesOf(word: string): readonly string[] {
  return VIETNAMESE.test(word) ? ['vi'] : (LANGUAGES_OF_WORD.get(word) ?? []);
}

/** Whether a word has a capital within a sentence, or is between two that have one, as in "Ursula von der Leyen". */
function isOfName(all: readonly RegExpExecArray[], index: number): boolean {
  const hasCapital = (step: number) => isCapital(all[index + step]);
  return (
    hasCapital(0) || (hasCapital(-1) && (hasCapital(1) || hasCapital(2))) || (hasCapital(-2) && hasCapital(1))
  );
}

function isCapital(word: RegExpExecArray | undefined): boolean {
  return (
    word !== undefined &&
    /^\p{Lu}/u.test(word[0]) &&
    !SENTENCE_BEGINS.test(word.input.slice(Math.max(0, word.index - 4), word.index))
  );
}

function byLetters(text: string): DetectedLanguage {
  const found = detectAll(text).filter(({ lang }) => lang.length === 2);
  const [first, second] = found;
  const isOfTwo =
    first &&
    second &&
    MIXED.has(second.lang) &&
    second.accuracy >= Math.max(RIVAL_ACCURACY_MIN, first.accuracy / 2);
  return {
    language: first && first.accuracy >= ACCURACY_MIN && !isOfTwo ? first.lang : null,
    candidates: candidatesOf(found.map(({ lang, accuracy }) => [lang, accuracy])),
  };
}

function candidatesOf(ranked: readonly (readonly [language: string, weight: number])[]): LanguageCandidate[] {
  const sum = ranked.reduce((total, [, weight]) => total + weight, 0);
  return ranked
    .slice(0, CANDIDATES_MAX)
    .map(([language, weight]) => ({ language, score: Math.round((weight / sum) * 1000) / 1000 }));
}

/** Whether a text in Latin script is names and codes alone, which are of any language. */
function isOfNames(text: string): boolean {
  return latinShareOf(text) > 0.5 && !LOWER_CASE_WORD.test(text);
}

function latinShareOf(text: string): number {
  return (text.match(LATIN_LETTER)?.length ?? 0) / (text.match(LETTER)?.length ?? 1);
}
