import { ServerResponse, STATUS_CODES } from 'node:http';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Injectable,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Configuration } from '../../config/configuration';
import { isDatabaseAway } from '../../database/driver-errors';
import {
  ApiError,
  ChangesCollided,
  ClientGone,
  DatabaseAway,
  errorText,
  MethodNotAllowed,
  NoRoute,
  OutcomeUnknown,
  ValidationFailed,
} from '../../errors/api-errors';
import { errorInForm, type ErrorForm, errorFormOf, idsIn } from '../../http/error-forms';
import { BODY_FAULTS, bodyTooLarge } from '../../http/request-body';
import { UpstreamFailure } from '../../models/errors';
import { Clock, endedWithin } from '../../runtime/clock';
import { newId } from '../../runtime/ids';
import type { JsonObject } from '../../runtime/json';
import { errorName, knownError, unexpectedError } from '../known-error';
import { clientRequestId, idsForLog, type MeteredCall } from '../metered-call';
import { bodyRefused } from '../admission';

export function apiErrorOf(thrown: unknown, request: FastifyRequest): ApiError | null {
  const fault = clientFaultOf(thrown, request);
  if (fault) {
    return fault;
  }
  const isUnknownRoute = thrown instanceof NotFoundException && request.is404;
  return isUnknownRoute ? noRoute(request) : knownError(thrown);
}

function noRoute({ method, url, server }: FastifyRequest): ApiError {
  const methods = server.routeMethods.of(url);
  // A path with a route may still be unknown, such as with an empty parameter.
  return methods.length === 0 || methods.includes(method)
    ? new NoRoute(method, url)
    : new MethodNotAllowed(method, methods);
}

/** Nest wraps some of Fastify's faults. Null for what has no 4xx status. */
function clientFaultOf(thrown: unknown, request: FastifyRequest): ApiError | null {
  const fault = (thrown instanceof HttpException ? thrown.cause : thrown) as Partial<FastifyError> | null;
  const isFastifys = thrown !== fault && typeof fault?.code === 'string' && fault.code.startsWith('FST_');
  const status = thrown === fault || isFastifys ? fault?.statusCode : undefined;
  if (typeof status !== 'number' || status < 400 || status >= 500) {
    return null;
  }
  switch (status) {
    case 413: {
      const { routeOptions }: Partial<FastifyRequest> = request;
      return bodyRefused(bodyTooLarge(routeOptions?.bodyLimit ?? null));
    }
    case 415:
      return bodyRefused(BODY_FAULTS.notJsonType);
    case 400:
      return new ValidationFailed([{ field: 'request', message: 'is not well-formed' }]);
    default:
      return new ApiError(status, errorName(status), STATUS_CODES[status] ?? 'Error', { cause: thrown });
  }
}

type Asking = Pick<FastifyRequest, 'id' | 'url' | 'headers'> & Partial<Pick<FastifyRequest, 'routeOptions'>>;

const TAKEN_BACK_WITHIN_MS = 250;

/** Undoes the call's steps first. An unexpected error is a bare 500; its cause is only logged. */
@Injectable()
export class ErrorRenderer {
  private readonly logger = new Logger('Http');

  constructor(
    private readonly clock: Clock,
    private readonly configuration: Configuration,
  ) {}

  /** Never rejects: Nest does not await filters, and a rejection would end the process. */
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
      .headers(idsIn(this.formFor(request), request.id))
      .header('content-type', 'application/json; charset=utf-8')
      .send(this.text(shown, request));
  }

  /** Anything may be thrown, and reading it may throw again. */
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

  /** Drops the error's further fields where they are not serialisable. */
  text(shown: ApiError, request: Asking): string {
    try {
      return JSON.stringify(this.body(shown, request));
    } catch {
      const { status, error, message } = shown;
      return JSON.stringify(this.body(new ApiError(status, error, message), request));
    }
  }

  /** With the database down nothing can be undone now, so the answer does not wait. */
  takeBack(call: MeteredCall | undefined, status: number): Promise<void> | void {
    const pending = call?.fail(status);
    return pending && call?.isDatabaseAway ? endedWithin(TAKEN_BACK_WITHIN_MS, pending) : pending;
  }

  body(shown: ApiError, request: Asking, overrides: JsonObject = {}): object {
    const { status, error, message, options } = shown;
    const timestamp = this.clock.now().toISOString();
    const body = { error, message, request_id: request.id, timestamp, ...options.fields, ...overrides };
    return errorInForm(this.formFor(request), status, body, options);
  }

  /** A path may be written in several ways: that of its route is the same for all of them. */
  private formFor({ url, routeOptions, headers }: Asking): ErrorForm {
    return errorFormOf(routeOptions?.url ?? url, headers, this.configuration.v1ErrorFormat);
  }

  private log(expected: ApiError | null, thrown: unknown, request: FastifyRequest): void {
    if (!expected || expected.status === 500) {
      this.logger.error({ message: 'unexpected error', ...idsOf(request), error: errorText(thrown) });
    }
    if (expected instanceof DatabaseAway || expected instanceof ChangesCollided) {
      this.logger.warn({
        message:
          expected instanceof DatabaseAway ? 'the database is away' : 'a change was undone for another',
        ...idsOf(request),
        error: expected.cause instanceof Error ? expected.cause.message : expected.message,
      });
    }
    if (expected instanceof UpstreamFailure) {
      // The upstream client's logs do not name the call; this line does.
      this.logger.warn({
        message: 'an upstream failed a call',
        ...idsOf(request),
        upstream: expected.upstream,
        error: expected.message,
      });
    }
  }
}

function idsOf({ id, headers }: FastifyRequest): object {
  return idsForLog({ requestId: id, clientRequestId: clientRequestId(headers['x-request-id']) });
}

@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(private readonly errors: ErrorRenderer) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply | ServerResponse>();
    const request = http.getRequest<FastifyRequest>();
    if (reply instanceof ServerResponse) {
      this.answerMiddleware(thrown, request, reply);
      return;
    }
    try {
      await this.errors.render(thrown, request, reply);
    } catch (failure) {
      this.logger.error({ message: 'an error could not be answered', error: errorText(failure) });
      reply.raw.destroy();
    }
  }

  /** Nest runs middleware on Node's own objects, without Fastify's reply. */
  private answerMiddleware(thrown: unknown, request: FastifyRequest, answer: ServerResponse): void {
    const shown = this.errors.shown(thrown, request);
    const requestId = request.id ?? newId();
    if (answer.headersSent) {
      answer.destroy();
      return;
    }
    answer.writeHead(shown.status, {
      ...shown.options.headers,
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': requestId,
    });
    answer.end(this.errors.text(shown, { id: requestId, url: request.url, headers: request.headers }));
  }
}
