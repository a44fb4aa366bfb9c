import { inspect } from 'node:util';

const PATH_LENGTH_MAX = 200;

interface ApiErrorOptions {
  fields?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** What OpenAI's clients read beyond name and first fault. */
  openAi?: { code: string; param: string };
  /** JSON of an upstream's refusal, whose words, type and code clients get. */
  body?: string;
  cause?: unknown;
}

/** An expected failure with the status and texts for the caller. The error filter renders it. */
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

export function apiError<Values extends unknown[] = []>(
  status: number,
  error: string,
  message: (...values: Values) => string,
  options: ApiErrorOptions | ((...values: Values) => ApiErrorOptions) = {},
) {
  return class extends ApiError {
    constructor(...values: Values) {
      super(status, error, message(...values), typeof options === 'function' ? options(...values) : options);
    }
  };
}

export interface ValidationDetail {
  field: string;
  message: string;
}

/** 400: not the documented form; `details` names every fault. */
export class ValidationFailed extends ApiError {
  constructor(readonly details: ValidationDetail[]) {
    const message = details.map((detail) => `${detail.field}: ${detail.message}`).join('; ');
    super(400, 'Validation error', message, { fields: { details } });
  }
}

/** 404: the account has no such resource, whether or not another account has it. */
export class NotFound extends apiError(404, 'Not Found', (what: string) => `No such ${what}.`) {}

/** 404: nothing is served at the path, whose beginning the answer repeats. */
export class NoRoute extends apiError(404, 'Not Found', (method: string, url: string) => {
  const [path = ''] = url.split('?', 1);
  return `No such route: ${method} ${path.length > PATH_LENGTH_MAX ? `${path.slice(0, PATH_LENGTH_MAX)}…` : path}.`;
}) {}

/** 405: the header Allow names the path's methods. */
export class MethodNotAllowed extends apiError(
  405,
  'Method Not Allowed',
  (method: string, allowed: readonly string[]) =>
    `This path does not take ${method}. It takes ${allowed.join(', ')}.`,
  (_, allowed) => ({ headers: { Allow: allowed.join(', ') } }),
) {}

export class Conflict extends ApiError {
  constructor(message: string, { retryAfterSeconds }: { retryAfterSeconds?: number } = {}) {
    const headers =
      retryAfterSeconds === undefined ? undefined : { 'Retry-After': String(retryAfterSeconds) };
    super(409, 'Conflict', message, headers && { headers });
  }
}

export class Unprocessable extends apiError(422, 'Unprocessable', (message: string) => message) {}

/** 422: another request had this key, and its effect may exist although its answer was lost. */
export class IdempotencyKeyUsed extends Unprocessable {
  constructor() {
    super('This Idempotency-Key was used for another request.');
  }
}

/** 504: the time-out passed, and the reservation was released. */
export class OperationTimedOut extends apiError(
  504,
  'Gateway Timeout',
  (timeoutMs: number) => `The operation took longer than ${timeoutMs / 1000} seconds. Nothing was charged.`,
) {}

/** 504: the stream timed out and broke off; what was delivered is charged. */
export class StreamTimedOut extends apiError(
  504,
  'Gateway Timeout',
  (timeoutMs: number) =>
    `The stream took longer than ${timeoutMs / 1000} seconds. What was delivered is charged.`,
) {}

/** 499 (nginx's status): the caller closed the connection, so nobody reads the answer. */
export class ClientGone extends apiError(
  499,
  'Client Closed Request',
  () => 'The connection was closed before the answer.',
) {}

/** 499: an internal call was cancelled. An upstream's work so far is charged. */
export class CallCancelled extends apiError(499, 'Cancelled', () => 'The call was cancelled.') {}

/** 503: an internal call was stopped to be made anew. It costs nothing. */
export class CallStopped extends apiError(503, 'Service Unavailable', () => 'The call was stopped.') {}

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

export class ShuttingDown extends unavailable('The service is shutting down; call again.') {}

/** 503: no answer from the database in time. What a call did may not be taken back yet. */
export class DatabaseAway extends unavailable('The database cannot be reached right now; call again.') {}

/** 503: the database undid this change because simultaneous ones waited for each other. */
export class ChangesCollided extends unavailable('Another change was made at the same time; call again.') {}

/** 503: certainly nothing was reserved, so nothing has to be released. */
export class NothingReserved extends ServiceUnavailable {
  constructor(message: string, cause?: unknown) {
    super(message, 1, cause);
  }
}

/** 503: the served call certainly never will be charged: it counts as failed. */
export class NothingCharged extends DatabaseAway {}

export class TooManyCallsWait extends NothingReserved {
  constructor() {
    super('Too many calls wait to be charged; call again.');
  }
}

/** 503: too many answer bytes wait for their readers. Nothing was reserved. */
export class TooManyUnreadAnswers extends ServiceUnavailable {
  constructor(whose: 'account' | 'everybody') {
    super(
      whose === 'account'
        ? 'Too many answers to this account are unread; read them and call again.'
        : 'Too many answers are unread by their callers; call again.',
      1,
    );
  }
}

/** Closes the connection, as any answer could be wrong; a retry with its Idempotency-Key finds out. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the outcome of a settlement is unknown', { cause });
    this.name = new.target.name;
  }
}

const CAUSES_MAX = 5;

/** For the log: the stack and those of the causes. Never throws, whatever was thrown. */
export function errorText(error: unknown, causesMax = CAUSES_MAX): string {
  if (!(error instanceof Error)) {
    return typeof error === 'string' ? error : inspect(error, { depth: 1 });
  }
  const own = error.stack ?? error.message;
  const hasCause = error.cause !== undefined && causesMax > 0;
  return hasCause ? `${own}\ncaused by: ${errorText(error.cause, causesMax - 1)}` : own;
}
