import type { ApiError } from '../../errors/api-error';
import { UpstreamFailed, UpstreamTimedOut } from './upstream-errors';
import {
  AnswerTooLarge,
  ConnectionFailed,
  ConnectTimedOut,
  FirstByteTimedOut,
  TotalTimedOut,
} from '../../../infrastructure/upstream/transport-errors';

/** One failed attempt at an upstream: the error for the client, and what follows for further attempts. */
export class FailedAttempt extends Error {
  constructor(
    readonly failure: ApiError,
    /** Whether the same upstream may be asked again, because nothing can be billed for this attempt. */
    readonly isRetryable: boolean,
    /** Whether the failure shows that the upstream is out of order. */
    readonly isOutage: boolean,
  ) {
    super(failure.message, { cause: failure });
  }
}

/**
 * The FailedAttempt that an error of the transport means. Other errors, above all the reason of an abort, are returned
 * as they are.
 * @param afterFirstByte what follows where the connection breaks in the middle of a body: a stream whose first event has
 *   not come may be asked for again, because nothing has been delivered
 */
export function failedTransport(
  upstream: string,
  error: unknown,
  afterFirstByte: 'is final' | 'may be retried',
): unknown {
  if (error instanceof ConnectionFailed) {
    const isFinal = error.hadBody && afterFirstByte === 'is final';
    const what = error.hadBody ? 'broke off its answer' : 'could not be reached or closed the connection';
    const failure = new UpstreamFailed(upstream, what, error);
    return new FailedAttempt(isFinal ? failure.afterFirstByte() : failure, !isFinal, true);
  }
  if (error instanceof ConnectTimedOut) {
    return new FailedAttempt(new UpstreamTimedOut(upstream, 'connect', error.timeoutMs), false, true);
  }
  if (error instanceof FirstByteTimedOut) {
    return new FailedAttempt(new UpstreamTimedOut(upstream, 'begin to answer', error.timeoutMs), false, true);
  }
  if (error instanceof TotalTimedOut) {
    const failure = new UpstreamTimedOut(upstream, 'end its answer', error.timeoutMs);
    return new FailedAttempt(failure.afterFirstByte(), false, true);
  }
  if (error instanceof AnswerTooLarge) {
    return garbage(upstream, 'sent an answer that is too large', error);
  }
  return error;
}

/** The failure for an answer that cannot be read. It may be billed all the same, so no other provider is asked. */
export function garbage(upstream: string, what: string, cause?: unknown): FailedAttempt {
  return new FailedAttempt(new UpstreamFailed(upstream, what, cause).afterFirstByte(), false, false);
}
