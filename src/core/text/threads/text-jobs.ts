import { classification, type Classification, type Label } from '../analysis/classify';
import { keywords, type Keyword } from '../analysis/keywords';
import type { StyleIssueType } from '../analysis/style-issues';
import { summaryOf, type Summary } from '../analysis/summary';
import { tightenedText, type TightenedText } from '../analysis/tighten';
import { chunkText } from '../chunks/chunk-text';
import { scamperPrompts, type IdeaPrompt } from '../creative/scamper-prompts';
import { detectLanguage } from '../detect-language';
import { extractiveAnswer } from '../extractive/extractive-answer';
import { namedQuotes, type NamedQuote } from '../extractive/named-quotes';
import type { Passage, PlacedSentence } from '../extractive/passages';
import { quotedAnswer } from '../extractive/quoted-answer';
import { hashedVector } from '../hashed-vector';
import { knownWords, wordShape } from '../known-words';
import type { Quote } from '../quotes-in';
import { analysisAsTold, type PaperAnalysis, type ToldPaper } from '../scholar/paper-analysis';
import { paperSummaryOf, summaryAsTold, type PaperSummary } from '../scholar/paper-summary';
import { citeSources, type CitationStyle, type CitedSources } from '../scholar/styles/cite-sources';
import type { CitedSource } from '../scholar/styles/cited-source';
import { pageSuggestions } from '../markdown/lint-markdown';
import { apiReference } from '../product-docs/api-reference';
import { NoOpenApiDocument } from '../product-docs/openapi-document';
import type { WrittenPage } from '../product-docs/written-page';
import { searchableText } from '../searchable-text';
import { styleSuggestions } from '../suggestions/style-suggestions';
import type { ChosenSuggestions } from '../suggestions/text-suggestion';
import { textSnippet } from '../text-snippet';
import { textChanges, type TextChanges } from '../diff/text-changes';
import { countTokens } from '../tokens/count-tokens';
import { truncateToTokens } from '../tokens/truncate-to-tokens';

// A worker thread loads this module, and every exported function is a job that is called there by its name. Inputs and
// results are copied between threads, so they are flat: a deep object overflows the stack while it is copied, and many
// small strings are slow to copy.

/** Texts laid end to end; `lengths` are in UTF-16 units. */
export interface PackedTexts {
  readonly text: string;
  readonly lengths: Uint32Array;
}

/** The tokens of all texts, each counted by itself. */
export function countPackedTokens({ text, lengths }: PackedTexts): number {
  let tokens = 0;
  let start = 0;
  for (const length of lengths) {
    tokens += countTokens(text.slice(start, start + length));
    start += length;
  }
  return tokens;
}

/** A text, and how many tokens it has. */
export interface LimitedText {
  readonly text: string;
  readonly tokens: number;
}

/** The longest prefix of a text of at most `tokensMax` tokens, give or take a token. */
export function limitText({ text, tokensMax }: { text: string; tokensMax: number }): LimitedText {
  const cut = truncateToTokens(text, tokensMax);
  return { text: cut, tokens: Math.min(countTokens(cut), tokensMax) };
}

/** A conversation to answer, the stop sequences, and the most tokens of the answer. */
export interface AnswerInput {
  readonly messages: readonly {
    readonly role: string;
    readonly name: string;
    readonly parts: readonly string[];
  }[];
  readonly stop: readonly string[];
  readonly outputTokensMax: number;
}

/** An answer, and the tokens that it and its conversation have. */
export interface AnswerOutput {
  readonly text: string;
  readonly method: string;
  readonly finishReason: 'stop' | 'length';
  /** Tokens of the messages' contents. */
  readonly contentTokens: number;
  /** Tokens of the messages' roles and names. */
  readonly labelTokens: number;
  readonly outputTokens: number;
}

/** An extractive answer, cut at the first stop sequence and at the output cap. */
export function answerMessages({ messages, stop, outputTokensMax }: AnswerInput): AnswerOutput {
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

/** The sentences of the passages that answer a question best; none where nothing answers it. */
export function quoteAnswer(input: {
  readonly question: string;
  readonly passages: readonly Passage[];
}): PlacedSentence[] {
  return quotedAnswer(input.question, input.passages);
}

/** The sources that an answer names by their numbers, each with its sentence that is closest to what the answer says. */
export function quoteNamedSources(input: {
  readonly answer: string;
  readonly sources: readonly string[];
}): NamedQuote[] {
  return namedQuotes(input.answer, input.sources);
}

/** The texts to embed, and how many dimensions each vector has. */
export interface EmbedInput {
  readonly texts: readonly string[];
  readonly dimensions: number;
  /** Whether the vectors are wanted as JSON too. */
  readonly asJson?: boolean;
}

/** The vectors of the texts, and the tokens that the texts have. */
export interface EmbedOutput {
  /** The texts' vectors laid end to end. */
  readonly vectors: Float32Array;
  /** The JSON text of an embedding list's `data`; null unless it was wanted. */
  readonly json: string | null;
  readonly inputTokens: number;
}

/** The vectors of the texts. The job also writes them as JSON, because writing a million numbers takes longest. */
export function embedTexts({ texts, dimensions, asJson = false }: EmbedInput): EmbedOutput {
  const vectors = new Float32Array(texts.length * dimensions);
  for (const [index, text] of texts.entries()) {
    vectors.set(hashedVector(text, dimensions), index * dimensions);
  }
  const json = asJson ? JSON.stringify(texts.map((_, index) => embedding(vectors, index, dimensions))) : null;
  return { vectors, json, inputTokens: sum(texts.map(countTokens)) };
}

/** The chunks of a text as `chunkText` makes them, and the words by which they are found. Offsets are in UTF-16 units. */
export interface CutText {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** The words of each chunk, a line for each. */
  readonly words: string;
  /** The headings of the chunks, each once. */
  readonly headings: readonly string[];
  /** The words of each heading, a line for each. */
  readonly headingWords: string;
  /** Which of the headings each chunk has; -1 for none. */
  readonly headingOf: Int32Array;
  /** ISO 639-1; null where it is not known. */
  readonly language: string | null;
}

/** Cuts a text into chunks, splits these into words, and detects the text's language. */
export function cutText(text: string): CutText {
  const chunks = chunkText(text);
  const headings = [...new Set(chunks.map(({ heading }) => heading))].filter((heading) => heading !== null);
  const places = new Map(headings.map((heading, index) => [heading, index]));
  return {
    starts: Uint32Array.from(chunks, ({ start }) => start),
    ends: Uint32Array.from(chunks, ({ end }) => end),
    words: linesOf(chunks.map(({ start, end }) => searchableText(text.slice(start, end)))),
    headings,
    headingWords: linesOf(headings.map(searchableText)),
    headingOf: Int32Array.from(chunks, ({ heading }) =>
      heading === null ? -1 : (places.get(heading) ?? -1),
    ),
    language: detectLanguage(text),
  };
}

/** Words hold no line breaks. */
function linesOf(words: readonly string[]): string {
  return words.join('\n');
}

function embedding(vectors: Float32Array, index: number, dimensions: number) {
  const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions);
  return { object: 'embedding', index, embedding: Array.from(vector) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Texts to be searched, each with a title, which may be empty. */
export interface SearchedTexts {
  readonly titles: readonly string[];
  readonly contents: readonly string[];
}

/** What is indexed of the texts, in their order. */
export interface IndexedTexts {
  readonly titleWords: string[];
  readonly contentWords: string[];
  /** The language of each text; null where it is not known. */
  readonly languages: (string | null)[];
  /** The known words of each text, separated by spaces. */
  readonly knownWords: string[];
  /** All distinct known words, separated by spaces. */
  readonly distinctWords: string;
  /** The shapes of the distinct words, in their order, separated by spaces. */
  readonly shapes: string;
}

/** Splits texts into the words by which they are found, and by which mistyped queries are corrected. */
export function indexTexts({ titles, contents }: SearchedTexts): IndexedTexts {
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

/** Texts to show a part of, which of them are stemmed, and the lexemes that a query asks for. */
export interface SnippetsInput {
  readonly texts: readonly string[];
  readonly areStemmed: readonly boolean[];
  readonly wanted: readonly string[];
}

/** The snippets of the texts, in their order. */
export interface SnippetsOutput {
  readonly texts: string[];
  /** The highlights of each snippet: a start, its end, the next start, and so on. */
  readonly highlights: Uint16Array[];
}

/** The part of each text that fits the query best. */
export function textSnippets({ texts, areStemmed, wanted }: SnippetsInput): SnippetsOutput {
  const snippets = texts.map((text, index) => textSnippet(text, wanted, areStemmed[index] === true));
  return {
    texts: snippets.map(({ text }) => text),
    highlights: snippets.map(({ highlights }) =>
      Uint16Array.from(highlights.flatMap(({ start, end }) => [start, end])),
    ),
  };
}

// The jobs of the text engine (core/text/analysis), one for each need.
export { amountsIn as findAmounts } from '../analysis/amounts';
export { datesIn as findDates } from '../analysis/dates';
export { entitiesIn as findEntities } from '../analysis/entities';
export { keyValuesIn as findKeyValues } from '../analysis/key-values';
export { outlineOf as outlineText } from '../analysis/outline';
export { styleIssues as findStyleIssues } from '../analysis/style-issues';
export { tablesIn as findTables } from '../analysis/tables';
export { textStatistics as analyzeStatistics } from '../analysis/text-statistics';
export { toneOf as analyzeTone } from '../analysis/tone';

/** The best keywords of a text. */
export function findKeywords({ text, countMax }: { text: string; countMax: number }): Keyword[] {
  return keywords(text, countMax);
}

/** The most central sentences of a text. */
export function summarizeText({ text, sentencesMax }: { text: string; sentencesMax: number }): Summary {
  return summaryOf(text, { sentencesMax });
}

// The jobs of the operations on legal and professional texts.
export { legalAnalysis as analyzeLegalText, legalFacts as findLegalFacts } from '../legal/legal-analysis';
export { documentSkeleton as outlineDocument } from '../professional/document-skeleton';
export { writingAnalysis as analyzeWriting } from '../professional/writing-analysis';

/** What differs between two texts. */
export function compareTexts({ before, after }: { before: string; after: string }): TextChanges {
  return textChanges(before, after);
}

// The jobs on scholarly texts (core/text/scholar).
export { analysisOf as analyzePaper } from '../scholar/paper-analysis';

/** A paper with what a model told of it. */
export function analyzePaperAsTold({ text, told }: { text: string; told: ToldPaper }): PaperAnalysis {
  return analysisAsTold(text, told);
}

/** The abstract of a paper, its most central sentences, and those of each section. */
export function summarizePaper(input: {
  text: string;
  sentencesMax: number;
  pointsMax: number;
}): PaperSummary {
  return paperSummaryOf(input.text, input.sentencesMax, input.pointsMax);
}

/** A model's summary of a paper, with its quotes under their sections. */
export function summarizePaperAsTold(input: {
  text: string;
  summary: string;
  quotes: readonly Quote[];
}): PaperSummary {
  return summaryAsTold(input.text, input.summary, input.quotes);
}

/** The references of sources in a style. */
export function writeCitations(input: {
  sources: readonly CitedSource[];
  style: CitationStyle;
}): CitedSources {
  return citeSources(input.sources, input.style);
}

/** The label that a text belongs to. */
export function classifyText({ text, labels }: { text: string; labels: readonly Label[] }): Classification {
  return classification(text, labels);
}

/** A text with the changes that leave its meaning as it is. */
export function tightenText({
  text,
  types,
}: {
  text: string;
  types: readonly StyleIssueType[];
}): TightenedText {
  return tightenedText(text, types);
}

/** Questions that lead to ideas on a topic. */
export function promptIdeas({ topic, count }: { topic: string; count: number }): IdeaPrompt[] {
  return scamperPrompts(topic, count);
}

export { creativeScaffold as scaffoldText } from '../creative/creative-scaffold';

/** Suggestions by the rules of style, at most so many. */
export function suggestStyle({ text, countMax }: { text: string; countMax: number }): ChosenSuggestions {
  return styleSuggestions(text, countMax);
}

/** The faults of a page of Markdown. */
export { lintMarkdown as lintPage } from '../markdown/lint-markdown';
export { pageStructure as structurePage } from '../markdown/page-structure';
export { changelogOf as writeChangelog } from '../product-docs/changelog';
export { docsSkeleton as draftPage } from '../product-docs/docs-skeleton';

/** Suggestions by the rules of style for the prose of a page of Markdown. */
export function suggestPageStyle({ text, countMax }: { text: string; countMax: number }): ChosenSuggestions {
  return pageSuggestions(text, countMax);
}

/** A page of documentation, or why there can be none, because errors lose their class on the way out of a thread. */
export interface ReferenceOutput {
  readonly page: WrittenPage | null;
  readonly fault: string | null;
}

/** The reference of an API from its OpenAPI document in JSON. */
export function writeReference(source: string): ReferenceOutput {
  try {
    return { page: apiReference(source), fault: null };
  } catch (error) {
    if (error instanceof NoOpenApiDocument) {
      return { page: null, fault: error.message };
    }
    throw error;
  }
}
export { detectLanguage as findLanguage } from '../detect-language';
