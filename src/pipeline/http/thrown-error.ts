import { STATUS_CODES } from 'node:http';
import { HttpException, NotFoundException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors/api-error';
import { NotFound, ValidationFailed, type ValidationDetail } from '../../core/errors/request-errors';

/** What was thrown, as an error of the API; null for an unexpected error. */
export function apiErrorOf(thrown: unknown, request: FastifyRequest): ApiError | null {
  if (thrown instanceof ApiError) {
    return thrown;
  }
  const fault = clientFaultOf(thrown);
  if (fault) {
    return fault;
  }
  return thrown instanceof HttpException ? errorOfNest(thrown, request) : null;
}

/**
 * A fault that Fastify found in a request, which Nest sometimes wraps in an exception of its own. Such an error carries
 * a status from 400 to 499; null for anything else.
 */
function clientFaultOf(thrown: unknown): ApiError | null {
  const fault = (thrown instanceof HttpException ? thrown.cause : thrown) as FastifysFault | null | undefined;
  const isFastifys = thrown !== fault && typeof fault?.code === 'string' && fault.code.startsWith('FST_');
  const status = thrown === fault || isFastifys ? fault?.statusCode : undefined;
  if (typeof status !== 'number' || status < 400 || status >= 500) {
    return null;
  }
  switch (status) {
    case 413:
      return new ValidationFailed([{ field: 'body', message: 'is too large' }]);
    case 415:
      return new ValidationFailed([{ field: 'body', message: 'must be application/json' }]);
    default:
      return new ValidationFailed([{ field: 'request', message: 'is not well-formed' }]);
  }
}

interface FastifysFault {
  code?: unknown;
  statusCode?: unknown;
}

/**
 * An exception of Nest's, as guards, pipes and services of other modules throw it. Keeps its status in our error's
 * form.
 */
function errorOfNest(thrown: HttpException, request: FastifyRequest): ApiError {
  const status = thrown.getStatus();
  const response = thrown.getResponse();
  const { message, error, ...fields } =
    typeof response === 'string' ? { message: response } : (response as Record<string, unknown>);
  if (isUnknownRoute(thrown, request)) {
    return new NotFound(`route: ${request.method} ${request.url.split('?')[0]}`);
  }
  if (Array.isArray(message) && status === 400) {
    return new ValidationFailed(message.map((text) => detailOf(String(text))));
  }
  delete fields.statusCode;
  return new ApiError(status, nameOf(status, error), textOf(message, thrown.message), { fields });
}

/**
 * Whether Nest threw this because no route has the path. One that a controller throws has a text of its own to keep.
 */
function isUnknownRoute(thrown: HttpException, request: FastifyRequest): boolean {
  return thrown instanceof NotFoundException && request.is404;
}

/** class-validator's texts begin with the property that they are about. */
function detailOf(text: string): ValidationDetail {
  const [field = 'body', ...words] = text.split(' ');
  return words.length === 0 ? { field: 'body', message: text } : { field, message: words.join(' ') };
}

/** The names that the reference gives these statuses. */
const NAMES: Readonly<Record<number, string>> = {
  400: 'Validation error',
  403: 'Access denied',
  404: 'Not Found',
  422: 'Unprocessable',
};

function nameOf(status: number, error: unknown): string {
  const reason = STATUS_CODES[status];
  const isNestsDefault = error === undefined || error === reason;
  return isNestsDefault || typeof error !== 'string' ? (NAMES[status] ?? reason ?? 'Error') : error;
}

function textOf(message: unknown, otherwise: string): string {
  return typeof message === 'string' ? message : Array.isArray(message) ? message.join('; ') : otherwise;
}
