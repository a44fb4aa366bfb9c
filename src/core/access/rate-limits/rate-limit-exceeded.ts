import { rateLimitHeaders } from './rate-limit-headers';
import type { RefusedCall } from './rate-limiter';
import { ApiError } from '../../errors/api-error';

const UNITS: readonly [string, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/**
 * 429: at least one of the windows that the call would be counted in is full. The call was counted in none of them.
 */
export class RateLimitExceeded extends ApiError {
  constructor(refused: RefusedCall) {
    super(429, 'Rate limit exceeded', messageOf(refused), {
      fields: { retry_after: refused.retryAfterSeconds, limit: refused.limit, window: refused.windowName },
      headers: rateLimitHeaders(refused),
    });
  }
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
