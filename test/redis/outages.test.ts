import { Logger } from '@nestjs/common';
import type { RateDecision, RateSubject } from '../../src/accounts/rate-limiter';
import { RateLimiterMetrics, RedisRateLimiter } from '../../src/accounts/redis-rate-limiter';
import { newId } from '../../src/runtime/ids';
import { Metrics } from '../../src/observability/metrics';
import { RedisConnection } from '../../src/database/redis-connection';
import { TURNS_IN_100_MS, turnsDuring } from '../support/event-loop-turns';
import { RedisServer } from '../support/redis/redis-server';
import { TcpProxy } from '../support/processes/tcp-proxy';
import { until } from '../support/until';

const START_MS = 1_800_000_000_000;
/** Longer than a busy machine needs for one answer of Redis. */
const TIMEOUT_MS = 1_000;
/** The promise is the time-out, ten times as many turns; thousands of answers need some more. */
const ANSWERED_WITHIN_TURNS = 25 * TURNS_IN_100_MS;
const WAITING_MAX = 5_000;

describe('RedisRateLimiter without Redis', () => {
  let server: RedisServer;
  let connection: RedisConnection;
  let limiter: RedisRateLimiter;
  let metrics: Metrics;
  let said: string[];
  let id: RateSubject['id'];
  beforeEach(async () => {
    server = await RedisServer.start();
    said = [];
    id = `account:${newId()}`;
    const say = (message: unknown) => said.push(String(message));
    Logger.overrideLogger({ log: say, warn: say, error: say });
    metrics = new Metrics();
  });
  afterEach(async () => {
    connection.onApplicationShutdown();
    Logger.overrideLogger(false);
    await server.kill();
  });

  async function use(url: string): Promise<void> {
    connection = await RedisConnection.open({ url, keyPrefix: 'outages:', timeoutMs: TIMEOUT_MS });
    const counted = new RateLimiterMetrics(metrics);
    limiter = new RedisRateLimiter({ redis: connection, metrics: counted, time: 'of the caller' });
  }

  async function calls(count: number, limit: number): Promise<RateDecision[]> {
    const subject: RateSubject = { id, windows: [{ name: 'minute', lengthMs: 60_000, limit }] };
    return Promise.all(Array.from({ length: count }, async () => limiter.take([subject], START_MS)));
  }

  async function decidedAlone(because: 'unavailable' | 'queue_full'): Promise<number> {
    const text = await metrics.text();
    return Number(new RegExp(`alone_total\\{because="${because}"\\} (\\d+)`).exec(text)?.[1]);
  }

  async function isShared(): Promise<boolean> {
    return /^rate_limits_shared 1$/m.test(await metrics.text());
  }

  const allowed = (decisions: RateDecision[]) => decisions.filter((decision) => decision.allowed).length;

  async function untilShared(): Promise<void> {
    await until('Redis is used again', async () => {
      await calls(1, 1_000_000);
      return isShared();
    });
  }

  it('answers every call when Redis is killed in mid-flight, says it once, and uses it again afterwards', async () => {
    await use(server.url);
    expect(allowed(await calls(10, 1_000_000))).toBe(10);
    expect(await decidedAlone('unavailable')).toBe(0);
    const inFlight = calls(300, 1_000_000);
    const killed = server.kill();
    expect(allowed(await inFlight)).toBe(300);
    await killed;
    await until('the loss is noticed', () => !connection.isUsable);
    expect(allowed(await calls(50, 1_000_000))).toBe(50);
    expect(await decidedAlone('unavailable')).toBeGreaterThanOrEqual(50);
    expect(said).toEqual([
      expect.stringMatching(/^Redis fails \(.+\): this process counts rate limits alone/),
    ]);
    expect(await isShared()).toBe(false);

    await server.startAgain();
    await untilShared();
    expect(said.slice(1)).toEqual(['Redis is back: rate limits are shared again']);
    const before = await decidedAlone('unavailable');
    expect(allowed(await calls(50, 1_000_000))).toBe(50);
    expect(await decidedAlone('unavailable')).toBe(before);
  });

  it('gives nobody a fresh allowance: this process has counted its own calls all along', async () => {
    await use(server.url);
    expect(allowed(await calls(8, 5))).toBe(5);
    await server.kill();
    await until('the loss is noticed', () => !connection.isUsable);
    expect(allowed(await calls(3, 5))).toBe(0);
    await limiter.forget(id);
    expect(allowed(await calls(8, 5))).toBe(5);
  });

  it('is there before Redis is, and shares as soon as it can', async () => {
    await server.kill();
    await use(server.url);
    expect(allowed(await calls(8, 5))).toBe(5);
    expect(said).toEqual([expect.stringMatching(/^Redis fails \(.*ECONNREFUSED/)]);
    await server.startAgain();
    await untilShared();
  });

  describe('when the network stalls', () => {
    let proxy: TcpProxy;
    beforeEach(async () => {
      const { hostname, port } = new URL(server.url);
      proxy = await TcpProxy.start({ host: hostname, port: Number(port) });
    });
    afterEach(async () => proxy.stop());

    it('answers within the time-out, at once from then on, and comes back with the network', async () => {
      await use(`redis://127.0.0.1:${proxy.port}`);
      expect(allowed(await calls(10, 1_000_000))).toBe(10);
      proxy.state = 'losing everything';
      const turns = await turnsDuring(async () => {
        expect(allowed(await calls(250, 1_000_000))).toBe(250);
      });
      expect(turns).toBeLessThan(ANSWERED_WITHIN_TURNS);
      expect(await decidedAlone('unavailable')).toBe(250);
      const next = limiter.take(
        [{ id, windows: [{ name: 'minute', lengthMs: 60_000, limit: 9 }] }],
        START_MS,
      );
      expect(next).not.toBeInstanceOf(Promise);
      proxy.state = 'whole';
      await untilShared();
    });

    it('lets no more than so many calls wait', async () => {
      await use(`redis://127.0.0.1:${proxy.port}`);
      proxy.state = 'losing everything';
      const turns = await turnsDuring(async () => {
        expect(allowed(await calls(WAITING_MAX + 11, 1_000_000))).toBe(WAITING_MAX + 11);
      });
      expect(turns).toBeLessThan(ANSWERED_WITHIN_TURNS);
      expect(await decidedAlone('queue_full')).toBe(10);
      expect(await decidedAlone('unavailable')).toBe(WAITING_MAX + 1);
    });

    it('does not wait long for a Redis that takes connections but says nothing', async () => {
      proxy.state = 'losing everything';
      const turns = await turnsDuring(() => use(`redis://127.0.0.1:${proxy.port}`));
      expect(turns).toBeLessThan(30 * TURNS_IN_100_MS);
      expect(allowed(await calls(8, 5))).toBe(5);
      proxy.state = 'whole';
      await untilShared();
    });
  });
});
