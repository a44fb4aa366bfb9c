import { HttpException, NotFoundException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors/api-error';
import { MethodNotAllowed, NotFound, ValidationFailed } from '../../core/errors/request-errors';
import { BODY_FAULTS, bodyTooLarge } from '../../infrastructure/http/body-fault';
import { bodyRefused } from '../body-refused';
import { errorName, knownError } from '../known-error';

/** What was thrown, as an error of the API; null for an unexpected error. */
export function apiErrorOf(thrown: unknown, request: FastifyRequest): ApiError | null {
  const fault = clientFaultOf(thrown, request);
  if (fault) {
    return fault;
  }
  return isUnknownRoute(thrown, request) ? noRoute(request) : knownError(thrown);
}

/** 405 for a path that has routes of other methods, 404 for one that has none. */
function noRoute({ method, url, server }: FastifyRequest): ApiError {
  const methods = server.routeMethods.of(url);
  // A path can have a route of the method and still be unknown, such as one with an empty parameter.
  return methods.length === 0 || methods.includes(method)
    ? new NotFound(`route: ${method} ${url.split('?')[0]}`)
    : new MethodNotAllowed(method, methods);
}

/**
 * A fault that Fastify found in a request, which Nest sometimes wraps in an exception of its own. Such an error carries
 * a status from 400 to 499; null for anything else.
 */
function clientFaultOf(thrown: unknown, request: FastifyRequest): ApiError | null {
  const fault = (thrown instanceof HttpException ? thrown.cause : thrown) as FastifysFault | null | undefined;
  const isFastifys = thrown !== fault && typeof fault?.code === 'string' && fault.code.startsWith('FST_');
  const status = thrown === fault || isFastifys ? fault?.statusCode : undefined;
  if (typeof status !== 'number' || status < 400 || status >= 500) {
    return null;
  }
  switch (status) {
    case 413:
      return bodyRefused(bodyTooLarge(bodyBytesMaxOf(request)));
    case 415:
      return bodyRefused(BODY_FAULTS.notJsonType);
    case 431:
      return new ApiError(431, errorName(431), 'The request has too many headers.');
    default:
      return new ValidationFailed([{ field: 'request', message: 'is not well-formed' }]);
  }
}

/** A request that a middleware refused has not come to a route. */
function bodyBytesMaxOf({ routeOptions }: Partial<FastifyRequest>): number | null {
  return routeOptions?.bodyLimit ?? null;
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
