import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../infrastructure/clock/clock';
import { RateLimitExceeded } from '../rate-limits/rate-limit-exceeded';
import { RateLimiter, type RateSubject } from '../rate-limits/rate-limiter';
import type { RateWindow } from '../rate-limits/rate-windows';

// What one address may try at one account: three guesses at once, then one after 1, 2, 4, 8, 16, 32 and 64 seconds, and
// no more than ten in 15 minutes. The limiter keeps one window of each name for a subject, so these are two subjects.
const FIRST_GUESSES: readonly RateWindow[] = [
  { name: 'second', lengthMs: 1_000, limit: 3 },
  { name: 'minute', lengthMs: 3_000, limit: 4 },
  { name: 'hour', lengthMs: 7_000, limit: 5 },
  { name: 'day', lengthMs: 15_000, limit: 6 },
];
const LATER_GUESSES: readonly RateWindow[] = [
  { name: 'second', lengthMs: 31_000, limit: 7 },
  { name: 'minute', lengthMs: 63_000, limit: 8 },
  { name: 'hour', lengthMs: 127_000, limit: 9 },
  { name: 'day', lengthMs: 900_000, limit: 10 },
];
/** What all addresses together may try at one account from which nobody has logged into it lately. */
const STRANGERS_GUESSES: readonly RateWindow[] = [{ name: 'hour', lengthMs: 3_600_000, limit: 100 }];

export interface Guess {
  /** An e-mail address in normal form, or an account id. */
  readonly account: string;
  /** That of the caller (rate-limits/address-block.ts). */
  readonly addressBlock: string;
  /** Whether somebody has logged into the account from there lately (LoginAddresses). */
  readonly isKnownAddress: boolean;
}

/**
 * Bounds how often the password of one account may be guessed, in addition to the rate of logins per IP address
 * (pipeline/rate-subjects.ts): from each address ever more slowly, and by all strangers together. The second bound does
 * not hold those back whose address is known, so strangers cannot lock an owner out who logs in from where they did
 * before. E-mail addresses with and without an account are counted alike, so that a refusal does not tell which of them
 * exist. The rate limiter does the counting, so replicas that share their rate limits share these counts as well.
 */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks one guess with `fits` and returns whether it was right; a right guess clears the failures that have counted
   * against it. A guess is counted as a failure before it is checked: verifying a password takes so long that any number
   * of guesses could otherwise be started, on other replicas, before the first failure is counted. When `fits` throws,
   * the guess stays counted.
   * @throws RateLimitExceeded where the next guess has to wait
   */
  async guess(guess: Guess, fits: () => Promise<boolean>): Promise<boolean> {
    const subjects = subjectsOf(guess);
    const decision = await this.limiter.take(subjects, this.clock.now().getTime());
    if (!decision.allowed) {
      const seconds = decision.retryAfterSeconds;
      throw new RateLimitExceeded(decision, `Too many failed logins; retry in ${seconds} seconds.`);
    }
    const isRight = await fits();
    if (isRight) {
      await Promise.all(subjects.map(async ({ id }) => this.limiter.forget(id)));
    }
    return isRight;
  }
}

/**
 * Hashed, because the limiter may keep its counts in Redis, and personal data does not belong there.
 */
function subjectsOf({ account, addressBlock, isKnownAddress }: Guess): RateSubject[] {
  const pair: RateSubject['id'] = `login:${fingerprintOf(`${account} ${addressBlock}`)}`;
  const strangers: RateSubject = { id: `login:${fingerprintOf(account)}`, windows: STRANGERS_GUESSES };
  return [
    { id: `${pair}:first`, windows: FIRST_GUESSES },
    { id: `${pair}:later`, windows: LATER_GUESSES },
    ...(isKnownAddress ? [] : [strangers]),
  ];
}

function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
