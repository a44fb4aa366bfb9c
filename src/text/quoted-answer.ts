import { detectLanguage, FUNCTION_WORDS, mayBeEnglish, VIETNAMESE_LETTER } from './detect-language';
import { factorAskedFor, withNumberAskedFor } from './answer-asked-for';
import { countsOf, type Place } from './places';
import { composedText, UNSPACED_SCRIPTS, withoutAccents } from './searchable-text';
import { splitSentences, titlesIn } from './split-sentences';

/** First letters compared: as good as a stemmer, and the same for all languages that write spaces. */
const WORD_LENGTH = 5;
/** Where no spaces are written, groups stand for words: two letters of a syllabary, four of an alphabet. */
const SYLLABARIES = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`;
const OF_SYLLABARY = new RegExp(`^[${SYLLABARIES}]`, 'u');
const UNSPACED_GROUP_LENGTH = 4;
const RUN = new RegExp(
  `[${SYLLABARIES}]+|(?:(?![${SYLLABARIES}])[${UNSPACED_SCRIPTS}])+|(?:(?![${UNSPACED_SCRIPTS}])[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
);
const UNSPACED_START = new RegExp(`^[${UNSPACED_SCRIPTS}]`, 'u');
/** English inflects short words too: "cities" and "city", "shipping" and "ships", "tested" and "test". */
const ENGLISH_ENDING =
  /^(?!(?:corn|din+|flow|form|let+|man+|mat+|show|sum+)ers?$)([a-z]{3,36}?)(?:ings?|e[ds]?|ers?|s)$/u;
const IRREGULAR = new Map(
  `begin began begun,bring brought,build built,buy bought,choose chose chosen,drive drove driven,fly flew flown,
  give gave given,grow grew grown,hold held,keep kept,know knew known,lead led,leave left,make made,meet met,pay paid,
  run ran,sell sold,send sent,sing sang sung,speak spoke spoken,spend spent,take took taken,teach taught,win won,
  write wrote written`
    .split(/,\s*/u)
    .map((forms) => forms.split(' '))
    .flatMap(([verb = '', ...forms]) => forms.map((form): [string, string] => [form, verb])),
);
const DOUBLED = /([bdgmnprt])\1$/u;
const ARABIC = /\p{Script=Arabic}/u;
const INDIC_VOWELS = /[\u093e-\u094c\u0901\u0902]+$/u;

/** Without accents and inflecting endings. Linear time. */
function comparedWords(text: string, isEnglish = false): string[] {
  const composed = composedText(text).toLowerCase();
  const isVietnamese = VIETNAMESE_LETTER.test(composed);
  const runs = (isVietnamese ? composed : withoutAccents(composed)).match(RUN) ?? [];
  const compared = runs.flatMap((run) =>
    UNSPACED_START.test(run) ? groupsOf(run) : beginningOf(run, isEnglish),
  );
  return isVietnamese
    ? [...compared, ...runs.slice(1).map((run, index) => `${runs[index]} ${run}`)]
    : compared;
}

function beginningOf(word: string, isEnglish: boolean): string {
  if (isEnglish && /^[a-z]/u.test(word)) {
    return (IRREGULAR.get(word) ?? word)
      .slice(0, 40)
      .replace(ENGLISH_ENDING, '$1')
      .replace(DOUBLED, '$1')
      .replace(/y$/u, 'i')
      .slice(0, WORD_LENGTH);
  }
  const beginning = (ARABIC.test(word) ? withoutArticle(word.slice(0, 40)) : word).slice(0, WORD_LENGTH);
  return beginning.replace(INDIC_VOWELS, '');
}

/** Arabic may omit vowels, joins the article and prefixes to the word, and writes two endings in two ways. */
function withoutArticle(word: string): string {
  return word
    .replace(/[\u064B-\u0652\u0640]/gu, '')
    .replace(/^(?:[وفبكل]?ال|لل|و(?=.{4}))(?=..)/u, '')
    .replace(/[أإآ]/gu, 'ا')
    .replace(/ى/gu, 'ي')
    .replace(/[ةه]$/u, '');
}

function groupsOf(run: string): string[] {
  const letters = Array.from(run);
  const isOfSyllabary = OF_SYLLABARY.test(run);
  const length = Math.min(letters.length, isOfSyllabary ? 2 : UNSPACED_GROUP_LENGTH);
  const groups = Array.from({ length: letters.length - length + 1 }, (_, start) =>
    letters.slice(start, start + length).join(''),
  );
  return isOfSyllabary && length > 1 ? [...letters, ...groups] : groups;
}

export interface Passage {
  readonly text: string;
  readonly heading: string | null;
}

/** `passages[passage].text.slice(start, end)`, in UTF-16 units. */
export interface PlacedSentence extends Place {
  readonly passage: number;
}

const QUOTES_MAX = 2;
const SCORE_SHARE_MIN = 0.5;
/** The share of the question's words, weighted by rarity, that the best sentence and its neighbours must hold. */
const SHARE_MIN = 0.34;

interface Candidate extends PlacedSentence {
  readonly own: readonly string[];
  readonly around: ReadonlySet<string>;
  readonly isHeader: boolean;
}

/** Empty where the best sentence and its neighbours hold too few of the question's words. Linear time. */
export function quotedAnswer(question: string, passages: readonly Passage[]): PlacedSentence[] {
  const isEnglish = mayBeEnglish(question);
  const linking = linkingWords(question, isEnglish);
  const asked = [...new Set(comparedWords(question, isEnglish))];
  const candidates = candidatesOf(passages, isEnglish);
  const owns = candidates.map(({ own }) => own);
  const weights = weightsOf(asked, owns, linking);
  const whole = sumOf(weights, asked);
  const meaningful = asked.filter((word) => !linking.has(word));
  const names = new Set(namesIn(question, NAME_OR_NUMBER, isEnglish).filter((word) => !linking.has(word)));
  const isAbout = aboutNames(names, question.match(VERSION) ?? [], passages, isEnglish);
  const named = new Set(namesIn(question, NAME, isEnglish));
  const others = new Set(meaningful.filter((word) => !named.has(word)));
  // What is asked about a name counts twice.
  const [scores, scoresOfOthers] = [meaningful.length > 0 ? meaningful : asked, others].map((words) =>
    bm25Scores(owns, words),
  );
  // Naming somebody is no answer: at least one of the question's other words has to be near.
  const asksTheSame = (around: ReadonlySet<string>) =>
    named.size === 0 || others.size === 0 || [...around].some((word) => others.has(word));
  const things = thingsAskedFor(question, linking, isEnglish);
  const isNumbered = withNumberAskedFor(question);
  const factorOf = factorAskedFor(question, passages);
  const ranked = candidates
    .map((candidate, index) => {
      const score = (scores?.[index] ?? 0) + (scoresOfOthers?.[index] ?? 0);
      return { candidate, index, score: score > 0 ? score * factorOf(candidate) : 0 };
    })
    .filter(
      ({ score, candidate }) =>
        score > 0 &&
        isAbout(candidate.passage) &&
        asksTheSame(candidate.around) &&
        (things.length === 0 || things.some((word) => candidate.around.has(word))),
    )
    .filter(
      ({ candidate: { text, around } }) => isNumbered?.(text) ?? sumOf(weights, around) >= SHARE_MIN * whole,
    )
    .sort((one, other) => other.score - one.score || one.index - other.index);
  const best = ranked.find(({ candidate }) => !candidate.isHeader);
  const quotes = distinct(ranked.filter(({ score }) => score >= SCORE_SHARE_MIN * (best?.score ?? 0)));
  const chosen = quotes.slice(0, QUOTES_MAX);
  const hasRow = chosen.some(({ candidate: { text, isHeader } }) => !isHeader && text.startsWith('|'));
  return chosen
    .filter(({ candidate }) => hasRow || !candidate.isHeader)
    .sort((one, other) => one.index - other.index)
    .map(({ candidate: { passage, text, start, end } }) => ({ passage, text, start, end }));
}

function candidatesOf(passages: readonly Passage[], isEnglish: boolean): Candidate[] {
  return passages.flatMap((passage, index) => {
    const heading = comparedWords(passage.heading ?? '', isEnglish);
    const read = splitSentences(passage.text);
    const titles = titlesIn(read);
    const sentences = read.map((sentence) => ({
      ...sentence,
      words: comparedWords(sentence.text, isEnglish),
      isQuestion: QUESTION.test(sentence.text),
    }));
    return sentences.flatMap(({ words, isQuestion, ...sentence }, position) => {
      const [before, after] = [sentences[position - 1], sentences[position + 1]];
      const isTitle = titles.has(position) || sentence.text === passage.heading;
      if (isQuestion || isTitle || !/[\p{L}\p{N}]/u.test(sentence.text)) {
        return [];
      }
      // A question names the subject of its answer, and a title that of all that follows.
      const own = before?.isQuestion === true ? [...words, ...before.words] : words;
      const around = new Set([...own, ...(before?.words ?? []), ...(after?.words ?? []), ...heading]);
      const isHeader = HEADER.test(sentence.text) && TABLE_RULE.test(after?.text ?? '');
      return [{ passage: index, ...sentence, own, around, isHeader }];
    });
  });
}

const HEADER = /^(?:\|[^|\p{N}]*){3,}\|$/u;
const TABLE_RULE = /^\|[\s|:-]+$/u;
const QUESTION = /[?？؟]["'”’»)]*$/u;

const HAPPENING = /^happen(?:s|ed)?$/u;
const TELLING = new Set(
  'come comes go goes keep keeps kept make makes made next take takes taken use used'.split(' '),
);

/** Such words stand in every text, or in none. */
const LINKING_WEIGHT = 0.2;

function linkingWords(question: string, isEnglish: boolean): ReadonlySet<string> {
  const known = FUNCTION_WORDS.get(detectLanguage(question) ?? '');
  const composed = composedText(question).toLowerCase();
  const isLinking = (word: string) =>
    HAPPENING.test(word) || (known?.has(word) === true && !TELLING.has(word));
  const linking = (composed.match(RUN) ?? []).filter(isLinking);
  const isVietnamese = VIETNAMESE_LETTER.test(composed);
  return new Set(linking.map((word) => beginningOf(isVietnamese ? word : withoutAccents(word), isEnglish)));
}

/** As BM25 weighs rarity. A word that no sentence has weighs as one of a single sentence. */
function weightsOf(
  asked: readonly string[],
  sentences: readonly (readonly string[])[],
  linking: ReadonlySet<string>,
): Map<string, number> {
  const holding = documentFrequencies(sentences);
  return new Map(
    asked.map((word) => {
      const rarity = inverseDocumentFrequency(holding.get(word) ?? 1, sentences.length);
      return [word, linking.has(word) ? LINKING_WEIGHT * rarity : rarity];
    }),
  );
}

function sumOf(weights: ReadonlyMap<string, number>, words: Iterable<string>): number {
  return [...words].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
}

/** Only questions that a yes or a no answers: "How many rooms are there?" is none. */
const HAVING =
  /^[¿\s]{0,3}(?:(?:is|are) there|(?:does|do|did) .{1,80}? (?:have|include|offer|support|sell|accept)|gibt es|y a-t-il|hay|c['’]è|ci sono|(?:is|zijn) er|czy (?:jest|są)|(?:o|a|os|as) .{1,80}? (?:tem|têm)|(?:el|la|los|las) .{1,80}? tienen?)\s(?<things>.{1,200})/isu;

/** Up to the next linking word: the wifi of "Is there any wifi on board?" What tells of the board tells nothing of it. */
function thingsAskedFor(question: string, linking: ReadonlySet<string>, isEnglish: boolean): string[] {
  const words = comparedWords(HAVING.exec(question)?.groups?.['things'] ?? '', isEnglish);
  const things = words.slice(words.findIndex((word) => !linking.has(word)));
  const end = things.findIndex((word) => linking.has(word));
  return things.slice(0, end === -1 ? undefined : end);
}

/** Excludes the speaker's "I", which is a linking word. */
const NAME_OR_NUMBER =
  /(?<![\p{L}\p{M}\p{N}])(?:\p{N}[\p{L}\p{N}]{0,39}|(?<=[\p{L}\p{N},;)][ \u00a0]["'“„«(]?)\p{Lu}[\p{L}\p{M}\p{N}]{0,39})/gu;

const NAME = /(?<=[\p{L}\p{N},;)][ \u00a0]["'“„«(]?)\p{Lu}(?!\p{Lu})[\p{L}\p{M}\p{N}'’-]{1,39}/gu;

/** None in German, which capitalises every noun. */
function namesIn(question: string, pattern: RegExp, isEnglish: boolean): string[] {
  const named = detectLanguage(question) === 'de' ? [] : (question.match(pattern) ?? []);
  return named.flatMap((name) => comparedWords(name, isEnglish));
}

/** Its numbers alone stand in many texts: "4.2.0". A date such as 12.5.2026 may be written otherwise in the passage. */
const VERSION =
  /(?<![\p{N}.])(?!\d{1,2}\.\d{1,2}\.(?:\d{2}|\d{4})(?![.\p{N}]))\d{1,9}(?:\.\d{1,9}){2,4}(?![\p{L}\p{N}])/gu;

function aboutNames(
  names: ReadonlySet<string>,
  versions: readonly string[],
  passages: readonly Passage[],
  isEnglish: boolean,
): (passage: number) => boolean {
  if (names.size === 0) {
    return () => true;
  }
  const isHeld = passages.map(({ text, heading }) => {
    const whole = `${heading ?? ''}\n${text}`;
    const own = versions.length === 0 ? [] : (whole.match(VERSION) ?? []);
    const hasVersion = versions.length === 0 || own.some((version) => versions.includes(version));
    return hasVersion && comparedWords(whole, isEnglish).some((word) => names.has(word));
  });
  return (passage) => isHeld[passage] ?? false;
}

function distinct<Item extends { readonly candidate: Candidate }>(items: readonly Item[]): Item[] {
  return [...new Map([...items].reverse().map((item) => [item.candidate.text, item])).values()].reverse();
}

const MARKERS = /\[(\d{1,3}(?:\s?[,;]\s?\d{1,3}){0,20})\]/g;

/** Each cited source with its sentence closest to the claim. Other numbers may be of code. */
export function namedQuotes(answer: string, sources: readonly string[]) {
  const isEnglish = mayBeEnglish(answer);
  return [...claimsOfSources(answer, sources.length, isEnglish)]
    .sort(([one], [other]) => one - other)
    .map(([source, said]) => ({ source, ...closest(sources[source] ?? '', said, isEnglish) }));
}

function claimsOfSources(answer: string, count: number, isEnglish: boolean): Map<number, Set<string>> {
  const said = new Map<number, Set<string>>();
  let before: readonly string[] | null = null;
  for (const { text } of splitSentences(answer)) {
    const bare = text.replace(MARKERS, ' ');
    // A number after the full stop is a sentence of its own, and belongs to the one before.
    const isNumberAlone = !/[\p{L}\p{N}]/u.test(bare);
    const own: readonly string[] = isNumberAlone ? [] : comparedWords(bare, isEnglish);
    const leads = numbersLeading(text);
    for (const number of numbersIn(text)) {
      const source = number - 1;
      if (source >= 0 && source < count) {
        const stems = before && (isNumberAlone || leads.has(number)) ? before : own;
        const all = said.get(source) ?? new Set();
        stems.forEach((stem) => all.add(stem));
        said.set(source, all);
      }
    }
    before = isNumberAlone ? before : own;
  }
  return said;
}

/** Numbers that begin a sentence belong to the one before: "At nine. [1] It closes at six." */
function numbersLeading(sentence: string): Set<number> {
  const leading = /^(?:\[[\d\s,;]{1,80}\]\s*)+/u.exec(sentence)?.[0] ?? '';
  return numbersIn(leading);
}

function numbersIn(text: string): Set<number> {
  const numbers = [...text.matchAll(MARKERS)].flatMap(([, listed = '']) => listed.split(/[,;]/));
  return new Set(numbers.map(Number));
}

function closest(
  source: string,
  said: ReadonlySet<string>,
  isEnglish: boolean,
): { start: number; end: number } {
  const sentences = splitSentences(source);
  const titles = titlesIn(sentences);
  const scores = bm25Scores(
    sentences.map(({ text }, index) => (titles.has(index) ? [] : comparedWords(text, isEnglish))),
    said,
  );
  const best = scores.reduce((found, score, index) => (score > (scores[found] ?? 0) ? index : found), 0);
  const { start, end } = sentences[best] ?? { start: 0, end: source.length };
  return { start, end };
}

/** BM25's k1 and b, with the values that Lucene uses. */
const SATURATION = 1.2;
const LENGTH_NORMALISATION = 0.75;

/** Linear. Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009. */
export function bm25Scores(documents: readonly (readonly string[])[], query: Iterable<string>): number[] {
  const terms = new Set(query);
  const frequencies = documents.map((document) => countsOf(document.filter((stem) => terms.has(stem))));
  const containing = documentFrequencies(frequencies.map((frequency) => frequency.keys()));
  const lengthMean = documents.reduce((sum, document) => sum + document.length, 0) / documents.length;
  return frequencies.map((frequency, index) => {
    const length = (documents[index] ?? []).length / lengthMean;
    const norm = SATURATION * (1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * length);
    let score = 0;
    for (const [term, count] of frequency) {
      const rarity = inverseDocumentFrequency(containing.get(term) ?? 0, documents.length);
      score += (rarity * count * (SATURATION + 1)) / (count + norm);
    }
    return score;
  });
}

function documentFrequencies(documents: readonly Iterable<string>[]): Map<string, number> {
  return countsOf(documents.flatMap((document) => [...new Set(document)]));
}

function inverseDocumentFrequency(containing: number, documents: number): number {
  return Math.log(1 + (documents - containing + 0.5) / (containing + 0.5));
}
