import type { ApiError } from '../../errors/api-error';
import { UpstreamFailed, UpstreamTimedOut } from './upstream-errors';
import {
  AnswerTooLarge,
  ConnectionFailed,
  ConnectTimedOut,
  FirstByteTimedOut,
  TotalTimedOut,
} from '../../../infrastructure/upstream/transport-errors';

/** One attempt at an upstream that came to nothing: what the caller is told, and what follows for the upstream. */
export class FailedAttempt extends Error {
  constructor(
    readonly failure: ApiError,
    /** Whether the same upstream may be asked again: it has done no work that could be billed. */
    readonly isRetryable: boolean,
    /** Whether it says that the upstream is out of order. */
    readonly isOutage: boolean,
  ) {
    super(failure.message, { cause: failure });
  }
}

/**
 * What an error of the transport means; other errors, a caller's abort above all, come back as they are.
 * @param afterFirstByte what a connection that breaks in the middle of a body is: of a stream whose first event is not
 *   there yet nothing has been delivered, so that it may be asked for again
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

/** An answer that is none. The work may have been done and billed all the same, so that nobody else is asked. */
export function garbage(upstream: string, what: string, cause?: unknown): FailedAttempt {
  return new FailedAttempt(new UpstreamFailed(upstream, what, cause).afterFirstByte(), false, false);
}
