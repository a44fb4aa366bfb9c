import { ApiError } from './api-error';

/** 504: the operation's own time is over; its reservation was released. */
export class OperationTimedOut extends ApiError {
  constructor(timeoutMs: number) {
    super(
      504,
      'Gateway Timeout',
      `The operation took longer than ${timeoutMs / 1000} seconds. Nothing was charged.`,
    );
  }
}

/** 504: a stream went on for too long. It is broken off, and what was delivered is charged. */
export class StreamTimedOut extends ApiError {
  constructor(timeoutMs: number) {
    super(
      504,
      'Gateway Timeout',
      `The stream took longer than ${timeoutMs / 1000} seconds. What was delivered is charged.`,
    );
  }
}

/** 499: the caller has gone away; nobody reads the answer. The number is nginx's. */
export class ClientGone extends ApiError {
  constructor() {
    super(499, 'Client Closed Request', 'The connection was closed before the answer.');
  }
}

/** 503: the service is shutting down or lacks what it needs right now. */
export class ServiceUnavailable extends ApiError {
  constructor(message: string, retryAfterSeconds: number) {
    super(503, 'Service Unavailable', message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
  }
}

/** 503: too many calls wait to be charged. Nothing was reserved for this one, and there is nothing to take back. */
export class TooManyCallsWait extends ServiceUnavailable {
  constructor() {
    super('Too many calls wait to be charged; call again.', 1);
  }
}

/**
 * A settlement may be durable or not, and the database does not say. Whatever were answered could be wrong: a failure that
 * was charged, a success that was not. So the connection is broken, as if the service had died, and a retry with the same
 * Idempotency-Key gets the truth.
 */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the outcome of a settlement is unknown', { cause });
    this.name = new.target.name;
  }
}
