import { ApiError } from './api-error';

/** 504: the operation took longer than its time-out. What was reserved for the call has been released. */
export class OperationTimedOut extends ApiError {
  constructor(timeoutMs: number) {
    super(
      504,
      'Gateway Timeout',
      `The operation took longer than ${timeoutMs / 1000} seconds. Nothing was charged.`,
    );
  }
}

/** 504: a stream took longer than its time-out. It is broken off, and what was delivered is charged. */
export class StreamTimedOut extends ApiError {
  constructor(timeoutMs: number) {
    super(
      504,
      'Gateway Timeout',
      `The stream took longer than ${timeoutMs / 1000} seconds. What was delivered is charged.`,
    );
  }
}

/** 499: the caller has closed the connection, so nobody reads the answer. The status is one that nginx introduced. */
export class ClientGone extends ApiError {
  constructor() {
    super(499, 'Client Closed Request', 'The connection was closed before the answer.');
  }
}

/** 503: the service is shutting down, or something that it needs is not available right now. */
export class ServiceUnavailable extends ApiError {
  constructor(message: string, retryAfterSeconds: number) {
    super(503, 'Service Unavailable', message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
  }
}

/** 503: too many calls wait to be charged. Nothing was reserved for this call, so nothing has to be released. */
export class TooManyCallsWait extends ServiceUnavailable {
  constructor() {
    super('Too many calls wait to be charged; call again.', 1);
  }
}

/**
 * Nobody can tell whether the charge of a call was stored, because the database did not say. Any answer could be
 * wrong: a failure that was charged after all, or a success that was not. So the connection is closed without an
 * answer, as if the service had died, and a retry with the same Idempotency-Key finds out what happened.
 */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the outcome of a settlement is unknown', { cause });
    this.name = new.target.name;
  }
}
