import { extractiveAnswer } from '../embedded/extractive-answer';
import { hashedVector } from '../text/hashed-vector';
import { countTokens } from '../tokens/count-tokens';
import { truncateToTokens } from '../tokens/truncate-to-tokens';

// Every export is a job: this module is what a worker thread loads, and a job is called there by its name. What goes in
// and out is copied between threads, so it is flat: deep objects overflow the copier's stack, many strings are slow.

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

export interface EmbedInput {
  readonly texts: readonly string[];
  readonly dimensions: number;
}

export interface EmbedOutput {
  /** The texts' vectors laid end to end. */
  readonly vectors: Float32Array;
  readonly inputTokens: number;
}

export function embedTexts({ texts, dimensions }: EmbedInput): EmbedOutput {
  const vectors = new Float32Array(texts.length * dimensions);
  for (const [index, text] of texts.entries())
    vectors.set(hashedVector(text, dimensions), index * dimensions);
  return { vectors, inputTokens: sum(texts.map(countTokens)) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
