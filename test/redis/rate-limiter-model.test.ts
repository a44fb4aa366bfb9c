import fc from 'fast-check';
import { RateLimiterMetrics, RedisRateLimiter } from '../../src/accounts/redis-rate-limiter';
import { InProcessRateLimiter } from '../../src/accounts/rate-windows';
import type { RateDecision, RateSubject, RateSubjectKind } from '../../src/accounts/rate-limiter';
import type { RateWindow } from '../../src/accounts/rate-limiter';
import { newId } from '../../src/runtime/ids';
import { Metrics } from '../../src/observability/metrics';
import { TestRedis } from '../support/redis/test-redis';

const START_MS = 1_800_000_000_000;
const EXACT_LIMIT_MAX = 64;
const LENGTHS_MS = [1_000, 2_000, 7_693, 60_000];
const RUNS = 60;

/** The naive sliding log: it keeps the time of every allowed call, so that it cannot be wrong. */
class SlidingLog {
  private readonly allowedMs: number[] = [];

  add(timeMs: number): void {
    this.allowedMs.push(timeMs);
  }

  room({ limit, lengthMs }: RateWindow, timeMs: number): number {
    return limit - this.allowedMs.filter((callMs) => callMs > timeMs - lengthMs).length;
  }
}

/** Calls that are in flight at the same time, so that they share round trips. */
interface Burst {
  timeMs: number;
  subjects: RateSubject[];
  calls: number;
}

const pauseMs = fc.oneof(
  fc.constantFrom(0, 1, 16, 17, 18, 128, 129, 999, 1_000, 1_001, 1_999, 2_000, 7_693, 59_999, 60_000, 61_001),
  fc.integer({ min: 0, max: 3_000 }),
  fc.integer({ min: 0, max: 90_000 }),
);

function windowOf(limitMin: number, limitMax: number): fc.Arbitrary<RateWindow> {
  const limit = fc.integer({ min: limitMin, max: limitMax });
  return fc.record({ name: fc.constant('second'), lengthMs: fc.constantFrom(...LENGTHS_MS), limit });
}

/** Bursts of one subject, under one window after the other. */
function plan(window: fc.Arbitrary<RateWindow>, changes: number): fc.Arbitrary<Burst[]> {
  const burst = fc.record({ afterMs: pauseMs, calls: fc.integer({ min: 1, max: 60 }) });
  const part = fc.record({ window, bursts: fc.array(burst, { minLength: 1, maxLength: 24 / changes }) });
  return fc.array(part, { minLength: 1, maxLength: changes }).map((parts) => {
    let timeMs = START_MS;
    const id: RateSubject['id'] = `account:${newId()}`;
    return parts.flatMap(({ window, bursts }) =>
      bursts.map(({ afterMs, calls }) => {
        timeMs += afterMs;
        return { timeMs, calls, subjects: [{ id, windows: [window] }] };
      }),
    );
  });
}

/** Bursts of up to three subjects that share some, each with windows of two names. */
function mixedPlan(): fc.Arbitrary<Burst[]> {
  const names = fc.uniqueArray(fc.constantFrom<RateSubjectKind>('account', 'ip', 'login'), { minLength: 1 });
  const burst = fc.record({ afterMs: pauseMs, names, calls: fc.integer({ min: 1, max: 30 }) });
  const limits = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 200 }));
  return fc.tuple(limits, fc.array(burst, { minLength: 1, maxLength: 20 })).map(([limits, bursts]) => {
    const windows: RateWindow[] = [
      { name: 'second', lengthMs: 1_000, limit: limits[0] },
      { name: 'minute', lengthMs: 60_000, limit: limits[1] },
    ];
    const run = newId();
    let timeMs = START_MS;
    return bursts.map(({ afterMs, names, calls }) => {
      timeMs += afterMs;
      const subjects = names.map((name) => ({ id: `${name}:${run}` as const, windows }));
      return { timeMs, calls, subjects };
    });
  });
}

describe('RedisRateLimiter on two replicas', () => {
  let redis: TestRedis;
  let replicas: RedisRateLimiter[];
  const metrics = new Metrics();
  beforeAll(async () => {
    redis = await TestRedis.start();
    const connections = await Promise.all([redis.connect(), redis.connect()]);
    const counted = new RateLimiterMetrics(metrics);
    replicas = connections.map(
      (connection) => new RedisRateLimiter({ redis: connection, metrics: counted, time: 'of the caller' }),
    );
  });
  afterEach(async () => {
    expect(await metrics.text()).toContain('rate_limits_decided_alone_total{because="unavailable"} 0');
  });
  afterAll(async () => redis.stop());

  /** One burst after the other, each by the replica whose turn it is: what one has counted the other must find. */
  async function decide(bursts: Burst[]): Promise<RateDecision[][]> {
    const decisions: RateDecision[][] = [];
    for (const [index, { subjects, timeMs, calls }] of bursts.entries()) {
      const replica = replicas[index % 2] as RedisRateLimiter;
      const inFlight = Array.from({ length: calls }, async () => replica.take(subjects, timeMs));
      decisions.push(await Promise.all(inFlight));
    }
    return decisions;
  }

  /** The bursts with a call that was decided wrongly. */
  async function misjudged(
    bursts: Burst[],
    isRight: (decision: RateDecision, log: SlidingLog, window: RateWindow, timeMs: number) => boolean,
  ): Promise<Burst[]> {
    const decisions = await decide(bursts);
    const log = new SlidingLog();
    return bursts.filter(({ subjects, timeMs }, index) => {
      const window = subjects[0]?.windows[0] as RateWindow;
      const verdicts = (decisions[index] ?? []).map((decision) => {
        const right = isRight(decision, log, window, timeMs);
        if (decision.allowed) {
          log.add(timeMs);
        }
        return right;
      });
      return verdicts.includes(false) || verdicts.length === 0;
    });
  }

  it('decides exactly as a naive sliding log up to a limit of 64', async () => {
    const property = fc.asyncProperty(plan(windowOf(1, EXACT_LIMIT_MAX), 1), async (bursts) => {
      const wrong = await misjudged(bursts, (decision, log, window, timeMs) => {
        const room = log.room(window, timeMs);
        return decision.allowed
          ? room > 0 && decision.limit === window.limit && decision.remaining === room - 1
          : room === 0;
      });
      expect(wrong).toEqual([]);
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  it('never allows more than a larger limit, and counts no call more than a sixtieth of the window too long', async () => {
    const property = fc.asyncProperty(plan(windowOf(EXACT_LIMIT_MAX + 1, 200), 1), async (bursts) => {
      const wrong = await misjudged(bursts, ({ allowed }, log, window, timeMs) => {
        const longer = { ...window, lengthMs: window.lengthMs + Math.ceil(window.lengthMs / 60) };
        return allowed ? log.room(window, timeMs) > 0 : log.room(longer, timeMs) <= 0;
      });
      expect(wrong).toEqual([]);
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  it('never allows more than the limit in force, however limits and lengths change between calls', async () => {
    const property = fc.asyncProperty(plan(windowOf(1, 200), 8), async (bursts) => {
      const wrong = await misjudged(bursts, ({ allowed }, log, window, timeMs) => {
        return !allowed || log.room(window, timeMs) > 0;
      });
      expect(wrong).toEqual([]);
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  it('says of every call what the limiter of a single process says', async () => {
    const property = fc.asyncProperty(fc.oneof(mixedPlan(), plan(windowOf(1, 200), 1)), async (bursts) => {
      const single = new InProcessRateLimiter(3);
      const expected = bursts.map(({ subjects, timeMs, calls }) =>
        Array.from({ length: calls }, () => single.take(subjects, timeMs)),
      );
      expect(await decide(bursts)).toEqual(expected);
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});
