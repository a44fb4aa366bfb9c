import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RequestValidator } from '../contract/request-validator';
import { ApiError, ServiceUnavailable, ValidationFailed } from '../errors/api-errors';
import { TURN_LENGTH_MAX } from '../http/json-bodies';
import type { BodyFault } from '../http/request-body';
import { Clock } from '../runtime/clock';
import type { UnvalidatedInput } from './call-transport';
import { errorName } from './known-error';
import type { MeteredCall } from './metered-call';
import type { Step } from './steps';

/** The refusal of a call whose body could not be read. */
export function bodyRefused({ status, message }: BodyFault): ApiError {
  if (status === 503) {
    return new ServiceUnavailable(`The body ${message}.`, 1);
  }
  return status === 400
    ? new ValidationFailed([{ field: 'body', message }])
    : new ApiError(status, errorName(status), `The body ${message}.`);
}

/**
 * Step 2b: reads the body, now that the caller is known and within its limits, and refuses what does not have the
 * documented form before anything costs.
 */
@Injectable()
export class RequestValidationStep implements Step {
  readonly name = 'validation';

  constructor(
    private readonly validator: RequestValidator,
    private readonly clock: Clock,
  ) {}

  isPassedBy(): boolean {
    return true;
  }

  run(call: MeteredCall): Promise<void> | void {
    const { bodyBytesMax, form = null } = call.policy;
    const arriving = call.transport.readBody(bodyBytesMax, form);
    return arriving === undefined
      ? this.validate(call, call.transport.input)
      : this.validateArrived(call, arriving);
  }

  private async validateArrived(call: MeteredCall, arriving: Promise<void>): Promise<void> {
    await arriving;
    const { input } = call.transport;
    call.upload = input.upload;
    // Leases are counted from here. A body may take longer than the work, and a lease that was over before the work
    // began would let a retry do it a second time.
    call.startedAt = this.clock.now();
    const pending = this.validate(call, input);
    if (pending !== undefined) {
      await pending;
    }
  }

  private validate(call: MeteredCall, input: UnvalidatedInput): Promise<void> | void {
    const { operationId } = call.policy;
    // An operation without a body reads none, so it does not matter that one was sent and could not be read.
    if (input.bodyFault !== null && this.validator.takesBody(operationId)) {
      throw bodyRefused(input.bodyFault);
    }
    const headers = this.validator.validateHeaders(operationId, input.headers);
    const query = this.validator.validateQuery(operationId, input.query);
    const body = this.validator.validateBody(operationId, input.body);
    call.valid = { input: { params: input.params, query, body }, headers, bodyLength: input.bodyLength };
    // The validation of a large body has used this turn of the event loop up; other calls go first.
    if (input.bodyLength > TURN_LENGTH_MAX) {
      return setImmediate();
    }
  }
}
