import { extractiveAnswer } from '../extractive/extractive-answer';
import { hashedVector } from '../hashed-vector';
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

function embedding(vectors: Float32Array, index: number, dimensions: number) {
  const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions);
  return { object: 'embedding', index, embedding: Array.from(vector) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
