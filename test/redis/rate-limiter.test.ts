import { RateLimiterMetrics, RedisRateLimiter } from '../../src/accounts/redis-rate-limiter';
import { InProcessRateLimiter } from '../../src/accounts/rate-windows';
import type { RateDecision, RateLimiter, RateSubject } from '../../src/accounts/rate-limiter';
import type { RateWindow } from '../../src/accounts/rate-limiter';
import { Metrics } from '../../src/observability/metrics';
import type { RedisConnection } from '../../src/database/redis-connection';
import { newId } from '../../src/runtime/ids';
import { TestRedis } from '../support/redis/test-redis';

const START_MS = 1_800_000_000_000;
const START_SECONDS = START_MS / 1_000;
const SECOND: RateWindow = { name: 'second', lengthMs: 1_000, limit: 1 };
const MINUTE: RateWindow = { name: 'minute', lengthMs: 60_000, limit: 10 };
const DAY: RateWindow = { name: 'day', lengthMs: 86_400_000, limit: 1_000 };

let redis: TestRedis;
let connection: RedisConnection;
beforeAll(async () => {
  redis = await TestRedis.start();
  connection = await redis.connect();
});
afterAll(async () => redis.stop());

const LIMITERS: [string, () => RateLimiter][] = [
  ['InProcessRateLimiter', () => new InProcessRateLimiter()],
  [
    'RedisRateLimiter',
    () => {
      const metrics = new RateLimiterMetrics(new Metrics());
      return new RedisRateLimiter({ redis: connection, metrics, time: 'of the caller' });
    },
  ],
];

/** Whatever holds of one limiter holds of the other: the same cases for both. */
describe.each(LIMITERS)('%s', (_, make) => {
  let limiter: RateLimiter;
  let account: RateSubject['id'];
  beforeEach(() => {
    limiter = make();
    account = `account:${newId()}`;
  });

  async function take(windows: RateWindow[], timeMs: number, id = account): Promise<RateDecision> {
    return limiter.take([{ id, windows }], timeMs);
  }

  /** How many of so many calls at one moment are allowed. */
  async function allowed(count: number, windows: RateWindow[], timeMs: number): Promise<number> {
    const decisions = await Promise.all(Array.from({ length: count }, () => take(windows, timeMs)));
    return decisions.filter((decision) => decision.allowed).length;
  }

  describe('refuses', () => {
    it('the call after the last one that fits, and says when to come back', async () => {
      await take([SECOND, MINUTE], START_MS);
      expect(await take([SECOND, MINUTE], START_MS + 250)).toEqual({
        allowed: false,
        limit: 1,
        remaining: 0,
        resetAtSeconds: START_SECONDS + 1,
        windowSeconds: 1,
        retryAfterSeconds: 1,
      });
    });

    it('by the window that opens last when several are closed', async () => {
      const windows = [{ ...SECOND, limit: 10 }, MINUTE, { ...DAY, limit: 11 }];
      expect(await allowed(30, windows, START_MS)).toBe(10);
      expect(await take(windows, START_MS + 1)).toMatchObject({
        windowSeconds: 60,
        retryAfterSeconds: 60,
      });
      expect(await take(windows, START_MS + 60_000)).toMatchObject({ allowed: true, windowSeconds: 86_400 });
      expect(await take(windows, START_MS + 60_000)).toMatchObject({
        allowed: false,
        limit: 11,
        windowSeconds: 86_400,
        retryAfterSeconds: 86_340,
      });
    });

    it('when one of several subjects has no room, and counts the call for none of them', async () => {
      const address: RateSubject = { id: `ip:${newId()}`, windows: [{ ...MINUTE, limit: 2 }] };
      const caller: RateSubject = { id: account, windows: [MINUTE] };
      await limiter.take([address], START_MS);
      await limiter.take([address], START_MS);
      expect((await limiter.take([caller, address], START_MS)).allowed).toBe(false);
      expect((await limiter.take([address, caller], START_MS)).allowed).toBe(false);
      expect(await take([MINUTE], START_MS)).toMatchObject({ remaining: 9 });
    });

    it('a window given twice, windows without room for any call, and times that are none', async () => {
      const caller: RateSubject = { id: account, windows: [MINUTE] };
      expect(() => limiter.take([caller, caller], START_MS)).toThrow(
        `The minute window of ${account} is given`,
      );
      expect(() => limiter.take([{ id: account, windows: [MINUTE, MINUTE] }], START_MS)).toThrow(
        'given twice',
      );
      for (const impossible of [{ limit: 0 }, { limit: NaN }, { lengthMs: 0 }, { lengthMs: NaN }]) {
        const windows = [{ ...MINUTE, ...impossible }];
        expect(() => limiter.take([{ id: account, windows }], START_MS)).toThrow(RangeError);
      }
      expect(() => limiter.take([caller], NaN)).toThrow('NaN is not a time');
      expect(await take([MINUTE], START_MS)).toMatchObject({ remaining: 9 });
    });
  });

  describe('allows', () => {
    it('without numbers what no window limits', async () => {
      expect(await limiter.take([], START_MS)).toEqual({ allowed: true, limit: null });
      expect(await take([], START_MS)).toEqual({ allowed: true, limit: null });
    });

    it('and shows the window with the smallest count left, of equal ones the slowest to gain room', async () => {
      expect(await take([{ ...SECOND, limit: 5 }, MINUTE], START_MS)).toEqual({
        allowed: true,
        limit: 5,
        remaining: 4,
        resetAtSeconds: START_SECONDS + 1,
        windowSeconds: 1,
      });
      const equal = [
        { ...SECOND, limit: 9 },
        { ...MINUTE, limit: 9 },
      ];
      expect(await take(equal, START_MS + 1_000)).toMatchObject({ windowSeconds: 60, remaining: 7 });
    });

    it('a call as soon as the refusal said, and again the whole limit after a window has passed', async () => {
      expect(await allowed(12, [MINUTE], START_MS)).toBe(10);
      expect(await take([MINUTE], START_MS + 59_999)).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
      expect(await allowed(12, [MINUTE], START_MS + 60_000)).toBe(10);
    });

    it('all of a large limit again after its window has passed', async () => {
      expect(await allowed(1_100, [DAY], START_MS)).toBe(1_000);
      expect(await allowed(3, [DAY], START_MS + DAY.lengthMs - 1)).toBe(0);
      expect(await allowed(1_100, [DAY], START_MS + DAY.lengthMs)).toBe(1_000);
    });

    it('exactly the limit of calls that race, and counts them for all of their windows', async () => {
      expect(await allowed(300, [{ ...SECOND, limit: 150 }, DAY], START_MS)).toBe(150);
      expect(await take([{ ...SECOND, limit: 2_000 }, DAY], START_MS + 1)).toMatchObject({ remaining: 849 });
    });
  });

  describe('when the tier changes', () => {
    it('applies a lower limit at once to what was already counted', async () => {
      for (let call = 0; call < 10; call += 1) {
        await take([MINUTE], START_MS + call * 1_000);
      }
      const lowered = [{ ...MINUTE, limit: 4 }];
      expect(await take(lowered, START_MS + 10_000)).toMatchObject({ allowed: false, retryAfterSeconds: 56 });
      expect((await take(lowered, START_MS + 65_999)).allowed).toBe(false);
      expect((await take(lowered, START_MS + 66_000)).allowed).toBe(true);
    });

    it('gives no fresh allowance with a higher limit, nor by changing to and fro', async () => {
      const higher = [{ ...MINUTE, limit: 900 }];
      expect(await allowed(20, [MINUTE], START_MS)).toBe(10);
      expect(await allowed(950, higher, START_MS + 1)).toBe(890);
      expect(await allowed(3, [MINUTE], START_MS + 2)).toBe(0);
      expect(await allowed(3, higher, START_MS + 3)).toBe(0);
    });

    it('counts again in a longer window the calls that have left a shorter one', async () => {
      const shorter = [{ ...SECOND, limit: 2 }];
      const longer = [{ ...SECOND, lengthMs: 2_000, limit: 5 }];
      expect(await allowed(3, shorter, START_MS)).toBe(2);
      expect(await allowed(3, shorter, START_MS + 1_500)).toBe(2);
      expect(await allowed(3, longer, START_MS + 1_600)).toBe(1);
      expect(await allowed(3, longer, START_MS + 2_000)).toBe(2);
    });
  });

  describe('when the clock is not steady', () => {
    it('counts a call that comes a little late as made now', async () => {
      const windows = [{ ...SECOND, limit: 2 }];
      await take(windows, START_MS + 500);
      await take(windows, START_MS);
      expect((await take(windows, START_MS + 1_499)).allowed).toBe(false);
      expect((await take(windows, START_MS + 1_500)).allowed).toBe(true);
    });

    it('neither closes nor opens windows when the clock is set back by an hour', async () => {
      await allowed(10, [MINUTE], START_MS);
      const corrected = START_MS - 3_600_000;
      expect(await take([MINUTE], corrected)).toMatchObject({
        allowed: false,
        retryAfterSeconds: 60,
        resetAtSeconds: corrected / 1_000 + 60,
      });
      expect((await take([MINUTE], corrected + 59_999)).allowed).toBe(false);
      expect((await take([MINUTE], corrected + 60_000)).allowed).toBe(true);
    });
  });

  it('forgets one subject and no other', async () => {
    const other: RateSubject['id'] = `account:${newId()}`;
    await take([SECOND], START_MS);
    await take([SECOND], START_MS, other);
    await limiter.forget(account);
    expect((await take([SECOND], START_MS)).allowed).toBe(true);
    expect((await take([SECOND], START_MS, other)).allowed).toBe(false);
  });
});
