import { ApiError } from '../errors/api-error';
import type { ValidationDetail } from '../errors/request-errors';

/** 404: no provider serves a model of this name, and unknown names are refused. */
export class ModelNotFound extends ApiError {
  constructor(readonly model: string) {
    super(404, 'Not Found', `The model '${model}' does not exist.`);
  }
}

/** 503: no provider is configured that serves the operation. */
export class ModelNotConfigured extends ApiError {
  /** @param without what can be had without a model, as a sentence; empty where that is nothing */
  constructor(without = '') {
    super(
      503,
      'Model upstream not configured',
      `This operation needs an upstream model, and none is configured. ${without}`.trimEnd(),
    );
  }
}

/** 503: the pictures and scans among documents are read by no model, whichever upstreams there are. */
export class DocumentNeedsReader extends ApiError {
  constructor() {
    super(
      503,
      'Model upstream not configured',
      'No model is configured that reads pictures and scans of documents. Of pictures, POST /api/omm/process with the task ocr asks one.',
    );
  }
}

/** 400: the model that would answer cannot honour these parameters, and to ignore them would change the answer. */
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

/** 400: the input is longer than the model accepts. */
export class ModelInputTooLarge extends ApiError {
  constructor(readonly refused: ValidationDetail) {
    super(400, 'Validation error', refused.message, { fields: { details: [refused] } });
  }
}

/** 400: the request holds what may cost any amount, and the operator of this service has not priced it. */
export class UnpricedRequest extends ApiError {
  constructor(readonly refused: readonly ValidationDetail[]) {
    const message = refused.map(({ field, message: reason }) => `${field}: ${reason}`).join('; ');
    super(400, 'Validation error', message, { fields: { details: refused } });
  }
}
