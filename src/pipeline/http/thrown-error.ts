import { HttpException, NotFoundException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../../core/errors/api-error';
import { NotFound, ValidationFailed } from '../../core/errors/request-errors';
import { knownError } from '../known-error';

/** What was thrown, as an error of the API; null for an unexpected error. */
export function apiErrorOf(thrown: unknown, request: FastifyRequest): ApiError | null {
  const fault = clientFaultOf(thrown);
  if (fault) {
    return fault;
  }
  return isUnknownRoute(thrown, request)
    ? new NotFound(`route: ${request.method} ${request.url.split('?')[0]}`)
    : knownError(thrown);
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
 * Whether Nest threw this because no route has the path. One that a controller throws has a text of its own to keep.
 */
function isUnknownRoute(thrown: unknown, request: FastifyRequest): boolean {
  return thrown instanceof NotFoundException && request.is404;
}
