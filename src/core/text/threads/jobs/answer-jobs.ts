import { extractiveAnswer } from '../../extractive/extractive-answer';
import { namedQuotes, type NamedQuote } from '../../extractive/named-quotes';
import type { Passage, PlacedSentence } from '../../extractive/passages';
import { quotedAnswer } from '../../extractive/quoted-answer';
import { countTokens } from '../../tokens/count-tokens';
import { truncateToTokens } from '../../tokens/truncate-to-tokens';

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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
