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
  /** Whose time decides; see {@link RedisRateLimiter}. */
  time: 'of redis' | 'of the caller';
}

/**
 * The limiter that all replicas share: counts in Redis, by the same rules as {@link InProcessRateLimiter}, so that a
 * limit holds over all of them together. A call takes one round trip, and calls in flight share theirs.
 *
 * The time is that of Redis. Replicas' clocks differ, and with theirs a window would be open too early by as much as
 * the fastest is ahead. Only where the time is a test's own is that of the caller used, for Redis can't know it.
 *
 * Without Redis, or when it takes longer than the time-out, this process decides alone until it is back. It has counted the
 * calls of its own all along, so that an outage gives nobody a fresh allowance here: in the worst case each replica
 * lets through as much as one alone would. What was decided alone is not carried to Redis afterwards.
 *
 * A subject that has not called for its longest window and a minute is forgotten, so that Redis holds no more than is
 * needed: about 3 KB at most for each.
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
   * Decides one call; see {@link RateLimiter.take}. Without Redis it is decided at once.
   *
   * @throws Error when a window of a subject is given twice
   * @throws RangeError when `nowMs` is no time in whole milliseconds, or a window allows less than one call
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

  /** See {@link RateLimiter.forget}. Where Redis can't be told, its counts of the subject live to their end. */
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

  /** Told once per outage, not per call: whoever reads the log then has other things to find in it. */
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

/** A subject's windows are told apart by their names alone, so that the same one twice would be counted twice. */
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
