import { HttpException, Injectable, Logger, NotFoundException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors/api-error';
import { NotFound, ValidationFailed } from '../core/errors/request-errors';
import { ClientGone, OutcomeUnknown } from '../core/errors/service-errors';
import { UpstreamFailure } from '../core/models/upstream/upstream-errors';
import { Clock } from '../infrastructure/clock/clock';

/**
 * Renders every failure of an HTTP call, after what the call's steps had done was taken back. What is not an expected
 * error becomes a bare 500: its cause goes to the log under the request id, never to the caller.
 */
@Injectable()
export class ErrorRenderer {
  private readonly logger = new Logger('Http');

  constructor(private readonly clock: Clock) {}

  async render(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const expected = expectedError(error, request);
    if (!expected) {
      this.logger.error({ message: 'unexpected error', request_id: request.id, error: describe(error) });
    }
    if (expected instanceof UpstreamFailure) {
      // Names the call to whoever reads what was logged of the upstream.
      this.logger.warn({
        message: 'an upstream failed a call',
        request_id: request.id,
        error: expected.message,
      });
    }
    const shown = expected ?? new ApiError(500, 'Internal Server Error', 'Something went wrong on our side.');
    await request.call?.fail(shown.status, (failure) =>
      this.logger.error({
        message: 'a failed call could not be taken back',
        request_id: request.id,
        error: describe(failure),
      }),
    );
    if (reply.sent) {
      return;
    }
    if (error instanceof OutcomeUnknown || error instanceof ClientGone) {
      reply.hijack();
      reply.raw.destroy();
      return;
    }
    reply
      .status(shown.status)
      .headers(shown.options.headers ?? {})
      .header('content-type', 'application/json; charset=utf-8')
      .send(
        shown.options.body ??
          JSON.stringify({
            error: shown.error,
            message: shown.message,
            request_id: request.id,
            timestamp: this.clock.now().toISOString(),
            ...shown.options.fields,
          }),
      );
  }
}

function expectedError(error: unknown, request: FastifyRequest): ApiError | null {
  if (error instanceof ApiError) {
    return error;
  }
  const route = `route: ${request.method} ${request.url.split('?')[0]}`;
  switch (clientFaultOf(error)) {
    case null:
      return null;
    case 404:
      return new NotFound(route);
    case 413:
      return new ValidationFailed([{ field: 'body', message: 'is too large' }]);
    case 415:
      return new ValidationFailed([{ field: 'body', message: 'must be application/json' }]);
    default:
      return new ValidationFailed([{ field: 'request', message: 'is not well-formed' }]);
  }
}

/**
 * The status of what Fastify blames on the caller, which Nest wraps; null where nobody or we are to blame, as with any
 * exception of Nest's own but that of an unknown route.
 */
function clientFaultOf(error: unknown): number | null {
  if (error instanceof NotFoundException) {
    return 404;
  }
  const thrown = error instanceof HttpException ? error.cause : error;
  const statusCode = (thrown as { statusCode?: unknown } | null | undefined)?.statusCode;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : null;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
