import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type RedisConnection, RedisUnavailable } from '../database/redis-connection';
import {
  type RateDecision,
  RateLimiter,
  type RateRoom,
  type RateSubject,
  type RefusedCall,
} from './rate-limiter';
import { CallHistory, type RateWindowName } from './rate-windows';
import { type AloneBecause, encodedWindows, type RateLimiterMetrics, RoundTrips } from './redis-round-trips';

const SUBJECTS_MAX = 100_000;

// Time that lies further back than any call waits to be counted means that the clock was set back.
const CLOCK_STEP_BACK_MS_MIN = 300_000;

type SubjectHistories = Partial<Record<RateWindowName, CallHistory>>;

/**
 * The limiter of a single process. It counts in memory and decides at once. A full pool forgets the subject seen longest ago:
 * whoever has `subjectsMax` subjects to push one out gains nothing from one more allowance. The three pools are separate
 * because addresses cost nothing: a flood of them must not push out an account's counts, or those of guesses at a password.
 */
export class InProcessRateLimiter extends RateLimiter {
  private readonly accounts: LRUCache<string, SubjectHistories>;
  private readonly addresses: LRUCache<string, SubjectHistories>;
  private readonly logins: LRUCache<string, SubjectHistories>;

  /** The histories of the call being decided. The list is reused, so that a call allocates nothing but its decision. */
  private readonly touched: CallHistory[] = [];
  private latestMs = 0;
  /** How far clocks were set back in all, which is added to the caller's time. */
  private clockOffsetMs = 0;

  constructor(subjectsMax: number = SUBJECTS_MAX) {
    super();
    // With `max` each would reserve its whole room at once, which takes longer than much else of a start.
    const pool = { maxSize: subjectsMax, sizeCalculation: () => 1 };
    this.accounts = new LRUCache(pool);
    this.addresses = new LRUCache(pool);
    this.logins = new LRUCache(pool);
  }

  /**
   * A call counts a sixtieth of a window too long at most, and only in windows of more than 64 calls.
   * @throws Error when a window of a subject is given twice; RangeError for a time or a window that is impossible
   */
  override take(subjects: readonly RateSubject[], nowMs: number): RateDecision {
    const timeMs = this.forwardOnly(nowMs);
    const room = this.look(subjects, timeMs);
    if (room === Infinity) {
      return { allowed: true, limit: null };
    }
    if (room === 0) {
      return this.refused(this.tightest(0), timeMs);
    }
    for (const history of this.touched) {
      history.add(timeMs);
    }
    return { allowed: true, ...this.roomOf(this.tightest(room - 1)) };
  }

  /** How many calls would fit now, Infinity without a limit, and what a call would be told that does not fit. */
  peek(subjects: readonly RateSubject[], nowMs: number): { room: number; refused: RefusedCall | null } {
    const timeMs = this.forwardOnly(nowMs);
    const room = this.look(subjects, timeMs);
    return { room, refused: room === 0 ? this.refused(this.tightest(0), timeMs) : null };
  }

  override forget(id: RateSubject['id']): void {
    this.poolOf(id).delete(id);
  }

  /** Brings the histories of the call to the present and returns the smallest room. */
  private look(subjects: readonly RateSubject[], timeMs: number): number {
    this.touched.length = 0;
    let smallest = Infinity;
    for (const { id, windows } of subjects) {
      const histories = this.historiesOf(id);
      for (const window of windows) {
        const history = (histories[window.name] ??= new CallHistory(window));
        if (this.touched.includes(history)) {
          throw new Error(`The ${window.name} window of ${id} is given twice for one call`);
        }
        history.advance(window, timeMs);
        this.touched.push(history);
        smallest = Math.min(smallest, history.room);
      }
    }
    return smallest;
  }

  private historiesOf(id: string): SubjectHistories {
    const pool = this.poolOf(id);
    let histories = pool.get(id);
    if (histories === undefined) {
      histories = {};
      pool.set(id, histories);
    }
    return histories;
  }

  private poolOf(id: string): LRUCache<string, SubjectHistories> {
    if (id.startsWith('account:')) {
      return this.accounts;
    }
    return id.startsWith('login:') ? this.logins : this.addresses;
  }

  private tightest(room: number): CallHistory {
    let slowest: CallHistory | undefined;
    let growsAtMs = -Infinity;
    for (const history of this.touched) {
      const historyGrowsAtMs = history.room === room ? history.growsAtMs() : -Infinity;
      if (historyGrowsAtMs > growsAtMs) {
        slowest = history;
        growsAtMs = historyGrowsAtMs;
      }
    }
    if (slowest === undefined) {
      throw new Error(`No rate window of the call has room for ${room} calls`);
    }
    return slowest;
  }

  private refused(closed: CallHistory, timeMs: number): RefusedCall {
    const waitMs = closed.growsAtMs() - timeMs;
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
    return { allowed: false, ...this.roomOf(closed), retryAfterSeconds };
  }

  private roomOf(history: CallHistory): RateRoom {
    const { limit, lengthMs } = history.currentWindow;
    return {
      limit,
      remaining: history.room,
      resetAtSeconds: Math.ceil((history.growsAtMs() - this.clockOffsetMs) / 1_000),
      windowSeconds: Math.ceil(lengthMs / 1_000),
    };
  }

  /** Never runs backwards: after a clock was set back, every window would stay closed until it has caught up. */
  private forwardOnly(nowMs: number): number {
    if (!Number.isFinite(nowMs)) {
      throw new RangeError(`${nowMs} is not a time`);
    }
    const behindMs = this.latestMs - (nowMs + this.clockOffsetMs);
    if (behindMs > CLOCK_STEP_BACK_MS_MIN) {
      this.clockOffsetMs += behindMs;
    }
    this.latestMs = Math.max(this.latestMs, nowMs + this.clockOffsetMs);
    return this.latestMs;
  }
}

interface RedisRateLimiterParts {
  redis: RedisConnection;
  metrics: RateLimiterMetrics;
  time: 'of redis' | 'of the caller';
}

/**
 * The limiter that all replicas share. It counts in Redis, by the same rules as {@link InProcessRateLimiter}, and by its
 * clock, because those of replicas differ; only tests bring a clock of their own. Calls that arrive together share a trip.
 *
 * While Redis fails or takes too long, this process decides alone. It also counts the calls that Redis allowed, so an outage
 * gives nobody a fresh allowance here. Calls that were decided alone are not added to the counts in Redis afterwards.
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

  /** Decided at once while Redis is not connected. @throws as the limiter of a single process */
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

  /** While Redis can't be reached, the subject's calls there stay counted. */
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

  /** Once for an outage, because a line for every call would bury everything else in the log. */
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

/** The call would be counted twice in that window. */
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
