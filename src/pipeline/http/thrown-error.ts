import { HttpException, NotFoundException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../../core/errors/api-error';
import { NotFound, ValidationFailed } from '../../core/errors/request-errors';
import { knownError } from '../known-error';

/** What was thrown as an error of the API; null for what nobody expected. */
export function apiErrorOf(thrown: unknown, request: FastifyRequest): ApiError | null {
  const fault = clientFaultOf(thrown);
  if (fault) {
    return fault;
  }
  return isUnknownRoute(thrown, request)
    ? new NotFound(`route: ${request.method} ${request.url.split('?')[0]}`)
    : knownError(thrown);
}

/** What Fastify could not read of a request, which Nest wraps on some ways; null for anything else. */
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

/** Nest's own exception for a path that no route has; those that a controller throws have a text of their own. */
function isUnknownRoute(thrown: unknown, request: FastifyRequest): boolean {
  return thrown instanceof NotFoundException && request.is404;
}
