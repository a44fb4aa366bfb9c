import type { ApiError } from '../../errors/api-errors';
import { ENGLISH_ALONE, mayBeEnglish } from '../../text/detect-language';
import type { StructuredQuestion } from './structured-answers';
import type { Tally } from './tally';

/**
 * An answer of several fields that is wanted: how a model is asked for it, and how the embedded engine finds it without
 * one. Both give the same fields.
 */
export interface AnswerTask<Value> {
  /** Null where no model is asked, because a rule answers better than any model would. */
  readonly question: AnswerQuestion<Value> | null;
  /** Null where there is no honest answer without a model. */
  readonly embedded: EmbeddedMethod<Value> | null;
  /**
   * What a caller who has no model is told of what would do without one, as a sentence, or the error where it is for the caller to
   * mend; for tasks that have no method.
   */
  readonly without?: string | ApiError;
  /** The texts that the embedded method reads; their tokens are its input. */
  readonly reads: readonly string[];
}

/** What a model is asked, and what its answer means. */
export type AnswerQuestion<Value> = Pick<
  StructuredQuestion<Value>,
  'prompt' | 'media' | 'name' | 'schema' | 'check' | 'read'
>;

/** How the embedded engine answers. */
export interface EmbeddedMethod<Value> {
  /** Names the method, such as `text-rank`; the model is called `embedded-text-rank-1` then. */
  readonly method: string;
  answer(signal: AbortSignal): Promise<Value>;
}

/** The embedded part of a task whose rules are for English: a text in another language has no answer without a model. */
export function inEnglishAlone<Value>(
  text: string,
  embedded: EmbeddedMethod<Value>,
): Pick<AnswerTask<Value>, 'embedded' | 'without'> {
  return { embedded: mayBeEnglish(text) ? embedded : null, without: ENGLISH_ALONE };
}

/** A question whose answer is mapped once it is read. */
export function mapQuestion<Value, Mapped>(
  question: AnswerQuestion<Value>,
  map: (value: Value) => Mapped,
): AnswerQuestion<Mapped> {
  return { ...question, read: (output: never, tally: Tally) => map(question.read(output, tally)) };
}

/** A task whose answer is mapped, whoever finds it. */
export function mapTask<Value, Mapped>(
  { question, embedded, ...task }: AnswerTask<Value>,
  map: (value: Value) => Mapped,
): AnswerTask<Mapped> {
  return {
    ...task,
    question: question && mapQuestion(question, map),
    embedded: embedded && {
      method: embedded.method,
      answer: async (signal) => map(await embedded.answer(signal)),
    },
  };
}

/** An answer with what produced it. */
export interface TypedAnswer<Value> {
  readonly value: Value;
  /** The model that answered, or the embedded method's name as a model. */
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether a model's answer was cut off, and the value is what had come of it. */
  readonly isCut: boolean;
  /** How many items of a model's answer were left out, because the material does not have what they quote. */
  readonly dropped: number;
}
