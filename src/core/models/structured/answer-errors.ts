import { ApiError } from '../../errors/api-error';

/** 502: a model answered, and its repair too, with something else than JSON of the schema that was asked for. */
export class AnswerLacksForm extends ApiError {
  /** @param faults of the last answer, one line each; they are not shown to the caller */
  constructor(
    model: string,
    readonly faults: readonly string[],
  ) {
    super(
      502,
      'Upstream error',
      `The answer of the model ${model} does not have the asked form. Nothing was charged.`,
    );
  }
}
