import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RequestValidator } from '../contract/request-validator';
import { ValidationFailed } from '../core/errors/request-errors';
import { TURN_LENGTH_MAX } from '../infrastructure/http/http-adapter';
import type { MeteredCall } from './metered-call';
import type { Step } from './step';

/** Step 2b: what does not have the documented form is refused with 400 before anything costs. */
@Injectable()
export class RequestValidationStep implements Step {
  constructor(private readonly validator: RequestValidator) {}

  run(call: MeteredCall): Promise<void> | void {
    const { operationId } = call.policy;
    const { input } = call.transport;
    // An operation without a body reads none, so it does not matter that one was sent and could not be read.
    if (input.bodyFault !== null && this.validator.takesBody(operationId)) {
      throw new ValidationFailed([{ field: 'body', message: input.bodyFault }]);
    }
    this.validator.validateHeaders(operationId, input.headers);
    call.input = {
      params: input.params,
      query: this.validator.validateQuery(operationId, input.query),
      body: this.validator.validateBody(operationId, input.body),
    };
    // The validation of a large body has used this turn of the event loop up; other calls go first.
    if (input.bodyLength > TURN_LENGTH_MAX) {
      return setImmediate();
    }
  }
}
