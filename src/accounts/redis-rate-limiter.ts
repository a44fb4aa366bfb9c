import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { type RedisConnection, RedisUnavailable } from '../database/redis-connection';
import { Metrics } from '../observability/metrics';
import { RequestBatcher } from '../runtime/request-batcher';
import {
  type RateDecision,
  RateLimiter,
  type RateSubject,
  type RateWindow,
  type RateWindowName,
} from './rate-limiter';
import { InProcessRateLimiter, rateRoom, refusedCall } from './rate-windows';

interface RedisRateLimiterParts {
  redis: RedisConnection;
  metrics: RateLimiterMetrics;
  time: 'of redis' | 'of the caller';
}

/**
 * By Redis' clock, since replicas' clocks differ; simultaneous calls share a trip. While Redis fails this
 * process decides alone, by counts that include Redis' calls, so an outage gives no fresh allowance.
 */
export class RedisRateLimiter extends RateLimiter {
  private readonly local = new InProcessRateLimiter();
  private readonly trips = new RequestBatcher<WaitingCall, RateDecision>(
    CALLS_PER_TRIP_MAX,
    (calls) => this.carry(calls),
    true,
  );
  private readonly logger = new Logger(RedisRateLimiter.name);
  private isAlone = false;

  constructor(private readonly parts: RedisRateLimiterParts) {
    super();
    parts.redis.define(TAKE_CALLS, readFileSync(join(__dirname, 'take-calls.lua'), 'utf8'));
    parts.metrics.observeShared(() => !this.isAlone && parts.redis.isUsable);
  }

  /** Decides at once while Redis is not connected. @throws as the limiter of a single process */
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
    return this.trips.waitingCount >= WAITING_MAX
      ? this.takeAlone(subjects, nowMs, 'queue_full')
      : this.takeShared(subjects, windows, nowMs);
  }

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
      const deadlineMs = performance.now() + this.parts.redis.address.timeoutMs;
      decision = await this.trips.ask({ subjects, windows, timeMs, deadlineMs });
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

  /** @throws RedisUnavailable when Redis fails or is late; it may have counted the calls */
  private async carry(calls: WaitingCall[]): Promise<RateDecision[]> {
    const { redis } = this.parts;
    const { keys, values } = tripParameters(calls, redis.address.keyPrefix);
    const leftMs = (calls[0]?.deadlineMs ?? 0) - performance.now();
    return tripDecisions(calls, await redis.run(TAKE_CALLS, keys, values, Math.max(TRIP_MS_MIN, leftMs)));
  }

  private takeAlone(subjects: readonly RateSubject[], nowMs: number, because: AloneBecause): RateDecision {
    this.parts.metrics.decidedAlone(because);
    return this.local.take(subjects, nowMs);
  }

  /** Logs an outage once; a line for every call would bury all else. */
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

function refuseTwice(subjects: readonly RateSubject[]): void {
  const all = subjects.flatMap(({ id, windows }) => windows.map(({ name }) => `${name} window of ${id}`));
  const twice = all.find((window, index) => all.indexOf(window) < index);
  if (twice !== undefined) {
    throw new Error(`The ${twice} is given twice for one call`);
  }
}

type AloneBecause = 'unavailable' | 'queue_full';

@Injectable()
export class RateLimiterMetrics {
  private readonly alone;
  private isShared = () => false;

  constructor(metrics: Metrics) {
    const alone = metrics.counter(
      'rate_limits_decided_alone_total',
      'Calls whose rate limits this process decided alone although they are to be shared through Redis.',
    );
    this.alone = {
      unavailable: alone.labelled({ because: 'unavailable' }),
      queue_full: alone.labelled({ because: 'queue_full' }),
    };
    metrics.gauge(
      'rate_limits_shared',
      'Whether rate limits are counted in Redis, together with the other replicas: 1 or 0.',
      () => (this.isShared() ? 1 : 0),
    );
  }

  decidedAlone(because: AloneBecause): void {
    this.alone[because].add();
  }

  observeShared(isShared: () => boolean): void {
    this.isShared = isShared;
  }
}

/** Stored in Redis, so the numbers must never change their meaning. */
const NAMES: Readonly<Record<RateWindowName, number>> = { second: 1, minute: 2, hour: 3, day: 4 };

/** Equal rates share an array, which is checked and encoded once. */
const known = new WeakMap<readonly RateWindow[], string>();

/** For take-calls.lua. @throws RangeError for an impossible window */
function encodedWindows({ windows }: RateSubject): string {
  let encoded = known.get(windows);
  if (encoded === undefined) {
    encoded = JSON.stringify(windows.map(encode));
    known.set(windows, encoded);
  }
  return encoded;
}

function encode({ name, lengthMs, limit }: RateWindow): number[] {
  if (![lengthMs, limit].every((count) => Number.isSafeInteger(count) && count >= 1)) {
    throw new RangeError(`A rate window of ${limit} calls per ${lengthMs} ms is impossible`);
  }
  return [NAMES[name], lengthMs, limit];
}

interface WaitingCall {
  readonly subjects: readonly RateSubject[];
  readonly windows: readonly string[];
  /** Null to count by Redis' clock. */
  readonly timeMs: number | null;
  /** By performance.now(). */
  readonly deadlineMs: number;
}

function tripParameters(calls: readonly WaitingCall[], keyPrefix: string) {
  const keys = new Map<string, number>();
  const windows = new Map<string, number>();
  const plans = calls.map(({ subjects, windows: ofSubjects, timeMs }) => {
    const plan: (number | false)[] = [timeMs ?? false];
    subjects.forEach(({ id }, index) => {
      plan.push(positionOf(`${keyPrefix}rate:${id}`, keys), positionOf(ofSubjects[index] ?? '[]', windows));
    });
    return plan;
  });
  const plan = `{"windows":[${[...windows.keys()].join()}],"calls":${JSON.stringify(plans)}}`;
  return { keys: [...keys.keys()], values: [plan] };
}

/** From 1, as in Lua. */
function positionOf(value: string, positions: Map<string, number>): number {
  const position = positions.get(value) ?? positions.size + 1;
  positions.set(value, position);
  return position;
}

const NUMBERS_PER_CALL = 5;

/** @throws TypeError for an answer that does not fit these calls */
function tripDecisions(calls: readonly WaitingCall[], answer: unknown): RateDecision[] {
  if (!isNumbers(answer) || answer.length !== calls.length * NUMBERS_PER_CALL) {
    throw new TypeError('The answer of Redis does not fit the calls');
  }
  return calls.map((call, index) =>
    decisionOf(call, answer.slice(index * NUMBERS_PER_CALL, (index + 1) * NUMBERS_PER_CALL)),
  );
}

function decisionOf({ subjects }: WaitingCall, numbers: number[]): RateDecision {
  const [allowed = 0, tightest = 0, remaining = 0, growsAtMs = 0, waitMs = 0] = numbers;
  const window = subjects.flatMap(({ windows }) => windows)[tightest - 1];
  if (window === undefined) {
    throw new TypeError('The answer of Redis names a window that the call does not have');
  }
  const room = rateRoom(window, remaining, growsAtMs);
  return allowed === 1 ? { allowed: true, ...room } : refusedCall(room, waitMs);
}

function isNumbers(answer: unknown): answer is number[] {
  return Array.isArray(answer) && answer.every((value) => typeof value === 'number');
}

const TAKE_CALLS = 'takeCalls';

const CALLS_PER_TRIP_MAX = 100;
const WAITING_MAX = 5_000;
// After a pause of this process a call may be late through no fault of Redis.
const TRIP_MS_MIN = 20;
