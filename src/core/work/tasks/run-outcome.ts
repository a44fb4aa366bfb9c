import { RateLimitExceeded } from '../../access/rate-limits/rate-limit-exceeded';
import { ApiError } from '../../errors/api-error';
import {
  CallCancelled,
  CallStopped,
  DatabaseAway,
  NothingReserved,
  OutcomeUnknown,
  ShuttingDown,
} from '../../errors/service-errors';
import { AGAIN_AFTER_MS, ERROR_LENGTH_MAX, PAUSED_MS_MAX } from './task-bounds';
import type { TaskError } from './task';

/** What follows from an error that ended a run. */
export type RunOutcome =
  | { kind: 'cancelled' }
  | { kind: 'failed'; error: TaskError }
  /** The run has no outcome, through no fault of its own: it is made again in so many milliseconds. */
  | { kind: 'again'; waitMs: number }
  /** The key's calls of this type are beyond their rate for so long. */
  | { kind: 'paused'; waitMs: number };

/** Of these the task is not to blame, and nobody is charged. What was charged after all the next attempt finds out. */
const WITHOUT_OUTCOME = [DatabaseAway, NothingReserved, OutcomeUnknown];

const UNEXPECTED: TaskError = {
  status: 500,
  error: 'Internal Server Error',
  message: 'Something went wrong on our side.',
};

export function outcomeOf(thrown: unknown): RunOutcome {
  if (thrown instanceof CallCancelled) {
    return { kind: 'cancelled' };
  }
  if (thrown instanceof CallStopped || thrown instanceof ShuttingDown) {
    return { kind: 'again', waitMs: 0 };
  }
  if (WITHOUT_OUTCOME.some((kind) => thrown instanceof kind)) {
    return { kind: 'again', waitMs: AGAIN_AFTER_MS };
  }
  if (thrown instanceof RateLimitExceeded) {
    const seconds = Number(thrown.options.fields?.retry_after ?? 1);
    return { kind: 'paused', waitMs: Math.min(Math.max(1, seconds) * 1000, PAUSED_MS_MAX) };
  }
  if (thrown instanceof ApiError) {
    const { status, error, message } = thrown;
    return { kind: 'failed', error: { status, error, message: storable(message) } };
  }
  return { kind: 'failed', error: UNEXPECTED };
}

/** An upstream may have written some of the text. Postgres stores neither NUL in it nor half of a surrogate pair. */
function storable(message: string): string {
  return message.slice(0, ERROR_LENGTH_MAX).replaceAll('\0', '\uFFFD').toWellFormed();
}
