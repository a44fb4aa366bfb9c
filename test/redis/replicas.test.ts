import { callAs } from '../support/api/call-as';
import {
  callersOf,
  expectExactly,
  expectFreeRate,
  expectStrangersHeld,
  withStatus,
} from '../support/api/exact-rates';
import { TestService, type ApiAnswer } from '../support/api/service';
import { RedisServer } from '../support/redis/redis-server';
import { TestRedis } from '../support/redis/test-redis';
import { until } from '../support/until';
import { createAccount, World, type TestAccount } from '../support/api/world';

const LIMIT = 50;
const FAILURES_MAX = 3;

describe('two replicas with one Redis', () => {
  let redis: TestRedis;
  let service: TestService;
  let replica: TestService;
  let world: World;
  beforeAll(async () => {
    redis = await TestRedis.start();
    service = await TestService.start(redis.environment);
    replica = await service.startReplica();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => {
    await replica.stop();
    await service.stop();
    await redis.stop();
  });

  /** So many calls at once, spread over both. */
  async function calls(count: number, credential: string): Promise<ApiAnswer<'listModels'>[]> {
    return Promise.all(
      Array.from({ length: count }, (_, index) =>
        (index % 2 === 0 ? service : replica).call('listModels', { credential, ip: world.ip }),
      ),
    );
  }

  it('let exactly the limit pass of 200 calls at once, and again when the window has passed', async () => {
    await world.setRates(world.owner, { requests_per_minute: LIMIT });
    await expectExactly(LIMIT, 200, (count) => calls(count, world.owner.key));
    service.clock.advance(59_999);
    expect(withStatus(await calls(20, world.owner.key), 200)).toBe(0);
    service.clock.advance(1);
    expect(withStatus(await calls(200, world.owner.key), 200)).toBe(LIMIT);
  });

  it('count the room in the headers over both', async () => {
    await world.setRates(world.owner, { requests_per_minute: LIMIT });
    const remaining = [];
    for (const one of [service, replica, service]) {
      const answer = await one.call('listModels', { credential: world.owner.key });
      remaining.push(answer.headers['x-ratelimit-remaining']);
    }
    expect(remaining).toEqual(['49', '48', '47']);
  });

  it('and a third hold nine keys and three tokens of one account to its one rate', async () => {
    const third = await service.startReplica();
    try {
      const account = await createAccount(service, { creditUsd: '0', tier: 'free' });
      const calls = await callersOf([service, replica, third], account, world.ip);
      await expectFreeRate(calls, (ms) => service.clock.advance(ms));
    } finally {
      await third.stop();
    }
  });

  it('hold strangers of one address together', async () => {
    await expectStrangersHeld((count) => calls(count, 'svc_test_unknown'));
  });

  describe('count failed logins over both', () => {
    async function logIn(one: TestService, { email }: TestAccount, password: string): Promise<number> {
      return (await one.call('login', { body: { email, password }, ip: world.ip })).status;
    }

    it('and refuse the fourth at once on either, even with the right password', async () => {
      for (let failure = 0; failure < FAILURES_MAX; failure += 1) {
        expect(await logIn(failure % 2 === 0 ? service : replica, world.owner, 'a guess')).toBe(401);
      }
      for (const one of [service, replica]) {
        expect(await logIn(one, world.owner, world.owner.password)).toBe(429);
      }
    });

    it('and a right one forgets them for both', async () => {
      for (const [failing, succeeding] of [
        [service, replica],
        [replica, service],
      ] as const) {
        for (let failure = 1; failure < FAILURES_MAX; failure += 1) {
          expect(await logIn(failing, world.owner, 'a guess')).toBe(401);
        }
        expect(await logIn(succeeding, world.owner, world.owner.password)).toBe(200);
      }
    });

    it('and Redis gets to know nobody’s address', async () => {
      expect(await logIn(service, world.owner, 'a guess')).toBe(401);
      const names = await redis.ask((client) => client.keys(`${redis.address.keyPrefix}*`));
      expect(names.filter((name) => name.includes('rate:login:')).length).toBeGreaterThan(0);
      expect(names.filter((name) => name.includes('@'))).toEqual([]);
    });
  });
});

describe('a service whose Redis dies', () => {
  it('goes on, stays ready, and uses it again when it is back', async () => {
    const server = await RedisServer.start();
    const service = await TestService.start({ REDIS_URL: server.url });
    try {
      const world = await World.create(service);
      expect((await callAs('listModels', world, {})).status).toBe(200);
      await server.kill();
      const answers = await Promise.all(Array.from({ length: 20 }, () => callAs('listModels', world, {})));
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect((await service.call('getReadiness')).body).toMatchObject({
        status: 'ok',
        checks: [{ name: 'database' }, { name: 'process' }, { name: 'redis', status: 'unavailable' }],
      });
      await server.startAgain();
      await until('Redis is used again', async () => {
        expect((await callAs('listModels', world, {})).status).toBe(200);
        const { checks } = (await service.call('getReadiness')).body;
        return checks.find(({ name }) => name === 'redis')?.status === 'ok';
      });
    } finally {
      await service.stop();
      await server.kill();
    }
  });
});
