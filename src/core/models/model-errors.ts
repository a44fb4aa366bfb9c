import { ApiError } from '../errors/api-error';
import type { ValidationDetail } from '../errors/request-errors';

/** Strict model names: the requested one is served by nobody. */
export class ModelNotFound extends ApiError {
  constructor(readonly model: string) {
    super(404, 'Not Found', `The model '${model}' does not exist.`);
  }
}

/** The operation needs a language model, and none is configured. */
export class ModelNotConfigured extends ApiError {
  constructor() {
    super(
      503,
      'Model upstream not configured',
      'This operation needs an upstream model, and none is configured.',
    );
  }
}

/** The model that would answer cannot honour these parameters; answering without them would be a different answer. */
export class UnsupportedModelParameter extends ApiError {
  constructor(readonly refused: readonly ValidationDetail[]) {
    super(
      400,
      'Validation error',
      `Unsupported by this model: ${refused.map(({ field }) => field).join(', ')}.`,
      {
        fields: { details: refused },
      },
    );
  }
}

/** The input is longer than the model accepts. */
export class ModelInputTooLarge extends ApiError {
  constructor(readonly refused: ValidationDetail) {
    super(400, 'Validation error', refused.message, { fields: { details: [refused] } });
  }
}
