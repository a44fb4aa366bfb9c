import { ApiError } from '../core/errors/api-error';
import { ValidationFailed } from '../core/errors/request-errors';
import { ServiceUnavailable } from '../core/errors/service-errors';
import type { BodyFault } from '../infrastructure/http/body-fault';
import { errorName } from './known-error';

/** The refusal of a call whose body could not be read. */
export function bodyRefused({ status, message }: BodyFault): ApiError {
  if (status === 503) {
    return new ServiceUnavailable(`The body ${message}.`, 1);
  }
  return status === 400
    ? new ValidationFailed([{ field: 'body', message }])
    : new ApiError(status, errorName(status), `The body ${message}.`);
}
