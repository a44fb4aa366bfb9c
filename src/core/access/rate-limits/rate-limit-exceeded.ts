import { rateLimitHeaders } from './rate-limit-headers';
import type { RefusedCall } from './rate-limiter';
import { ApiError } from '../../errors/api-error';

const UNITS: readonly [string, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/**
 * 429: at least one of the windows that the call would be counted in is full. The call was counted in none of them.
 * The body and the headers tell of the window that refused it.
 */
export class RateLimitExceeded extends ApiError {
  /** @param message in place of the text that names the window and the time to wait */
  constructor(refused: RefusedCall, message = messageOf(refused)) {
    super(429, 'Rate limit exceeded', message, {
      fields: refusalFields(refused),
      headers: rateLimitHeaders(refused),
    });
  }
}

/** What a refusal tells of the window that refused. */
export function refusalFields({ retryAfterSeconds, limit, windowSeconds }: RefusedCall) {
  return { retry_after: retryAfterSeconds, limit, window: windowText(windowSeconds) };
}

/**
 * `second`, `minute`, `hour` or `day` for a window of that length, and its seconds for any other: `900s`. A rate of the
 * tier that makes a longer window must not be told by its own name: 1 call in 5 seconds is not 1 call in a second.
 * Source: reference, "Error body".
 */
function windowText(seconds: number): string {
  const unit = UNITS.find(([, length]) => length === seconds);
  return unit ? unit[0] : `${seconds}s`;
}

/** The text names the length of the window, because a fractional rate is counted over several of its named spans. */
function messageOf({ limit, windowSeconds, retryAfterSeconds }: RefusedCall): string {
  const calls = limit === 1 ? '1 call' : `${limit} calls`;
  return `At most ${calls} per ${spanText(windowSeconds)}. Try again in ${spanText(retryAfterSeconds)}.`;
}

/** A number of seconds in the largest unit that gives a whole number: 7200 is `2 hours`, 61 is `61 seconds`. */
function spanText(seconds: number): string {
  const [unit, unitSeconds] = UNITS.find(([, length]) => seconds % length === 0) ?? ['second', 1];
  const count = seconds / unitSeconds;
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
