import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMBEDDED_EMBEDDING_MODEL } from '../../src/models/embedded-provider';
import { callAs } from '../support/api/call-as';
import { callersOf, expectFreeRate } from '../support/api/exact-rates';
import { TestService, type ApiAnswer, type ApiRequest, type OperationId } from '../support/api/service';
import { until } from '../support/until';
import { createAccount, World } from '../support/api/world';

const READ = 'listModels';
const WRITE = 'createMemory';
const LLM = 'createEmbedding';
const BODIES: Partial<Record<OperationId, () => object>> = {
  [WRITE]: () => ({ key: randomUUID(), value: 'v' }),
  [LLM]: () => ({ model: EMBEDDED_EMBEDDING_MODEL, input: 'tea' }),
};
/** The reference's numbers, and how fast calls may follow for no shorter window to refuse them. */
const TIERS = [
  ['free', 1, 'second', 0],
  ['free', 10, 'minute', 1000],
  ['free', 100, 'hour', 6000],
  ['free', 1000, 'day', 37_000],
  ['basic', 5, 'second', 0],
  ['basic', 100, 'minute', 200],
  ['pro', 20, 'second', 0],
  ['pro', 1000, 'minute', 50],
] as const;
const SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 };
const ANONYMOUS_A_MINUTE = 20;

describe('rate limits', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => service.stop());

  async function keyOfTier(tier: string): Promise<string> {
    return (await createAccount(service, { creditUsd: '10', tier })).key;
  }

  async function call(
    credential: string | undefined,
    operation: OperationId = READ,
    request: ApiRequest = {},
  ) {
    return service.call(operation, { ip: world.ip, body: BODIES[operation]?.(), credential, ...request });
  }

  /** The statuses of so many calls, with the same time between each and the next. */
  async function calls(credential: string, count: number, everyMs = 0, operation: OperationId = READ) {
    const counts: Record<string, number> = {};
    for (let index = 0; index < count; index += 1) {
      const { status } = await call(credential, operation);
      counts[status] = (counts[status] ?? 0) + 1;
      service.clock.advance(everyMs);
    }
    return counts;
  }

  describe('of a tier', () => {
    it.each(TIERS)('%s: %i calls a %s pass, and no more', async (tier, limit, window, everyMs) => {
      const key = await keyOfTier(tier);
      expect(await calls(key, limit, everyMs)).toEqual({ 200: limit });
      const { status, body } = await call(key);
      expect([status, body]).toMatchObject([429, { error: 'Rate limit exceeded', limit, window }]);
      // Large windows are counted in sixtieths: a call may count that much longer, never shorter.
      const leftSeconds = SECONDS[window] - (everyMs * limit) / 1000;
      expect(body.retry_after).toBeGreaterThanOrEqual(leftSeconds);
      expect(body.retry_after).toBeLessThanOrEqual(leftSeconds + (limit > 64 ? SECONDS[window] / 60 : 0));
      service.clock.advance(body.retry_after * 1000 - 1000);
      expect((await call(key)).status).toBe(429);
      service.clock.advance(1000);
      expect((await call(key)).status).toBe(200);
    });

    it('enterprise: nothing is limited until an admin sets numbers', async () => {
      const key = await keyOfTier('enterprise');
      expect(await calls(key, 200)).toEqual({ 200: 200 });
      expect(rateHeaders(await call(key))).toEqual({});
    });
  });

  describe('of a class of operations', () => {
    it('are shares of the tier: Pro has 20 calls a second, 10 of them writes, 4 of them LLM calls', async () => {
      const key = await keyOfTier('pro');
      expect(await calls(key, 4, 0, LLM)).toEqual({ 200: 4 });
      expect((await call(key, LLM)).body).toMatchObject({ limit: 4, window: 'second', retry_after: 1 });
      expect(await calls(key, 10, 0, WRITE)).toEqual({ 201: 10 });
      expect((await call(key, WRITE)).body).toMatchObject({ limit: 10, window: 'second' });
      expect(await calls(key, 6)).toEqual({ 200: 6 });
      expect((await call(key)).body).toMatchObject({ limit: 20, window: 'second' });
    });

    it('below one a second mean one per its inverse: Free has one LLM call per 5 seconds', async () => {
      const key = await keyOfTier('free');
      const first = await call(key, LLM);
      expect([first.status, first.headers]).toMatchObject([
        200,
        { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-window': '5' },
      ]);
      service.clock.advance(4999);
      const { status, body } = await call(key, LLM);
      expect([status, body]).toMatchObject([429, { limit: 1, window: '5s', retry_after: 1 }]);
      service.clock.advance(1);
      expect((await call(key, LLM)).status).toBe(200);
    });

    it('hold for account tokens too, as their account limits say, and leave the reads their room', async () => {
      const { token } = await createAccount(service, { creditUsd: '0', tier: 'pro' });
      const create = () => call(token, 'createKey', { body: { name: 'one more' } });
      const limits = await service.call('getAccountLimits', { credential: token, ip: world.ip });
      const writes = limits.body.categories.find(({ category }) => category === 'write');
      const allowed = writes?.requests_per_second ?? 0;
      for (let count = 0; count < allowed; count += 1) {
        expect((await create()).status).toBe(201);
      }
      const { status, body } = await create();
      expect([allowed, status, body]).toMatchObject([10, 429, { limit: 10, window: 'second' }]);
      expect((await call(token, 'listKeys')).body).toHaveLength(1 + allowed);
      expect(await calls(token, 9, 0, 'getCurrentUser')).toEqual({ 200: 8, 429: 1 });
    });

    it('leave the other classes their room', async () => {
      const key = await keyOfTier('free');
      expect((await call(key, LLM)).status).toBe(200);
      service.clock.advance(1000);
      expect((await call(key, WRITE)).status).toBe(201);
      service.clock.advance(1000);
      expect([(await call(key)).status, (await call(key, LLM)).status]).toEqual([200, 429]);
      service.clock.advance(1000);
      expect((await call(key, WRITE)).status).toBe(201);
    });
  });

  describe('are counted', () => {
    it('for an account over all of its keys and tokens: nine keys and three tokens have the rate of one', async () => {
      const account = await createAccount(service, { creditUsd: '0', tier: 'free' });
      await expectFreeRate(await callersOf([service], account, world.ip), (ms) => service.clock.advance(ms));
    });

    it('for an account and no other, and for its class too, and say so in the headers of each', async () => {
      await world.setRates(world.owner, { requests_per_minute: 20 });
      const created = await call(world.owner.token, 'createKey', { body: { name: 'other' } });
      const other = (created.body as { key_value?: string }).key_value ?? '';
      const shown = async (credential: string, operation?: OperationId) => {
        const { status, headers: told } = await call(credential, operation);
        return [status, told['x-ratelimit-limit'], told['x-ratelimit-remaining']];
      };
      const before = rateHeaders(created)['x-ratelimit-remaining'];
      expect([before, await shown(other, LLM), await shown(world.owner.key, LLM)]).toEqual([
        '9',
        [200, '4', '3'],
        [200, '4', '2'],
      ]);
      expect(await shown(other, WRITE)).toEqual([201, '10', '8']);
      expect(await shown(world.owner.token, 'getCurrentUser')).toEqual([200, '20', '15']);
      expect(await calls(other, 16)).toEqual({ 200: 15, 429: 1 });
      expect((await call(world.owner.token, 'listKeys')).status).toBe(429);
      expect(await calls(world.stranger.key, 3)).toEqual({ 200: 3 });
    });

    it('for both secrets of a rotated key together', async () => {
      await world.setRates(world.owner, { requests_per_minute: 5 });
      // The rotation is a call of the account as well.
      const request = { params: { key_id: world.owner.keyId }, body: { overlap_seconds: 60 } };
      const rotated = await callAs('rotateKey', world, request);
      expect(await calls(world.owner.key, 2)).toEqual({ 200: 2 });
      expect(await calls(rotated.body.key_value, 3)).toEqual({ 200: 2, 429: 1 });
    });

    it('for every call that was let through, whatever became of it, and for none that was not', async () => {
      await world.setRates(world.owner, { requests_per_minute: 5 });
      const statuses = [
        await call(world.owner.key, WRITE, { body: {} }),
        await call(world.owner.key, 'getMemory', { params: { memory_id: 'none' } }),
        await call(world.owner.key),
      ].map((answer) => answer.status);
      expect(statuses).toEqual([400, 404, 200]);
      service.clock.advance(30_000);
      expect(await calls(world.owner.key, 50)).toEqual({ 200: 2, 429: 48 });
      service.clock.advance(30_000);
      expect(await calls(world.owner.key, 4)).toEqual({ 200: 3, 429: 1 });
    });

    it('right when calls race', async () => {
      const key = await keyOfTier('pro');
      const answers = await Promise.all(Array.from({ length: 60 }, () => call(key)));
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(20);
      expect(answers.filter((answer) => answer.status === 429)).toHaveLength(40);
    });
  });

  describe('per address', () => {
    const spend = async (ip: string) => {
      for (let count = 0; count < ANONYMOUS_A_MINUTE; count += 1) {
        expect((await call(undefined, READ, { ip })).status).toBe(401);
      }
    };

    it('hold everybody whose credential stands for nobody, together', async () => {
      const { owner, ip } = world;
      const kinds: [string | undefined, OperationId, number][] = [
        [undefined, READ, 401],
        ['svc_test_unknown', READ, 401],
        [owner.token, READ, 401],
        [undefined, 'getCurrentUser', 401],
        [owner.key, 'getCurrentUser', 401],
      ];
      for (let round = 0; round < 4; round += 1) {
        for (const [credential, operation, status] of kinds) {
          expect((await call(credential, operation)).status).toBe(status);
        }
      }
      for (const [credential, operation] of kinds) {
        const refused = await call(credential, operation);
        expect([refused.status, refused.body]).toMatchObject([
          429,
          { limit: ANONYMOUS_A_MINUTE, window: 'minute' },
        ]);
      }
      const login = { body: { email: owner.email, password: owner.password } };
      // Who shows wrong keys keeps nobody at his address from logging in: logins and registrations have a count of their own.
      expect((await call(undefined, 'login', login)).status).toBe(200);
      for (let count = 1; count < ANONYMOUS_A_MINUTE; count += 1) {
        expect((await call(undefined, 'login', { body: {} })).status).toBe(400);
      }
      expect((await call(undefined, 'login', login)).status).toBe(429);
      expect((await call(undefined, 'login', { ...login, ip: `${ip}1`.slice(-11) })).status).toBe(200);
      service.clock.advance(60_000);
      expect((await call(undefined, 'login', login)).status).toBe(200);
    });

    it('leave whoever shows a good credential alone', async () => {
      await spend(world.ip);
      expect((await call(world.owner.key)).status).toBe(200);
      expect((await call(world.owner.token, 'getCurrentUser')).status).toBe(200);
      expect((await call('svc_test_unknown')).status).toBe(429);
    });

    it('hold the addresses of one IPv6 customer together, and another customer apart', async () => {
      await spend('2001:db8:1:2::1');
      expect((await call(undefined, READ, { ip: '2001:DB8:1:2:ffff:ffff:ffff:ffff' })).status).toBe(429);
      expect((await call(undefined, READ, { ip: '2001:db8:1:2::' })).status).toBe(429);
      expect((await call(undefined, READ, { ip: '2001:db8:1:3::1' })).status).toBe(401);
    });

    it('know an IPv4 address in its IPv6 form', async () => {
      await spend('203.0.113.7');
      expect((await call(undefined, READ, { ip: '::ffff:203.0.113.7' })).status).toBe(429);
      expect((await call(undefined, READ, { ip: '::ffff:203.0.113.8' })).status).toBe(401);
    });

    it('believe no X-Forwarded-For of a stranger', async () => {
      for (let count = 0; count < ANONYMOUS_A_MINUTE; count += 1) {
        await call(undefined, READ, { headers: { 'x-forwarded-for': `198.51.100.${count}` } });
      }
      expect((await call(undefined, READ, { headers: { 'x-forwarded-for': '198.51.100.99' } })).status).toBe(
        429,
      );
    });

    it('do not touch the health operations, which show no rate headers', async () => {
      await spend(world.ip);
      for (const operation of ['getLiveness', 'getReadiness', 'getHubHealth'] as const) {
        for (let count = 0; count <= ANONYMOUS_A_MINUTE; count += 1) {
          const answer = await call(undefined, operation);
          expect([answer.status, rateHeaders(answer)]).toEqual([200, {}]);
        }
      }
      expect((await call(undefined)).status).toBe(429);
    });
  });

  describe('in headers', () => {
    it('show the window with the least room left', async () => {
      await world.setRates(world.owner, { requests_per_second: 3, requests_per_minute: 4 });
      const now = service.clock.now().getTime() / 1000;
      const shown: unknown[] = [];
      for (let count = 0; count < 2; count += 1) {
        shown.push(rateHeaders(await call(world.owner.key)));
      }
      service.clock.advance(1000);
      shown.push(rateHeaders(await call(world.owner.key)));
      expect(shown).toEqual([
        headers({ limit: 3, remaining: 2, reset: Math.ceil(now + 1), window: 1 }),
        headers({ limit: 3, remaining: 1, reset: Math.ceil(now + 1), window: 1 }),
        headers({ limit: 4, remaining: 1, reset: Math.ceil(now + 60), window: 60 }),
      ]);
    });

    it('come with every answer, refusals too, and on 429 with the time to wait', async () => {
      await world.setRates(world.owner, { requests_per_minute: 3 });
      const answers = [
        await call(world.owner.key, WRITE),
        await call(world.owner.key, WRITE, { body: {} }),
        await call(undefined),
        await call(world.owner.key),
        await call(world.owner.key),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([201, 400, 401, 200, 429]);
      for (const answer of answers) {
        expect(Object.keys(rateHeaders(answer))).toHaveLength(4);
        expect('retry-after' in answer.headers).toBe(answer.status === 429);
      }
      expect(answers[4]?.headers).toMatchObject({ 'retry-after': '60', 'x-ratelimit-remaining': '0' });
      expect(answers[4]?.body.retry_after).toBe(60);
    });
  });

  describe('when an admin changes them', () => {
    const change = async (userId: string, body: object, from = service) => {
      const answer = await from.call('updateUser', {
        credential: world.admin.token,
        params: { user_id: userId },
        body,
      });
      expect(answer.status).toBe(200);
    };

    it('are in force at once: a call that was refused passes after the upgrade', async () => {
      const account = await createAccount(service, { creditUsd: '1', tier: 'free' });
      expect(await calls(account.key, 3)).toEqual({ 200: 1, 429: 2 });
      expect((await call(account.token, 'getCurrentUser')).status).toBe(429);
      await change(account.id, { tier: 'pro' });
      expect(await calls(account.key, 10)).toEqual({ 200: 10 });
      expect(await calls(account.token, 10, 0, 'getCurrentUser')).toEqual({ 200: 9, 429: 1 });
    });

    it('count what was called before: a downgrade opens nothing', async () => {
      const account = await createAccount(service, { creditUsd: '1', tier: 'pro' });
      expect(await calls(account.key, 12, 1000)).toEqual({ 200: 12 });
      await change(account.id, { tier: 'free' });
      expect((await call(account.key)).body).toMatchObject({ limit: 10, window: 'minute' });
    });

    it('are what was set for an enterprise account, and its classes their shares', async () => {
      const { id, key } = world.owner;
      await change(id, { rate_limits: { requests_per_second: 10, requests_per_minute: null } });
      expect(await calls(key, 3, 0, LLM)).toEqual({ 200: 2, 429: 1 });
      expect(await calls(key, 6, 0, WRITE)).toEqual({ 201: 5, 429: 1 });
      expect(await calls(key, 4)).toEqual({ 200: 3, 429: 1 });
      await change(id, { rate_limits: { requests_per_second: 11 } });
      expect(await calls(key, 2)).toEqual({ 200: 1, 429: 1 });
      await change(id, { rate_limits: null });
      expect(await calls(key, 50)).toEqual({ 200: 50 });
    });

    it('are heard by the other replicas', async () => {
      const replica = await service.startReplica();
      try {
        const { id, key } = await createAccount(service, { creditUsd: '1', tier: 'enterprise' });
        expect((await replica.call(READ, { credential: key })).status).toBe(200);
        await change(id, { tier: 'free' });
        await until('the other replica has heard of it', async () => {
          return (await replica.call(READ, { credential: key })).status === 429;
        });
      } finally {
        await replica.stop();
      }
    });
  });

  it("are the operator's where he keeps a file of tiers", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rate-tiers-'));
    const path = join(folder, 'tiers.json');
    await writeFile(path, JSON.stringify({ free: { requests_per_second: 3, requests_per_minute: null } }));
    const own = await TestService.start({ RATE_TIERS_FILE: path });
    try {
      const { key } = await createAccount(own, { creditUsd: '0', tier: 'free' });
      const statuses: number[] = [];
      for (let count = 0; count < 4; count += 1) {
        statuses.push((await own.call(READ, { credential: key })).status);
      }
      expect(statuses).toEqual([200, 200, 200, 429]);
    } finally {
      await own.stop();
      await rm(folder, { recursive: true });
    }
  });
});

function rateHeaders({ headers: all }: ApiAnswer): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith('x-ratelimit-')));
}

function headers(room: Record<'limit' | 'remaining' | 'reset' | 'window', number>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(room).map(([name, value]) => [`x-ratelimit-${name}`, String(value)]),
  );
}
