import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../infrastructure/clock/clock';
import { ApiError } from '../../errors/api-error';
import { RateLimiter, type RateSubject } from '../rate-limits/rate-limiter';
import type { RateWindow } from '../rate-limits/rate-windows';

const FAILURES_MAX = 10;
const WINDOWS: readonly RateWindow[] = [{ name: 'hour', lengthMs: 15 * 60 * 1000, limit: FAILURES_MAX }];

/**
 * Bounds how often a password may be guessed per account, beside the limit per IP. A known and an unknown address
 * are counted alike, so that the refusal does not tell which exist. Counted by the limiter, hence over all replicas
 * where they share their limits.
 */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  /**
   * Judges one guess by `fits`; a right one forgets the failures before it. A guess counts as a failure from its
   * beginning, because verifying takes long enough to let any number of them slip in between; one that couldn't be
   * judged stays counted.
   * @param who an address or an account id
   * @throws ApiError 429 after ten failures within 15 minutes
   */
  async guess(who: string, fits: () => Promise<boolean>): Promise<boolean> {
    const id = subjectOf(who);
    const decision = await this.limiter.take([{ id, windows: WINDOWS }], this.clock.now().getTime());
    if (!decision.allowed) {
      throw tooManyFailures(decision.retryAfterSeconds);
    }
    const isRight = await fits();
    if (isRight) {
      await this.limiter.forget(id);
    }
    return isRight;
  }
}

/** Hashed, because the limiter's counts can be outside of this process, where no address of a person belongs. */
function subjectOf(who: string): RateSubject['id'] {
  return `login:${createHash('sha256').update(who.toLowerCase()).digest('base64url')}`;
}

function tooManyFailures(seconds: number): ApiError {
  return new ApiError(429, 'Rate limit exceeded', `Too many failed logins; retry in ${seconds} seconds.`, {
    fields: { retry_after: seconds, limit: FAILURES_MAX, window: 'hour' },
    headers: { 'Retry-After': String(seconds) },
  });
}
