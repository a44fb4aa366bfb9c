import { detectLanguage, FUNCTION_WORDS } from './detect-language';
import { countsOf, oneLine, type Place } from './places';
import { wordRuns } from './searchable-text';

const listed = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/u));

/** In lower case, without spaces. "etc." and "usw." are missing: before a capital they mostly end a sentence. */
const OPEN =
  listed(`mr mrs ms dr prof st approx gen col lt capt sgt maj sen gov rev hon dept v vs cf e.g i.e viz
  z.b d.h u.a u.u z.t i.d.r s.o s.u m.e o.ä bzw vgl evtl ggf inkl exkl zzgl einschl sog bspw insb bzgl hrsg
  mio mrd tsd p.ex c.-à-d mme mlle mgr p.ej bijv dhr mevr t.ex bl.a f.eks tzw tzn hab inż ul т.е т.к ул`);
/** In other cases these mean something else: CA is a state. */
const OPEN_AS_WRITTEN = listed(
  'ca Ca Sr Sra Sres Srta Dra Dña Lic sig sigg Sig Sigg sig.ra Sig.ra dott Dott dott.ssa Dott.ssa avv Avv Ing Dipl Fa Hr Hrn Fr Frl Exmo Exma MM',
);
/** In English it stands after a name and may end a sentence: "King Sr. He …" */
const ENGLISH_SENIOR = /(?<!\p{L})(?!Estimad|Distinguid|Querid)\p{Lu}\p{Ll}{2,20} Sr$/u;
const DEGREE =
  /(?<!\p{L})Dr\. ?(?:\p{Ll}{1,5}\. ?){0,3}(?:med|dent|vet|phil|theol|jur|iur|rer|nat|pol|oec|publ|ing|habil|h|c)$/iu;
const FIRST_OF_TWO = /^(?:(?:EE UU|\p{Ll} \p{Lu}\p{Ll}?)\.|Co KG|κ \p{Script=Greek})/u;
const LABELS = listed(`no nos fig figs eq eqs ref refs art arts sec para vol ch p pp
  nr nrn abs ziff rn rz kap bd hs tel lit n núm pág págs pag pagg cap odst čl kl stk blz poz ust pkt godz ст п стр рис gem
  jan feb mar mär apr jun jul aug sep sept oct okt nov dec dez al`);
/** Read backwards from the end, which takes a fifth of the time, for each full stop of a text. */
const LAST_WORD = /$(?<=(?<![\p{L}\p{N}])(?<word>\p{L}[\p{L}.-]{0,11}))/u;
const SPACED = /(?<!\p{L})\p{L}{1,2}\.(?:[ \u00a0\u202f]?\p{L}{1,2}\.)?[ \u00a0\u202f]?\p{L}{1,2}$/u;
const INITIAL = /(?:^|[.-])\p{Lu}$/u;
const LINE_NUMBER = /(?:^|\n)[ \t]{0,8}\p{N}{1,3}$/u;
const UNIT = /(?:° ?|\p{N})\p{Lu}$/u;

/** Before these a capital ends a sentence, as in "vitamin C. It helps"; they are no family names. */
const NO_FAMILY_NAME =
  /^(?:The|It|He|She|They|We|You|This|That|These|Those|There|Then|But|And|If|In|On|At|When|For|From|His|Her|Its|Their|Our|After|However|Der|Die|Es|Er|Sie|Wir|Eine)(?!\p{L})/u;

const ORDINAL =
  /(?:(?<![\p{L}\p{N}])(?<before>\p{L}{1,12})[ \u00a0\u202f]{1,3})?(?<![\p{L}\p{N}.,:])\d{1,2}$/u;
export const MONTHS = listed(
  'Januar Jänner Februar Feber März Mär Marts Mai Maj Juni Juli Oktober Okt Dezember Dez Desember',
);
const ENGLISH_MONTHS = listed(
  'April August September November December Jan Feb Apr Jun Jul Aug Sep Sept Nov Dec',
);
const BEFORE_ORDINAL = listed('am im vom zum zur beim dem der');
const BEFORE_GERMAN_ORDINAL = listed(
  'die das den des ab bis seit und oder jeder jedem jeden ein eine einem einer',
);
/** Counted by German and Turkish ordinals in addresses and titles, without such a word before the number. */
const COUNTED = listed(
  'OG UG DG Stock Etage Obergeschoss Untergeschoss Quartal Jahrhundert Auflage Klasse Kat',
);
const YEAR = /^\p{L}{3,9}\.? \d{4}(?!\d)/u;
const GERMAN_BEGINNINGS = listed('bitte danach deshalb deswegen trotzdem außerdem ferner jedoch');

const STOP_CONTEXT_LENGTH = 24;
const AFTER_LENGTH = 80;

function isAbbreviation(before: string, word: string, after: string): boolean {
  if (OPEN_AS_WRITTEN.has(word)) {
    return !ENGLISH_SENIOR.test(before);
  }
  return (
    (INITIAL.test(word) && !UNIT.test(before) && !NO_FAMILY_NAME.test(after)) ||
    OPEN.has(word.toLowerCase()) ||
    OPEN.has(SPACED.exec(before)?.[0].replaceAll(/\s/gu, '').toLowerCase() ?? '') ||
    DEGREE.test(before) ||
    FIRST_OF_TWO.test(`${word} ${after}`)
  );
}

function isOrdinal(before: string, after: string, language: () => string | null): boolean {
  const ordinal = ORDINAL.exec(before);
  const next = /^\p{Lu}[\p{L}-]*/u.exec(after)?.[0] ?? '';
  if (!ordinal || next === '') {
    return false;
  }
  if (MONTHS.has(next) || (COUNTED.has(next) && language() !== 'en')) {
    return true;
  }
  const word = ordinal.groups?.before?.toLowerCase() ?? '';
  const isCertain = BEFORE_ORDINAL.has(word) && !/(?<!\p{L})I am \d+$/u.test(before);
  const isPossible = isCertain || BEFORE_GERMAN_ORDINAL.has(word);
  if (ENGLISH_MONTHS.has(next)) {
    return isCertain || ((isPossible || YEAR.test(after)) && language() !== 'en');
  }
  if (!isPossible || beginsGerman(next)) {
    return false;
  }
  const known = language();
  return known === 'de' || (known === null && isCertain);
}

function beginsGerman(word: string): boolean {
  const lower = word.toLowerCase();
  return GERMAN_BEGINNINGS.has(lower) || (FUNCTION_WORDS.get('de')?.has(lower) ?? false);
}

export type Sentence = Place;

const SENTENCE_LENGTH_MAX = 1_000;
/** A line of this many characters probably ends by wrapping. */
const WRAPPED_LINE_LENGTH_MIN = 60;
const TERMINATORS = new Set('.!?…。！？؟۔।։።။។');
const TERMINATORS_WITHOUT_SPACE = new Set('。！？');
const QUOTE = /["'”’»“«]/u;
const GOES_ON = /^(?:\(["“„]|\(\p{Ll}{2,20} |— |№)/u;
const CLOSERS = new Set(`"')]}”’»」“«`);
const SPEAKER =
  /^(?:\p{Lu}[\p{L}.'’-]{1,20} ){1,3}(?:told|(?:said|asked|replied|answered|cried|shouted|called|whispered|exclaimed|wondered|begged|yelled|muttered|added|demanded)(?=[.,;]| (?:\p{Ll}+ly|and|as|aloud)(?!\p{L})))/u;
const VERB_AND_SPEAKER = /^(?:[Ss]aid|[Aa]sked|[Rr]eplied|[Cc]ried|[Ss]agte|[Ff]ragte|[Rr]ief) \p{Lu}/u;

/** Trimmed sentences of at most 1,000 characters. Unlike Intl.Segmenter, no text can make it slow. */
export function splitSentences(source: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  let lineStart = 0;
  let index = 0;
  let detected: string | null | undefined;
  const language = () => (detected === undefined ? (detected = detectLanguage(source)) : detected);
  while (index < source.length) {
    let end = index + 1;
    let final = false;
    if (source[index] === '\n') {
      final = endsLine(source, lineStart, index);
      lineStart = end;
    } else if (TERMINATORS.has(source[index] ?? '') || isGreekQuestion(source, index)) {
      end = skip(source, end, isTerminatorOrCloser, start + SENTENCE_LENGTH_MAX);
      final = endsSentence(source, { start, index, end }, language);
    }
    if (!final && end - start >= SENTENCE_LENGTH_MAX) {
      end = lastSpace(source, start, end);
      final = true;
    }
    if (final) {
      add(sentences, source, start, end);
      start = end;
    }
    index = end;
  }
  add(sentences, source, start, source.length);
  return sentences;
}

function endsLine(source: string, lineStart: number, newline: number): boolean {
  const next = source[skip(source, newline + 1, isBlank)] ?? '\n';
  const startsItem = /[\n\-*•#>|\p{N}]/u.test(next);
  const wrapped = newline - lineStart >= WRAPPED_LINE_LENGTH_MIN || isLowerCase(next);
  return startsItem || !wrapped;
}

function endsSentence(
  source: string,
  { start, index, end }: { start: number; index: number; end: number },
  language: () => string | null,
): boolean {
  if (TERMINATORS_WITHOUT_SPACE.has(source[index] ?? '')) {
    return true;
  }
  if (end < source.length && !/\s/u.test(source[end] ?? '')) {
    return false;
  }
  const nextStart = skip(source, end, isSpace);
  const after = source.slice(nextStart, nextStart + AFTER_LENGTH);
  const isQuoted = QUOTE.test(source[end - 1] ?? '');
  if (isQuoted && VERB_AND_SPEAKER.test(after)) {
    return false;
  }
  if (source[index] !== '.') {
    const isSpeaker = isLowerCase(after) || (SPEAKER.test(after) && !NO_FAMILY_NAME.test(after));
    return !(isQuoted && isSpeaker);
  }
  const before = source.slice(Math.max(start, index - STOP_CONTEXT_LENGTH), index);
  if (LINE_NUMBER.test(source.slice(Math.max(0, index - 12), index))) {
    return false;
  }
  if (
    after === '' ||
    isLowerCase(after) ||
    (GOES_ON.test(after) && !/\n/u.test(source.slice(end, nextStart)))
  ) {
    return after === '';
  }
  const word = LAST_WORD.exec(before)?.groups?.word ?? '';
  if (LABELS.has(word.toLowerCase()) || /\p{Ll}str$/u.test(before)) {
    return !/^(?:[\p{N}§]|[IVXL]{2,6}(?!\p{L})|\p{Lu}[\p{Lu}/-]{0,9}\p{N})/u.test(after);
  }
  return !isAbbreviation(before, word, after) && !(end === index + 1 && isOrdinal(before, after, language));
}

function add(sentences: Sentence[], source: string, from: number, to: number): void {
  const text = source.slice(from, to).trim();
  if (text === '') {
    return;
  }
  const start = skip(source, from, isSpace);
  sentences.push({ text, start, end: start + text.length });
}

function lastSpace(source: string, start: number, end: number): number {
  for (let index = end; index > start + 1; index -= 1) {
    if (isSpace(source[index - 1] ?? '')) {
      return index;
    }
  }
  return /[\uD800-\uDBFF]/.test(source[end - 1] ?? '') ? end - 1 : end;
}

function skip(
  source: string,
  from: number,
  accepts: (character: string) => boolean,
  limit = source.length,
): number {
  let index = from;
  while (index < limit && accepts(source[index] ?? '')) {
    index += 1;
  }
  return index;
}

const isGreekQuestion = (source: string, index: number) =>
  ';\u037e'.includes(source[index] ?? '') &&
  /[\p{Script=Greek}\p{M}]{2}$/u.test(source.slice(Math.max(0, index - 2), index));
const isTerminatorOrCloser = (character: string) => TERMINATORS.has(character) || CLOSERS.has(character);
const isSpace = (character: string) => /\s/u.test(character);
const isBlank = (character: string) => character === ' ' || character === '\t' || character === '\r';
const isLowerCase = (text: string) => /^\p{Ll}/u.test(text);

const TITLE_LENGTH_MAX = 80;
const TITLE_WORDS_MAX = 10;
const TITLE_NUMBER = /^[*_\s]*(?:(?:\p{L}{4,10} )?(?:§{1,2} )?[\p{N}.§]{1,9}[.):]?\s{1,4})?/u;
const TITLE = /^["“„«¿]?[\p{Lu}\p{Lo}][^\p{N}:|\t\n]*:?[*_]{0,3}$/u;
const ENDED = /[.!?…。！？؟۔।։።။។;,]["')\]}”’»」*_]*$/u;
const BULLET = /^[-*•>]\s/u;
const NUMBERED_ITEM = /^[\p{N}]{1,3}[.)]\s/u;
const CAPITALS = /^(?=\P{Ll}*$).*?\p{Lu}{4}/su;
/** A line with one of these is a sentence, even without a full stop. */
const VERB =
  /(?<![\p{L}])(?:is|are|was|were|am|has|have|had|will|can|may|must|shall|should|do|does|ist|sind|war|waren|hat|haben|wird|werden|kann|darf|muss|est|sont|était|ont|son|está|están|fue|tiene|è|sono|é|são)(?!\p{L})/iu;

/** Indexes of headings, and of short lines without a full stop or a verb above a sentence or an item. */
export function titlesIn(sentences: readonly Sentence[]): Set<number> {
  const titles = new Set<number>();
  for (const [index, { text }] of [...sentences.entries()].reverse()) {
    const next = sentences[index + 1]?.text ?? '';
    const isItem = BULLET.test(text) || (NUMBERED_ITEM.test(text) && NUMBERED_ITEM.test(next));
    const isCapitals = CAPITALS.test(text);
    // More than two short lines are a list.
    const isAboveTitle =
      titles.has(index + 1) && !titles.has(index + 2) && (isCapitals || !CAPITALS.test(next));
    const isAboveText = ENDED.test(next) || (isCapitals && /\p{Ll}/u.test(next));
    const isAbove = isAboveText || BULLET.test(next) || NUMBERED_ITEM.test(next) || isAboveTitle;
    if (/^#{1,6}\s/u.test(text) || (isAbove && !isItem && isBareTitle(text))) {
      titles.add(index);
    }
  }
  return titles;
}

export function hasVerb(text: string): boolean {
  return VERB.test(text);
}

function isBareTitle(text: string): boolean {
  const bare = text.length > TITLE_LENGTH_MAX ? '' : text.replace(TITLE_NUMBER, '');
  const isShort = bare.split(/\s+/u).length <= TITLE_WORDS_MAX;
  return isShort && TITLE.test(bare) && !ENDED.test(bare) && !hasVerb(bare);
}

export interface ComparedSentence extends Place {
  readonly key: string;
  readonly words: ReadonlyMap<string, number>;
  readonly wordCount: number;
}

const NUMBER = /^[\p{N}.()a-z§]{1,12}[.)]$/u;

/** The number of a clause belongs to the sentence after it. */
export function comparedSentences(source: string): ComparedSentence[] {
  const compared: ComparedSentence[] = [];
  let numberAt: number | null = null;
  for (const { text, start, end } of splitSentences(source)) {
    const hasWordAfter = /^[ \t]{1,8}\S/.test(source.slice(end, end + 10));
    if (numberAt === null && NUMBER.test(text) && hasWordAfter) {
      numberAt = start;
      continue;
    }
    compared.push(compare(source, numberAt ?? start, end));
    numberAt = null;
  }
  return compared;
}

function compare(source: string, start: number, end: number): ComparedSentence {
  const text = source.slice(start, end);
  const words = Array.from(wordRuns(text), ({ written }) => written.toLowerCase());
  return { text, start, end, key: oneLine(text), words: countsOf(words), wordCount: words.length };
}

export function commonWords(one: ComparedSentence, other: ComparedSentence): number {
  const [small, large] = one.words.size <= other.words.size ? [one, other] : [other, one];
  let common = 0;
  for (const [word, count] of small.words) {
    common += Math.min(count, large.words.get(word) ?? 0);
  }
  return common;
}

/** Dice's coefficient of the words, 0 to 1. */
export function likeness(one: ComparedSentence, other: ComparedSentence): number {
  const total = one.wordCount + other.wordCount;
  return total === 0 ? 0 : (2 * commonWords(one, other)) / total;
}
