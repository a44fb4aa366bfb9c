import { createRequire } from 'node:module';
import { amountsIn } from './amounts';
import { hashedVector } from './content-stems';
import { countTokens, truncateToTokens } from './count-tokens';
import { datesIn } from './dates';
import { detectLanguage } from './detect-language';
import { entitiesIn } from './entities';
import { extractiveAnswer } from './extractive-answer';
import { chunkText, outlineOf } from './outline';
import { FINDINGS_MAX } from './places';
import { namedQuotes, type Passage, quotedAnswer } from './quoted-answer';
import { knownWords, wordShape } from './search-query';
import { searchableText } from './searchable-text';
import { classification, keywords, type Label, summaryOf } from './summary';
import { keyValuesIn, tablesIn } from './tables';
import { listedJob, textJobsOf } from './text-job';
import { textSnippet } from './text-snippet';
import { textStatistics } from './text-statistics';

function countPackedTokens({ text, lengths }: { text: string; lengths: Uint32Array }): Uint32Array {
  let end = 0;
  return lengths.map((length) => countTokens(text.slice(end, (end += length))));
}

export interface LimitedText {
  readonly text: string;
  readonly tokens: number;
}

function limitText({ text, tokensMax }: { text: string; tokensMax: number }): LimitedText {
  const cut = truncateToTokens(text, tokensMax);
  return { text: cut, tokens: Math.min(countTokens(cut), tokensMax) };
}

export interface AnswerInput {
  readonly messages: readonly {
    readonly role: string;
    readonly name: string;
    readonly parts: readonly string[];
  }[];
  readonly stop: readonly string[];
  readonly outputTokensMax: number;
}

export interface AnswerOutput {
  readonly text: string;
  readonly method: string;
  readonly finishReason: 'stop' | 'length';
  readonly contentTokens: number;
  readonly labelTokens: number;
  readonly outputTokens: number;
}

function answerMessages({ messages, stop, outputTokensMax }: AnswerInput): AnswerOutput {
  const answer = extractiveAnswer(messages.map(({ role, parts }) => ({ role, text: parts.join('\n') })));
  const stops = stop.filter((each) => each !== '').map((each) => answer.text.indexOf(each));
  const wanted = answer.text.slice(0, Math.min(answer.text.length, ...stops.filter((index) => index >= 0)));
  const text = truncateToTokens(wanted, outputTokensMax);
  return {
    text,
    method: answer.method,
    finishReason: text === wanted ? 'stop' : 'length',
    contentTokens: sum(messages.flatMap(({ parts }) => parts.map(countTokens))),
    labelTokens: sum(messages.map(({ role, name }) => countTokens(role) + countTokens(name))),
    outputTokens: countTokens(text),
  };
}

interface EmbedInput {
  readonly texts: readonly string[];
  readonly dimensions: number;
  readonly asJson?: boolean;
}

/** `json` is an embedding list's `data`, written by the job because that takes longest; null unless wanted. */
function embedTexts({ texts, dimensions, asJson = false }: EmbedInput) {
  const vectors = new Float32Array(texts.length * dimensions);
  for (const [index, text] of texts.entries()) {
    vectors.set(hashedVector(text, dimensions), index * dimensions);
  }
  const json = asJson ? JSON.stringify(texts.map((_, index) => embedding(vectors, index, dimensions))) : null;
  return { vectors, json, inputTokens: sum(texts.map(countTokens)) };
}

/** Offsets are in UTF-16 units. */
function cutText(text: string) {
  const chunks = chunkText(text).map(({ start, end, heading }) => ({
    start,
    end,
    heading,
    words: searchableText(text.slice(start, end)),
    headingWords: searchableText(heading ?? ''),
  }));
  return { chunks, language: detectLanguage(text) };
}

function indexTexts({ titles, contents }: { titles: readonly string[]; contents: readonly string[] }) {
  const whole = contents.map((content, index) => `${titles[index] ?? ''}\n${content}`);
  const known = whole.map(knownWords);
  const distinct = [...new Set(known.flat())];
  return {
    titleWords: titles.map(searchableText),
    contentWords: contents.map(searchableText),
    languages: whole.map(detectLanguage),
    knownWords: known.map((words) => words.join(' ')),
    distinctWords: distinct.join(' '),
    shapes: distinct.map((word) => wordShape(searchableText(word))).join(' '),
  };
}

interface SnippetsInput {
  readonly texts: readonly string[];
  readonly areStemmed: readonly boolean[];
  readonly wanted: readonly string[];
}

function textSnippets({ texts, areStemmed, wanted }: SnippetsInput) {
  return texts.map((text, index) => textSnippet(text, wanted, areStemmed[index] === true));
}

function embedding(vectors: Float32Array, index: number, dimensions: number) {
  const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions);
  return { object: 'embedding', index, embedding: Array.from(vector) };
}

/** Two million characters have hundreds of thousands, and copying them from the thread would block the event loop. */
function bounded<Found>(find: (text: string) => Found[]): (text: string) => Found[] {
  return (text) => find(text).slice(0, FINDINGS_MAX);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

export const textJobs = textJobsOf(__filename, {
  countPackedTokens,
  limitText,
  answerMessages,
  quoteAnswer: (input: { readonly question: string; readonly passages: readonly Passage[] }) =>
    quotedAnswer(input.question, input.passages),
  quoteNamedSources: (input: { readonly answer: string; readonly sources: readonly string[] }) =>
    namedQuotes(input.answer, input.sources),
  embedTexts,
  cutText,
  indexTexts,
  textSnippets,
  findKeywords: (input: { text: string; countMax: number }) => keywords(input.text, input.countMax),
  summarizeText: (input: { text: string; sentencesMax: number }) => summaryOf(input.text, input),
  classifyText: (input: { text: string; labels: readonly Label[] }) =>
    classification(input.text, input.labels),
  findAmounts: bounded(amountsIn),
  findDates: bounded(datesIn),
  findEntities: entitiesIn,
  findKeyValues: bounded(keyValuesIn),
  outlineText: outlineOf,
  findTables: bounded(tablesIn),
  analyzeStatistics: textStatistics,
  findLanguage: detectLanguage,
});

const load = createRequire(__filename);

/** Loads the vocabulary before a thread reports that it is ready. */
export default function runJob(job: { file: string; name: string; input: unknown }): unknown {
  load(job.file);
  return listedJob(job.file, job.name)(job.input);
}
