import { chunkText } from '../../chunks/chunk-text';
import { detectLanguage } from '../../language/detect-language';
import { hashedVector } from '../../hashed-vector';
import { knownWords, wordShape } from '../../known-words';
import { searchableText } from '../../searchable-text';
import { textSnippet } from '../../text-snippet';
import { countTokens } from '../../tokens/count-tokens';

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
