import { inspect } from 'node:util';

/** In UTF-16 units. */
const PATH_LENGTH_MAX = 200;

interface ApiErrorOptions {
  fields?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** What clients of OpenAI know the error by, where that is more than its name and its first fault. */
  openAi?: { code: string; param: string };
  /** JSON text of an upstream's refusal, whose words, type and code clients are told. */
  body?: string;
  cause?: unknown;
}

/** An expected failure with the HTTP status and the texts that the caller sees. The error filter renders it. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    message: string,
    readonly options: ApiErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
  }
}

/** Makes a class of one status and name: `class Gone extends apiError(410, 'Gone', (what: string) => …)`. */
export function apiError<Given extends unknown[] = []>(
  status: number,
  error: string,
  message: (...given: Given) => string,
  options: ApiErrorOptions | ((...given: Given) => ApiErrorOptions) = {},
) {
  return class extends ApiError {
    constructor(...given: Given) {
      super(status, error, message(...given), typeof options === 'function' ? options(...given) : options);
    }
  };
}

export interface ValidationDetail {
  field: string;
  message: string;
}

/** 400: the request does not have the documented form; `details` names every fault. */
export class ValidationFailed extends ApiError {
  constructor(readonly details: ValidationDetail[]) {
    const message = details.map((detail) => `${detail.field}: ${detail.message}`).join('; ');
    super(400, 'Validation error', message, { fields: { details } });
  }
}

/** 404: the account has no such resource, whether or not another account has it. */
export class NotFound extends apiError(404, 'Not Found', (what: string) => `No such ${what}.`) {}

/** 404 for a path that nothing is served at, of which the answer repeats the beginning. */
export class NoRoute extends apiError(404, 'Not Found', (method: string, url: string) => {
  const [path = ''] = url.split('?', 1);
  return `No such route: ${method} ${path.length > PATH_LENGTH_MAX ? `${path.slice(0, PATH_LENGTH_MAX)}…` : path}.`;
}) {}

/** 405: the path exists, but not for this method; the header Allow names those that it has. */
export class MethodNotAllowed extends apiError(
  405,
  'Method Not Allowed',
  (method: string, allowed: readonly string[]) =>
    `This path does not take ${method}. It takes ${allowed.join(', ')}.`,
  (_, allowed) => ({ headers: { Allow: allowed.join(', ') } }),
) {}

/** 409: the request conflicts with the present state. */
export class Conflict extends ApiError {
  constructor(message: string, { retryAfterSeconds }: { retryAfterSeconds?: number } = {}) {
    const headers =
      retryAfterSeconds === undefined ? undefined : { 'Retry-After': String(retryAfterSeconds) };
    super(409, 'Conflict', message, headers && { headers });
  }
}

/** 422: the request has the documented form, but what it asks for makes no sense or cannot be done. */
export class Unprocessable extends apiError(422, 'Unprocessable', (message: string) => message) {}

/** 422: another request had this Idempotency-Key, and what it made may be there although its answer was lost. */
export class IdempotencyKeyUsed extends Unprocessable {
  constructor() {
    super('This Idempotency-Key was used for another request.');
  }
}

/** 504: the operation took longer than its time-out. What was reserved for the call has been released. */
export class OperationTimedOut extends apiError(
  504,
  'Gateway Timeout',
  (timeoutMs: number) => `The operation took longer than ${timeoutMs / 1000} seconds. Nothing was charged.`,
) {}

/** 504: a stream took longer than its time-out. It is broken off, and what was delivered is charged. */
export class StreamTimedOut extends apiError(
  504,
  'Gateway Timeout',
  (timeoutMs: number) =>
    `The stream took longer than ${timeoutMs / 1000} seconds. What was delivered is charged.`,
) {}

/** 499: the caller has closed the connection, so nobody reads the answer. The status is one that nginx introduced. */
export class ClientGone extends apiError(
  499,
  'Client Closed Request',
  () => 'The connection was closed before the answer.',
) {}

/** 499: a call from within the service was cancelled. What an upstream had done for it until then is charged. */
export class CallCancelled extends apiError(499, 'Cancelled', () => 'The call was cancelled.') {}

/** 503: a call from within the service was stopped so that it can be made anew. It costs nothing. */
export class CallStopped extends apiError(503, 'Service Unavailable', () => 'The call was stopped.') {}

/** 503: the service is shutting down, or something that it needs is not available right now. */
export class ServiceUnavailable extends ApiError {
  constructor(message: string, retryAfterSeconds: number, cause?: unknown) {
    const headers = { 'Retry-After': String(retryAfterSeconds) };
    super(503, 'Service Unavailable', message, { headers, cause });
  }
}

function unavailable(message: string) {
  return class extends ServiceUnavailable {
    constructor(cause?: unknown) {
      super(message, 1, cause);
    }
  };
}

/** 503: the service is shutting down and takes no further calls. */
export class ShuttingDown extends unavailable('The service is shutting down; call again.') {}

/** 503: the database could not be asked or gave no answer in time. What a call had done may not be taken back yet. */
export class DatabaseAway extends unavailable('The database cannot be reached right now; call again.') {}

/** 503: simultaneous changes waited for each other, and the database has undone this one as a whole. */
export class ChangesCollided extends unavailable('Another change was made at the same time; call again.') {}

/** 503: a call could not be charged for, and it is certain that nothing was reserved, so nothing has to be released. */
export class NothingReserved extends ServiceUnavailable {
  constructor(message: string, cause?: unknown) {
    super(message, 1, cause);
  }
}

/** 503: a call was served but could not be charged for, and it is certain that it never will be: it is as if it had failed. */
export class NothingCharged extends DatabaseAway {}

/** 503: too many calls wait to be charged. */
export class TooManyCallsWait extends NothingReserved {
  constructor() {
    super('Too many calls wait to be charged; call again.');
  }
}

/** 503: too many bytes of answers wait for their readers. Nothing was reserved for this call. */
export class TooManyUnreadAnswers extends ServiceUnavailable {
  /** @param whose the account's own answers, or those of all callers together */
  constructor(whose: 'account' | 'everybody') {
    super(
      whose === 'account'
        ? 'Too many answers to this account are unread; read them and call again.'
        : 'Too many answers are unread by their callers; call again.',
      1,
    );
  }
}

/** The connection is closed without an answer, as any could be wrong; a retry with its Idempotency-Key finds out. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the outcome of a settlement is unknown', { cause });
    this.name = new.target.name;
  }
}

const CAUSES_MAX = 5;

/** An error as the log tells it: its stack, and below it those of its causes. Whatever was thrown, this does not throw. */
export function errorText(error: unknown, causesMax = CAUSES_MAX): string {
  if (!(error instanceof Error)) {
    return typeof error === 'string' ? error : inspect(error, { depth: 1 });
  }
  const own = error.stack ?? error.message;
  const hasCause = error.cause !== undefined && causesMax > 0;
  return hasCause ? `${own}\ncaused by: ${errorText(error.cause, causesMax - 1)}` : own;
}
