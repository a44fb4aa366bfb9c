import { detectAll } from 'tinyld';
import { FUNCTION_WORDS } from './function-words';

/** In letters; a text of fewer may be a name. */
const SCRIPT_LETTERS_MIN = 8;
/** A letter of these scripts is a syllable or a word. */
const WORDS_MIN = 6;
const SHARE_MIN = 0.6;

const LANGUAGES =
  `Greek=el Hebrew=he Armenian=hy Georgian=ka Thai=th Khmer=km Lao=lo Myanmar=my Tamil=ta Telugu=te 
  Kannada=kn Malayalam=ml Gujarati=gu Gurmukhi=pa`
    .split(/\s+/u)
    .map((pair) => pair.split('='))
    .map(([script = '', language = '']) => [new RegExp(`\\p{Script=${script}}`, 'gu'), language] as const);

/** Null for scripts of several languages, and for names. */
function languageOfScript(text: string): string | null {
  const letters = countOf(text, /\p{L}/gu);
  const east = languageOfEastAsia(text, letters);
  if (east !== null || letters < SCRIPT_LETTERS_MIN) {
    return east;
  }
  return LANGUAGES.find(([script]) => countOf(text, script) >= letters * SHARE_MIN)?.[1] ?? null;
}

/** Chinese has no kana, but a few characters without kana may be Japanese as well. */
function languageOfEastAsia(text: string, letters: number): string | null {
  const hangul = countOf(text, /\p{Script=Hangul}/gu);
  if (hangul >= Math.max(WORDS_MIN, letters * SHARE_MIN)) {
    return 'ko';
  }
  const kana = countOf(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = countOf(text, /\p{Script=Han}/gu);
  if (han + kana < Math.max(WORDS_MIN, letters * SHARE_MIN)) {
    return null;
  }
  if (kana > 0) {
    return kana >= (han + kana) * 0.1 ? 'ja' : null;
  }
  return han >= 2 * WORDS_MIN ? 'zh' : null;
}

function countOf(text: string, letter: RegExp): number {
  return text.match(letter)?.length ?? 0;
}

/** A run of letters. Its bound keeps a megabyte of one letter from being one word. */
const WORD = /[\p{L}\p{M}]{1,30}/gu;
const CAPITALISED = /^\p{Lu}\p{Ll}/u;
const IN_CAPITALS = /^\p{Lu}{2,}$/u;
/** How far back a sentence's beginning is looked for, in UTF-16 units. */
const LOOKED_BACK_MAX = 4;
const SENTENCE_BEGINS = /(?:^|[.!?:\n])\W*$/u;
/** A single letter is a unit, an initial or an item of a list as often as it is a word. */
const LETTER_WEIGHT = 0.25;
/** "Die Zeit" has no German in it, nor "Will Smith" English. */
const CAPITALISED_WEIGHT = 0.4;

interface Hit {
  readonly languages: ReadonlySet<string>;
  readonly weight: number;
}

interface LinkingWords {
  readonly words: number;
  readonly hits: readonly Hit[];
}

const LANGUAGES_OF = new Map<string, Set<string>>();
for (const [language, words] of FUNCTION_WORDS) {
  for (const word of words) {
    LANGUAGES_OF.set(word, (LANGUAGES_OF.get(word) ?? new Set()).add(language));
  }
}

/** Words between two words of a name ("Ludwig van Beethoven") are left out. */
function linkingWordsIn(text: string): LinkingWords {
  const written = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word, index }));
  const isInCapitals = !/\p{Ll}{2}/u.test(text);
  const hits = written.flatMap(({ word, index }, position) => {
    const languages = LANGUAGES_OF.get(word.toLowerCase());
    if (!languages || (IN_CAPITALS.test(word) && !isInCapitals)) {
      return [];
    }
    const begins = SENTENCE_BEGINS.test(text.slice(Math.max(0, index - LOOKED_BACK_MAX), index));
    if (CAPITALISED.test(word)) {
      return [{ languages, weight: begins ? 1 : CAPITALISED_WEIGHT }];
    }
    const isInName =
      !begins && isOfName(written[position - 1]?.word ?? '') && isOfName(written[position + 1]?.word ?? '');
    return isInName ? [] : [{ languages, weight: word.length === 1 ? LETTER_WEIGHT : 1 }];
  });
  return { words: written.length, hits };
}

function weightsOf({ hits }: LinkingWords, language?: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { languages, weight } of hits) {
    if (language === undefined || languages.has(language)) {
      for (const each of languages) {
        weights.set(each, (weights.get(each) ?? 0) + weight);
      }
    }
  }
  return weights;
}

/** A name has small words of the language that it comes from. */
function isOfName(word: string): boolean {
  return CAPITALISED.test(word) || PARTICLES.has(word);
}

const PARTICLES = new Set('da das de dei del della den der di do dos du la le van von y zu'.split(' '));

interface LanguageCandidate {
  readonly language: string;
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
/** One linking word that a rival lacks, and letters that are as typical as can be. */
const EVIDENCE_MIN = 1.9;
/** How many times the evidence of any rival a language needs; a text that is half in another language has less. */
const LEAD_MIN = 3;
/** Languages that share most linking words can be given less of a lead. */
const KIN: ReadonlySet<string> = new Set(['ca es', 'da no', 'cs sk']);
const KIN_EVIDENCE_MIN = 0.7;
const KIN_LEAD_MIN = 2;
/** Prose of any language has three times as many linking words; lists of names and goods have fewer. */
const LINKING_SHARE_MIN = 0.1;
/** An undecided text is taken for English unless another language has so many times the evidence. */
const CLEAR_LEAD = 1.5;
/** Languages whose linking words are not listed and whose letters are rarely mistaken for another's. */
const TOLD_BY_LETTERS: ReadonlySet<string> = new Set(
  'af am ar be bn et fa ga hi id is kk lt lv mk mn tl tt ur vi yi'.split(' '),
);
const LETTERS_MIN = 40;
const LETTERS_SHARE_MIN = 0.6;
/** So many letters without a known linking word are of an unknown language, or a list. */
const LETTERS_PROVING_MIN = 100;
const LETTER = /[\p{L}\p{M}]/gu;
/** Lists of names and headings have more words with capitals. */
const CAPITALISED_SHARE_MAX = 0.5;
/** Addresses, paths, markup and code, as a run without spaces: English words in them say nothing about the text. */
const IN_CODE = /[/@_=<>{}[\]\\|;]|\w[.(]\w/u;

/** The language of a text as ISO 639-1, from its beginning; null where it is not certain, as for names and lists. */
export function detectLanguage(text: string): string | null {
  return detectedLanguage(text).language;
}

/** The public notice for a text that only a model could read. */
export const ENGLISH_ALONE =
  'Without one only texts in English are read, and this one is in another language.';

/** Whether rules for English apply: nothing clearly says that the text is in another language. */
export function mayBeEnglish(text: string): boolean {
  const { language, candidates } = detectedLanguage(text);
  if (language !== null || candidates.length === 0) {
    return language === null || language === 'en';
  }
  const english = candidates.find((each) => each.language === 'en')?.score ?? 0;
  return english * CLEAR_LEAD >= (candidates[0]?.score ?? 0);
}

/**
 * The language of a text and its candidates, by linking words and by typical groups of letters. Of short texts letters
 * alone prove nothing: a detector by letters takes any line of names for some language.
 */
export function detectedLanguage(text: string): DetectedLanguage {
  const read = text.slice(0, READ_LENGTH_MAX).replace(/\S+/gu, (run) => (IN_CODE.test(run) ? '' : run));
  const scripted = languageOfScript(read);
  if (scripted !== null) {
    return { language: scripted, candidates: [{ language: scripted, score: 1 }] };
  }
  const linking = linkingWordsIn(read);
  const witnesses = { linking, weights: weightsOf(linking), letters: letterShares(read) };
  const candidates = candidatesFrom(witnesses);
  const [first] = candidates;
  if (first && isTold(first.language, read, witnesses)) {
    return { language: first.language, candidates };
  }
  return {
    language: null,
    candidates: read.trim().length < LETTERS_MIN ? [] : possibleLanguages(read, witnesses),
  };
}

/** The candidates of an undecided text: languages with linking words, or with most of what the letters say. */
function possibleLanguages(text: string, witnesses: Witnesses): LanguageCandidate[] {
  const { weights, letters } = witnesses;
  const isLong = weights.size === 0 && countOf(text, LETTER) >= LETTERS_PROVING_MIN;
  return candidatesFrom(
    witnesses,
    (language) => isLong || weights.has(language) || (letters.get(language) ?? 0) >= LETTERS_SHARE_MIN,
  );
}

interface Witnesses {
  readonly linking: LinkingWords;
  readonly weights: ReadonlyMap<string, number>;
  readonly letters: ReadonlyMap<string, number>;
}

function letterShares(text: string): Map<string, number> {
  const found = detectAll(text).filter(({ lang }) => lang.length === 2);
  const sum = found.reduce((total, { accuracy }) => total + accuracy, 0);
  return new Map(found.map(({ lang, accuracy }) => [lang, accuracy / sum]));
}

function candidatesFrom(
  { weights, letters }: Witnesses,
  isHeard: (language: string) => boolean = () => true,
): LanguageCandidate[] {
  const sums = [...new Set([...weights.keys(), ...letters.keys()])]
    .map((language) => ({ language, sum: (weights.get(language) ?? 0) + (letters.get(language) ?? 0) }))
    .sort((one, other) => other.sum - one.sum);
  const total = sums.reduce((all, { sum }) => all + sum, 0);
  return sums
    .filter(({ language }) => isHeard(language))
    .slice(0, CANDIDATES_MAX)
    .map(({ language, sum }) => ({ language, score: Math.round((sum / total) * 1000) / 1000 }));
}

function isTold(language: string, text: string, witnesses: Witnesses): boolean {
  return FUNCTION_WORDS.has(language)
    ? isTellingWords(language, witnesses)
    : isTellingLetters(language, text, witnesses);
}

/** Whether a language has enough words, and enough that each rival lacks. */
function isTellingWords(language: string, { linking, weights, letters }: Witnesses): boolean {
  const weight = weights.get(language) ?? 0;
  const shared = weightsOf(linking, language);
  const rivals = new Set([...weights.keys(), ...letters.keys()]);
  rivals.delete(language);
  const hasLead = [...rivals].every((rival) => {
    const isKin = KIN.has([language, rival].sort().join(' '));
    const both = shared.get(rival) ?? 0;
    const own = weight - both + (letters.get(language) ?? 0);
    const others = (weights.get(rival) ?? 0) - both + (letters.get(rival) ?? 0);
    return (
      own >= (isKin ? KIN_EVIDENCE_MIN : EVIDENCE_MIN) && own >= (isKin ? KIN_LEAD_MIN : LEAD_MIN) * others
    );
  });
  return (
    weight >= linking.words * LINKING_SHARE_MIN &&
    weight + (letters.get(language) ?? 0) >= EVIDENCE_MIN &&
    hasLead
  );
}

function isTellingLetters(language: string, text: string, { linking, weights, letters }: Witnesses): boolean {
  const isLinked = Math.max(0, ...weights.values()) >= linking.words * LINKING_SHARE_MIN;
  return (
    TOLD_BY_LETTERS.has(language) &&
    !isLinked &&
    countOf(text, LETTER) >= LETTERS_MIN &&
    countOf(text, /(?<!\p{L})\p{Lu}/gu) <= linking.words * CAPITALISED_SHARE_MAX &&
    (letters.get(language) ?? 0) >= LETTERS_SHARE_MIN
  );
}

/** The words of so much of a text fit into a tsvector, which is limited to 1 MB. */
const SEARCHED_LENGTH_MAX = 100_000;
/** Normalising a run of combining marks takes quadratic time: 100,000 blocked the event loop for seconds. */
const ENDLESS_MARKS = /(\p{M}{8})\p{M}+/gu;
const ACCENTS = /[\u0300-\u036f]/g;
/** German capitals and Switzerland write ss. */
const SHARP_S = /ß/g;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/gu;
/** The characters of scripts without spaces, for a regular expression's class; each is a word of its own. */
export const UNSPACED_SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
export const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'gu');

/**
 * The words of a text, separated by spaces, in lower case and without accents, for stored texts and queries alike:
 * Postgres depends on the database's locale and would index an e-mail address or a version as one word.
 */
export function searchableText(text: string): string {
  const folded = withoutAccents(text.slice(0, SEARCHED_LENGTH_MAX)).toLowerCase().replace(SHARP_S, 'ss');
  return folded.slice(0, SEARCHED_LENGTH_MAX).replace(BETWEEN_WORDS, ' ').replace(UNSPACED, ' $& ').trim();
}

export function withoutAccents(text: string): string {
  return text.replace(ENDLESS_MARKS, '$1').normalize('NFKD').replace(ACCENTS, '').normalize('NFKC');
}

/** A key in camel case, such as `preferredLanguage`, is found as a whole and by its parts. */
export function searchableKey(key: string): string {
  const split = key.replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2');
  return searchableText(split === key ? key : `${key} ${split}`);
}

/** For a regular expression's class. Some signs, such as `㋐`, are folded to letters. */
export const WORD_CHARACTERS = String.raw`\p{L}\p{M}\p{N}${UNSPACED_SCRIPTS}`;
const RUN = new RegExp(`[${UNSPACED_SCRIPTS}]|(?:(?![${UNSPACED_SCRIPTS}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');
const NOT_ASCII = /[^\0-\x7f]/;

export interface WordRun {
  readonly start: number;
  readonly end: number;
  readonly written: string;
}

/** The places of the words that `searchableText` finds, in order. */
export function* wordRuns(text: string): Generator<WordRun> {
  for (const { 0: written, index } of text.matchAll(RUN)) {
    yield { start: index, end: index + written.length, written };
  }
}

/** Mostly one word, but `½` has two, and a lone accent none. */
export function foldedRun(written: string): string {
  return NOT_ASCII.test(written) ? searchableText(written) : written.toLowerCase();
}
