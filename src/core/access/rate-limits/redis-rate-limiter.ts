import { Logger } from '@nestjs/common';
import { RedisUnavailable, type RedisConnection } from '../../../infrastructure/redis/redis-connection';
import { InProcessRateLimiter } from './in-process-rate-limiter';
import { type RateDecision, RateLimiter, type RateSubject } from './rate-limiter';
import type { RateLimiterMetrics, AloneBecause } from './rate-limiter-metrics';
import { encodedWindows } from './redis/encoded-windows';
import { RoundTrips } from './redis/round-trips';

export interface RedisRateLimiterParts {
  redis: RedisConnection;
  metrics: RateLimiterMetrics;
  /** Whose clock is used for counting; see {@link RedisRateLimiter}. */
  time: 'of redis' | 'of the caller';
}

/**
 * The limiter that all replicas share. It counts in Redis, by the same rules as {@link InProcessRateLimiter}, so that
 * a limit holds for all replicas together. A decision takes one round trip, which calls that arrive together share.
 *
 * Calls are counted by the clock of Redis. The clocks of replicas differ, and by theirs a window would open too early
 * by as much as the fastest of them is ahead. Only tests, which bring a clock that Redis can't know, use the time of
 * the caller.
 *
 * While Redis fails or takes longer than the time-out, this process decides alone. It also counts the calls that Redis
 * allowed, so an outage gives nobody a fresh allowance here: in the worst case each replica lets through what a single
 * process would. Calls that were decided alone are not added to the counts in Redis afterwards.
 *
 * Redis forgets a subject that has not called for the length of its longest window and a minute more. A subject takes
 * about 3 KB at most.
 */
export class RedisRateLimiter extends RateLimiter {
  private readonly local = new InProcessRateLimiter();
  private readonly trips: RoundTrips;
  private readonly logger = new Logger(RedisRateLimiter.name);
  private isAlone = false;

  constructor(private readonly parts: RedisRateLimiterParts) {
    super();
    this.trips = new RoundTrips(parts.redis);
    parts.metrics.observeShared(() => !this.isAlone && parts.redis.isUsable);
  }

  /**
   * Decides one call; see {@link RateLimiter.take}. While Redis is not connected, the decision is returned at once.
   *
   * @throws Error when a window of a subject is given twice
   * @throws RangeError when `nowMs` is not a whole number of milliseconds, or a window allows less than one call
   */
  override take(subjects: readonly RateSubject[], nowMs: number): RateDecision | Promise<RateDecision> {
    if (!Number.isSafeInteger(nowMs) || nowMs < 0) {
      throw new RangeError(`${nowMs} is not a time`);
    }
    const windows = subjects.map(encodedWindows);
    refuseTwice(subjects);
    if (subjects.every((subject) => subject.windows.length === 0)) {
      return { allowed: true, limit: null };
    }
    if (!this.parts.redis.isUsable) {
      this.fallAlone(this.parts.redis.fault);
      return this.takeAlone(subjects, nowMs, 'unavailable');
    }
    return this.trips.isFull
      ? this.takeAlone(subjects, nowMs, 'queue_full')
      : this.takeShared(subjects, windows, nowMs);
  }

  /** See {@link RateLimiter.forget}. While Redis can't be reached, the subject's calls there stay counted. */
  override async forget(id: RateSubject['id']): Promise<void> {
    this.local.forget(id);
    try {
      await this.parts.redis.remove(`${this.parts.redis.address.keyPrefix}rate:${id}`);
    } catch (error) {
      if (!(error instanceof RedisUnavailable)) {
        throw error;
      }
    }
  }

  private async takeShared(
    subjects: readonly RateSubject[],
    windows: readonly string[],
    nowMs: number,
  ): Promise<RateDecision> {
    const timeMs = this.parts.time === 'of redis' ? null : nowMs;
    let decision: RateDecision;
    try {
      decision = await this.trips.decide({ subjects, windows, timeMs });
    } catch (error) {
      this.fallAlone((error as Error).message);
      return this.takeAlone(subjects, nowMs, 'unavailable');
    }
    this.rejoin();
    if (decision.allowed) {
      this.local.take(subjects, nowMs);
    }
    return decision;
  }

  private takeAlone(subjects: readonly RateSubject[], nowMs: number, because: AloneBecause): RateDecision {
    this.parts.metrics.decidedAlone(because);
    return this.local.take(subjects, nowMs);
  }

  /** Logs an outage once, not with every call, because that would bury everything else in the log. */
  private fallAlone(cause: string): void {
    if (!this.isAlone) {
      this.isAlone = true;
      this.logger.warn(`Redis fails (${cause}): this process counts rate limits alone until it is back`);
    }
  }

  private rejoin(): void {
    if (this.isAlone) {
      this.isAlone = false;
      this.logger.log('Redis is back: rate limits are shared again');
    }
  }
}

/** Refuses a call that names a window of a subject twice, because the call would be counted twice in that window. */
function refuseTwice(subjects: readonly RateSubject[]): void {
  for (const [index, { id, windows }] of subjects.entries()) {
    const names = subjects
      .slice(0, index)
      .filter((earlier) => earlier.id === id)
      .flatMap((earlier) => earlier.windows.map(({ name }) => name));
    const twice = windows.find(({ name }) => names.includes(name));
    if (twice) {
      throw new Error(`The ${twice.name} window of ${id} is given twice for one call`);
    }
  }
}
