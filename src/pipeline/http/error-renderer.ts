import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors/api-error';
import { ClientGone, DatabaseAway, OutcomeUnknown } from '../../core/errors/service-errors';
import { UpstreamFailure } from '../../core/models/upstream/upstream-errors';
import { Clock } from '../../infrastructure/clock/clock';
import { isDatabaseAway } from '../../infrastructure/database/driver-errors';
import { errorText } from '../../infrastructure/logging/error-text';
import type { MeteredCall } from '../metered-call';
import { clientRequestId, idsForLog } from '../client-request-id';
import { unexpectedError } from '../known-error';
import { apiErrorOf } from './thrown-error';

/** Enough for what a moment's interruption left behind. */
const TAKEN_BACK_WITHIN_MS = 250;

/**
 * Renders every failure of an HTTP call, once what the call's steps had done is taken back. An unexpected error becomes
 * a bare 500; its cause goes to the log under the request id, never to the caller.
 */
@Injectable()
export class ErrorRenderer {
  private readonly logger = new Logger('Http');

  constructor(private readonly clock: Clock) {}

  /** Never rejects: Nest does not wait for filters, and whatever one throws later ends the process. */
  async render(thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const shown = this.shown(thrown, request);
    if (request.call && (shown instanceof DatabaseAway || isDatabaseAway(shown.cause))) {
      request.call.isDatabaseAway = true;
    }
    await this.takeBack(request.call, shown.status);
    if (reply.sent) {
      return;
    }
    if (thrown instanceof OutcomeUnknown || thrown instanceof ClientGone) {
      reply.hijack();
      reply.raw.destroy();
      return;
    }
    reply
      .status(shown.status)
      .headers(shown.options.headers ?? {})
      .header('content-type', 'application/json; charset=utf-8')
      .send(this.text(shown, request.id));
  }

  /** What the caller is told. What was thrown may be of any kind, and reading it may throw again. */
  shown(thrown: unknown, request: FastifyRequest): ApiError {
    try {
      const expected = apiErrorOf(thrown, request);
      this.log(expected, thrown, request);
      return expected ?? unexpectedError();
    } catch (failure) {
      this.logger.error({
        message: 'an error could not be read',
        ...idsOf(request),
        error: errorText(failure),
      });
      return unexpectedError();
    }
  }

  /** The text of an error's answer; without its further fields where they can't be written as JSON. */
  text(shown: ApiError, requestId: string): string {
    try {
      return shown.options.body ?? JSON.stringify(this.body(shown, requestId));
    } catch {
      const { status, error, message } = shown;
      return JSON.stringify(this.body(new ApiError(status, error, message), requestId));
    }
  }

  /**
   * Takes back what a call's steps did. Does nothing where the call has succeeded or was taken back before. Where the
   * database is away nothing can be taken back now, and the answer does not wait for it.
   * @param status the HTTP status of the answer
   */
  takeBack(call: MeteredCall | undefined, status: number): Promise<void> | void {
    const pending = call?.fail(status, (failure) =>
      this.logger.error({
        message: 'a failed call could not be taken back',
        ...idsForLog(call),
        error: errorText(failure),
      }),
    );
    return pending && call?.isDatabaseAway
      ? Promise.race([pending, delay(TAKEN_BACK_WITHIN_MS, undefined, { ref: false })])
      : pending;
  }

  /** The error body of the reference. */
  body({ error, message, options }: ApiError, requestId: string): object {
    return {
      error,
      message,
      request_id: requestId,
      timestamp: this.clock.now().toISOString(),
      ...options.fields,
    };
  }

  private log(expected: ApiError | null, thrown: unknown, request: FastifyRequest): void {
    if (!expected || expected.status === 500) {
      this.logger.error({ message: 'unexpected error', ...idsOf(request), error: errorText(thrown) });
    }
    if (expected instanceof DatabaseAway) {
      this.logger.warn({
        message: 'the database is away',
        ...idsOf(request),
        error: expected.cause instanceof Error ? expected.cause.message : expected.message,
      });
    }
    if (expected instanceof UpstreamFailure) {
      // What the upstream's client logs does not name the call; this line does.
      this.logger.warn({
        message: 'an upstream failed a call',
        ...idsOf(request),
        error: expected.message,
      });
    }
  }
}

/** Of a request that may have reached no operation, or failed before Fastify saw it. */
function idsOf({ id, headers }: FastifyRequest): object {
  return idsForLog({ requestId: id, clientRequestId: clientRequestId(headers['x-request-id']) });
}
