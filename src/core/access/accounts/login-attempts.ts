import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../infrastructure/clock/clock';
import { RateLimitExceeded } from '../rate-limits/rate-limit-exceeded';
import { RateLimiter, type RateSubject } from '../rate-limits/rate-limiter';
import type { RateWindow } from '../rate-limits/rate-windows';

const FAILURES_MAX = 10;
/** The limiter keeps at most one window of each name for a subject; a login has this one alone. */
const WINDOWS: readonly RateWindow[] = [{ name: 'hour', lengthMs: 15 * 60 * 1000, limit: FAILURES_MAX }];

/**
 * Bounds how often the password of one account may be guessed, in addition to the rate limit per IP address. E-mail
 * addresses with and without an account are counted alike, so that a refusal does not tell which of them exist. The
 * rate limiter does the counting, so replicas that share their rate limits share these counts as well.
 */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks one guess with `fits` and returns whether it was right; a right guess clears the failures before it. A
   * guess is counted as a failure before it is checked: verifying a password takes so long that any number of guesses
   * could otherwise be started before the first failure is counted. When `fits` throws, the guess stays counted.
   * @param who an e-mail address in normal form, or an account id
   * @throws RateLimitExceeded after ten failures within 15 minutes
   */
  async guess(who: string, fits: () => Promise<boolean>): Promise<boolean> {
    const id = subjectOf(who);
    const decision = await this.limiter.take([{ id, windows: WINDOWS }], this.clock.now().getTime());
    if (!decision.allowed) {
      const seconds = decision.retryAfterSeconds;
      throw new RateLimitExceeded(decision, `Too many failed logins; retry in ${seconds} seconds.`);
    }
    const isRight = await fits();
    if (isRight) {
      await this.limiter.forget(id);
    }
    return isRight;
  }
}

/**
 * The address is hashed, because the limiter may keep its counts in Redis, and personal data does not belong there.
 */
function subjectOf(who: string): RateSubject['id'] {
  return `login:${createHash('sha256').update(who).digest('base64url')}`;
}
