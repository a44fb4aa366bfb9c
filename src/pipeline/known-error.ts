import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { ApiError } from '../core/errors/api-error';
import { ValidationFailed, type ValidationDetail } from '../core/errors/request-errors';

/**
 * What was thrown as an error of the API: our own classes, and exceptions of Nest's, as guards, pipes and services of other
 * modules throw them, with their status and the body of the reference. Null for what nobody expected.
 */
export function knownError(thrown: unknown): ApiError | null {
  if (thrown instanceof ApiError) {
    return thrown;
  }
  return thrown instanceof HttpException ? errorOfNest(thrown) : null;
}

function errorOfNest(thrown: HttpException): ApiError {
  const status = thrown.getStatus();
  const response = thrown.getResponse();
  const { message, error, ...fields } =
    typeof response === 'string' ? { message: response } : (response as Record<string, unknown>);
  if (Array.isArray(message) && status === 400) {
    return new ValidationFailed(message.map((text) => detailOf(String(text))));
  }
  delete fields.statusCode;
  const name = typeof error === 'string' && error !== STATUS_CODES[status] ? error : errorName(status);
  return new ApiError(status, name, textOf(message, thrown.message), { fields, cause: thrown });
}

/** class-validator's texts begin with the property that they are about. */
function detailOf(text: string): ValidationDetail {
  const [field = 'body', ...words] = text.split(' ');
  return words.length === 0 ? { field: 'body', message: text } : { field, message: words.join(' ') };
}

/** The names that the reference gives these statuses; the others have those of HTTP. */
const NAMES: Readonly<Record<number, string>> = {
  400: 'Validation error',
  403: 'Access denied',
  404: 'Not Found',
  422: 'Unprocessable',
};

/** What an error of this status is called where nobody gave it a name. */
export function errorName(status: number): string {
  return NAMES[status] ?? STATUS_CODES[status] ?? 'Error';
}

function textOf(message: unknown, otherwise: string): string {
  return typeof message === 'string' ? message : Array.isArray(message) ? message.join('; ') : otherwise;
}
