import type { ApiError } from '../../errors/api-errors';
import { ENGLISH_ALONE, mayBeEnglish } from '../../text/detect-language';
import type { StructuredQuestion } from './structured-answers';
import type { Tally } from './tally';

export interface AnswerTask<Value> {
  /** Null where no model is asked, because a rule answers better than any model would. */
  readonly question: AnswerQuestion<Value> | null;
  /** Null where there is no honest answer without a model. */
  readonly embedded: EmbeddedMethod<Value> | null;
  /** Said to a caller who has no model; a sentence, or the error where it is for the caller to mend. */
  readonly without?: string | ApiError;
  /** The texts that the embedded method reads; their tokens are its input. */
  readonly reads: readonly string[];
}

export type AnswerQuestion<Value> = Pick<
  StructuredQuestion<Value>,
  'prompt' | 'media' | 'name' | 'schema' | 'check' | 'read'
>;

export interface EmbeddedMethod<Value> {
  /** Names the method, such as `text-rank`; the model is called `embedded-text-rank-1` then. */
  readonly method: string;
  /** Fields of the value that only repeat what others have, and are not charged. */
  readonly repeats?: readonly string[];
  answer(signal: AbortSignal): Promise<Value>;
}

/** Where a rule answers better than any model would. */
export function ruleTask<Value>(
  method: string,
  reads: readonly string[],
  answer: EmbeddedMethod<Value>['answer'],
  repeats: EmbeddedMethod<Value>['repeats'] = [],
): AnswerTask<Value> {
  return { question: null, embedded: { method, answer, repeats }, reads };
}

export function inEnglishAlone<Value>(
  text: string,
  embedded: EmbeddedMethod<Value>,
): Pick<AnswerTask<Value>, 'embedded' | 'without'> {
  return { embedded: mayBeEnglish(text) ? embedded : null, without: ENGLISH_ALONE };
}

export function mapQuestion<Value, Mapped>(
  question: AnswerQuestion<Value>,
  map: (value: Value) => Mapped,
): AnswerQuestion<Mapped> {
  return { ...question, read: (output: never, tally: Tally) => map(question.read(output, tally)) };
}

export function mapTask<Value, Mapped>(
  { question, embedded, ...task }: AnswerTask<Value>,
  map: (value: Value) => Mapped,
): AnswerTask<Mapped> {
  return {
    ...task,
    question: question && mapQuestion(question, map),
    embedded: embedded && {
      ...embedded,
      answer: async (signal) => map(await embedded.answer(signal)),
    },
  };
}

export interface TypedAnswer<Value> {
  readonly value: Value;
  /** The model that answered, or the embedded method's name as a model. */
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether the value is what had come of a model's answer that was cut off. */
  readonly isCut: boolean;
  readonly dropped: number;
}
