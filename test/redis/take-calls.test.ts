import type { RateDecision, RateLimiter, RateSubject } from '../../src/accounts/rate-limiter';
import { RateLimiterMetrics, RedisRateLimiter } from '../../src/accounts/redis-rate-limiter';
import type { RateWindow } from '../../src/accounts/rate-limiter';
import { newId } from '../../src/runtime/ids';
import { Metrics } from '../../src/observability/metrics';
import { TestRedis } from '../support/redis/test-redis';
import { until } from '../support/until';

const START_MS = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const SECOND: RateWindow = { name: 'second', lengthMs: 1_000, limit: 64 };
const MINUTE: RateWindow = { name: 'minute', lengthMs: 60_000, limit: 900 };
const HOUR: RateWindow = { name: 'hour', lengthMs: 3_600_000, limit: 5_000 };
const DAY: RateWindow = { name: 'day', lengthMs: DAY_MS, limit: 10_000 };

describe('the script in Redis', () => {
  let redis: TestRedis;
  let id: RateSubject['id'];
  const metrics = new Metrics();
  const counted = new RateLimiterMetrics(metrics);
  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  beforeEach(() => {
    id = `account:${newId()}`;
  });
  afterEach(async () => {
    expect(await metrics.text()).toContain('rate_limits_decided_alone_total{because="unavailable"} 0');
  });
  afterAll(async () => redis.stop());

  async function limiter(time: 'of redis' | 'of the caller'): Promise<RateLimiter> {
    return new RedisRateLimiter({ redis: await redis.connect(), metrics: counted, time });
  }

  const key = () => `${redis.address.keyPrefix}rate:${id}`;

  describe('by the time of Redis', () => {
    it('holds a limit over replicas whose clocks are days apart', async () => {
      const replicas = [await limiter('of redis'), await limiter('of redis')];
      const decisions: RateDecision[] = [];
      for (let call = 0; call < 12; call += 1) {
        const clockMs = call % 3 === 0 ? 0 : Date.now() + call * DAY_MS;
        decisions.push(
          await (replicas[call % 2] as RateLimiter).take(
            [{ id, windows: [{ ...MINUTE, limit: 5 }] }],
            clockMs,
          ),
        );
      }
      expect(decisions.map(({ allowed }) => allowed)).toEqual([
        ...Array(5).fill(true),
        ...Array(7).fill(false),
      ]);
      const inSeconds =
        Number((decisions[11] as { resetAtSeconds?: number }).resetAtSeconds) - Date.now() / 1_000;
      expect(inSeconds).toBeGreaterThan(30);
      expect(inSeconds).toBeLessThanOrEqual(61);
    });

    it('opens a window when its time has passed there', async () => {
      const shared = await limiter('of redis');
      const caller: RateSubject[] = [{ id, windows: [{ name: 'second', lengthMs: 1_500, limit: 1 }] }];
      const startedMs = performance.now();
      expect((await shared.take(caller, START_MS)).allowed).toBe(true);
      expect((await shared.take(caller, START_MS + DAY_MS)).allowed).toBe(false);
      await until('the window is open', async () => (await shared.take(caller, START_MS)).allowed);
      expect(performance.now() - startedMs).toBeGreaterThanOrEqual(1_499);
    });
  });

  it('keeps one value of bounded size for each subject, and that no longer than it is needed', async () => {
    const shared = await limiter('of the caller');
    const windows = [SECOND, MINUTE, HOUR, DAY];
    for (let minute = 0; minute < 1_500; minute += 30) {
      const calls = Array.from({ length: 70 }, async (_, call) =>
        shared.take([{ id, windows }], START_MS + minute * 60_000 + call * 1_000),
      );
      await Promise.all(calls);
    }
    const [names, bytes, keptMs] = await redis.ask((client) =>
      Promise.all([
        client.keys(`${redis.address.keyPrefix}*${id}*`),
        client.strlen(key()),
        client.pttl(key()),
      ]),
    );
    expect(names).toEqual([key()]);
    expect(bytes).toBeLessThan(3_300);
    expect(keptMs).toBeGreaterThan(DAY_MS);
    expect(keptMs).toBeLessThanOrEqual(DAY_MS + 60_000);
  });

  it('writes nothing for a call that is refused', async () => {
    const shared = await limiter('of the caller');
    const caller: RateSubject[] = [{ id, windows: [{ ...MINUTE, limit: 1 }] }];
    await shared.take(caller, START_MS);
    const before = await redis.ask((client) => client.getBuffer(key()));
    expect((await shared.take(caller, START_MS + 1)).allowed).toBe(false);
    expect(before).not.toBeNull();
    expect(await redis.ask((client) => client.getBuffer(key()))).toEqual(before);
  });

  it('is sent again to a Redis that has forgotten it', async () => {
    const shared = await limiter('of the caller');
    const caller: RateSubject[] = [{ id, windows: [{ ...MINUTE, limit: 2 }] }];
    await shared.take(caller, START_MS);
    await redis.ask((client) => client.script('FLUSH'));
    expect(await shared.take(caller, START_MS)).toMatchObject({ allowed: true, remaining: 0 });
    expect((await shared.take(caller, START_MS)).allowed).toBe(false);
  });

  it('takes the place of a value that is not its own', async () => {
    const shared = await limiter('of the caller');
    const caller: RateSubject[] = [{ id, windows: [{ ...MINUTE, limit: 1 }] }];
    await redis.ask((client) => client.rpush(key(), 'something else'));
    expect((await shared.take(caller, START_MS)).allowed).toBe(true);
    expect((await shared.take(caller, START_MS)).allowed).toBe(false);
  });
});
