import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../infrastructure/clock/clock';
import { ApiError } from '../errors/api-error';

const FAILURES_MAX = 10;
const WINDOW_MS = 15 * 60 * 1000;
const ACCOUNTS_MAX = 50_000;

/**
 * Bounds how often a password may be guessed per account, beside the limit per IP. A known and an unknown address
 * are counted alike, so that the refusal does not tell which exist.
 */
@Injectable()
export class LoginAttempts {
  private readonly failures = new LRUCache<string, number[]>({ max: ACCOUNTS_MAX });

  constructor(private readonly clock: Clock) {}

  /** @throws ApiError 429 after ten failures within 15 minutes */
  check(email: string): void {
    const recent = this.recent(email);
    const oldest = recent[0];
    if (recent.length >= FAILURES_MAX && oldest !== undefined) {
      const seconds = Math.max(1, Math.ceil((oldest + WINDOW_MS - this.clock.now().getTime()) / 1000));
      throw new ApiError(429, 'Rate limit exceeded', `Too many failed logins; retry in ${seconds} seconds.`, {
        fields: { retry_after: seconds, limit: FAILURES_MAX, window: 'hour' },
        headers: { 'Retry-After': String(seconds) },
      });
    }
  }

  failed(email: string): void {
    this.failures.set(
      email.toLowerCase(),
      [...this.recent(email), this.clock.now().getTime()].slice(-FAILURES_MAX),
    );
  }

  succeeded(email: string): void {
    this.failures.delete(email.toLowerCase());
  }

  private recent(email: string): number[] {
    const since = this.clock.now().getTime() - WINDOW_MS;
    return (this.failures.get(email.toLowerCase()) ?? []).filter((time) => time > since);
  }
}
