import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../infrastructure/clock/clock';
import { ApiError } from '../errors/api-error';

const FAILURES_MAX = 10;
const WINDOW_MS = 15 * 60 * 1000;
const ACCOUNTS_MAX = 50_000;

interface Attempts {
  /** Unix milliseconds, oldest first. */
  failures: number[];
  /** Guesses whose password is being verified. */
  running: number;
}

/**
 * Bounds how often a password may be guessed per account, beside the limit per IP. A known and an unknown address
 * are counted alike, so that the refusal does not tell which exist.
 */
@Injectable()
export class LoginAttempts {
  private readonly attempts = new LRUCache<string, Attempts>({ max: ACCOUNTS_MAX });

  constructor(private readonly clock: Clock) {}

  /**
   * Judges one guess by `fits` and counts it; a right one forgets the failures before it.
   * @throws ApiError 429 after ten failures within 15 minutes. Guesses under way count as failures until they are
   *   judged, because verifying takes long enough to let any number of them slip in between
   */
  async guess(email: string, fits: () => Promise<boolean>): Promise<boolean> {
    const attempts = this.recent(email);
    if (attempts.failures.length + attempts.running >= FAILURES_MAX) {
      throw tooManyFailures(this.secondsToWait(attempts));
    }
    attempts.running += 1;
    try {
      const isRight = await fits();
      attempts.failures = isRight ? [] : [...attempts.failures, this.clock.now().getTime()];
      return isRight;
    } finally {
      attempts.running -= 1;
    }
  }

  private recent(email: string): Attempts {
    const since = this.clock.now().getTime() - WINDOW_MS;
    const attempts = this.attempts.get(email.toLowerCase()) ?? { failures: [], running: 0 };
    attempts.failures = attempts.failures.filter((time) => time > since);
    this.attempts.set(email.toLowerCase(), attempts);
    return attempts;
  }

  /** Until the oldest failure no longer counts, or a moment where only guesses under way are in the way. */
  private secondsToWait({ failures }: Attempts): number {
    const oldest = failures.length < FAILURES_MAX ? undefined : failures[0];
    const waitMs = oldest === undefined ? 0 : oldest + WINDOW_MS - this.clock.now().getTime();
    return Math.max(1, Math.ceil(waitMs / 1000));
  }
}

function tooManyFailures(seconds: number): ApiError {
  return new ApiError(429, 'Rate limit exceeded', `Too many failed logins; retry in ${seconds} seconds.`, {
    fields: { retry_after: seconds, limit: FAILURES_MAX, window: 'hour' },
    headers: { 'Retry-After': String(seconds) },
  });
}
