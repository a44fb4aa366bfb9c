import { ApiError } from '../../errors/api-error';

/** 502: a model's answer was not JSON of the schema that was asked for, nor was its second attempt. */
export class AnswerLacksForm extends ApiError {
  /** @param faults what is wrong with the last answer, one line each; clients are not shown them */
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
