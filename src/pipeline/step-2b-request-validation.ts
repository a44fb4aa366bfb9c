import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RequestValidator } from '../contract/request-validator';
import { ValidationFailed } from '../core/errors/request-errors';
import { TURN_LENGTH_MAX } from '../infrastructure/http/http-adapter';
import type { PipelineCall } from './pipeline-call';
import { Step } from './step';

/** Step 2b: what does not have the documented form is refused with 400 before anything costs. */
@Injectable()
export class RequestValidationStep extends Step {
  constructor(private readonly validator: RequestValidator) {
    super();
  }

  override run(call: PipelineCall, request: FastifyRequest): Promise<void> | void {
    const { operationId } = call.policy;
    // What nobody reads may have any form: the document knows no 400 where there is no body.
    if (request.bodyFault && this.validator.takesBody(operationId)) {
      throw new ValidationFailed([{ field: 'body', message: request.bodyFault }]);
    }
    this.validator.validateHeaders(operationId, request.headers);
    call.input = {
      params: request.params as Record<string, string>,
      query: this.validator.validateQuery(operationId, request.query),
      body: this.validator.validateBody(operationId, request.body),
    };
    if ((request.bodyLength ?? 0) > TURN_LENGTH_MAX) {
      return setImmediate();
    }
  }
}
