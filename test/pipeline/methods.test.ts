import type { InjectOptions } from 'fastify';
import { TestService } from '../support/api/service';
import { GreetingsModule, documentGreetings } from '../support/api/greetings.module';
import { World } from '../support/api/world';
import { RawConnection } from '../support/api/raw-connection';

const PRICE_NANO_USD = 100_000n;

documentGreetings();

describe('the methods of a path', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start({}, undefined, [GreetingsModule]);
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => service.stop());

  const send = (request: InjectOptions) => service.app.inject({ remoteAddress: world.ip, ...request });
  const credentials = () => ({
    'x-api-key': world.owner.key,
    authorization: `Bearer ${world.owner.token}`,
  });

  describe('HEAD', () => {
    it.each([
      ['a free operation', '/v1/models'],
      ['a priced operation', '/api/hub/memory/stats'],
      ['an operation of account tokens', '/api/keys'],
      ['health', '/health/live'],
      ['a refusal', '/api/hub/memory/unknown'],
      ['the document', '/openapi.json'],
    ])('has the headers of GET and no body: %s', async (_, url) => {
      const get = await send({ method: 'GET', url, headers: credentials() });
      const head = await send({ method: 'HEAD', url, headers: credentials() });
      expect([head.statusCode, head.body]).toEqual([get.statusCode, '']);
      const names = Object.keys(get.headers).sort();
      expect(Object.keys(head.headers).sort()).toEqual(names);
      for (const name of ['content-type', 'content-length', 'x-request-cost', 'x-ratelimit-limit']) {
        expect(head.headers[name]).toBe(get.headers[name]);
      }
    });

    it('costs what GET costs, and leaves a receipt', async () => {
      const url = '/api/hub/memory/stats';
      const head = await send({ method: 'HEAD', url, headers: credentials() });
      expect([head.statusCode, head.headers['x-request-cost']]).toEqual([200, '0.0001']);
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n - PRICE_NANO_USD);
      const receipt = await send({
        url: `/api/monitoring/requests/${String(head.headers['x-request-id'])}`,
        headers: credentials(),
      });
      expect(receipt.json()).toMatchObject({ operation: 'getMemoryStats', status: 200 });
    });

    it('passes the same steps: 401 without a credential, 429 beyond the rate, and nothing is charged', async () => {
      const url = '/api/hub/memory/stats';
      expect((await send({ method: 'HEAD', url })).statusCode).toBe(401);
      await world.setRates(world.owner, { requests_per_minute: 1 });
      const statuses: number[] = [];
      for (let count = 0; count < 2; count += 1) {
        statuses.push((await send({ method: 'HEAD', url, headers: credentials() })).statusCode);
      }
      expect(statuses).toEqual([200, 429]);
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n - PRICE_NANO_USD);
    });

    it.each([
      ['/v1/models', 200],
      ['/api/unknown', 404],
      ['/api/auth/login', 405],
    ])('leaves its connection ready for the next request: %s', async (path, status) => {
      const client = await RawConnection.open(service);
      const key = { 'x-api-key': world.owner.key };
      client.sendHead('HEAD', path, key);
      const head = await client.answer(false);
      expect([head.status, Number(head.headers['content-length']) > 0]).toEqual([status, true]);
      client.sendHead('GET', '/v1/models', key);
      expect(await client.answer()).toMatchObject({ status: 200 });
      client.close();
    });
  });

  describe('any other than it has', () => {
    it.each([
      ['POST', '/api/pricing', 'GET, HEAD, OPTIONS'],
      ['PATCH', '/api/keys', 'GET, HEAD, POST, OPTIONS'],
      ['HEAD', '/api/auth/login', 'POST, OPTIONS'],
      ['GET', '/api/auth/login?next=/', 'POST, OPTIONS'],
      ['POST', '/api/keys/some-id', 'PUT, DELETE, OPTIONS'],
      ['GET', '/api/keys/some-id/revoke/', 'POST, OPTIONS'],
      ['PROPFIND', '/api/keys', 'GET, HEAD, POST, OPTIONS'],
      ['DELETE', '/openapi.json', 'GET, HEAD, OPTIONS'],
      ['PUT', '/health/live', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/own/numbers/7', 'GET, HEAD, OPTIONS'],
    ] as const)('is 405 and told by Allow: %s %s', async (method, url, allow) => {
      const answer = await send({ method, url, headers: credentials() });
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow]);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      if (method !== 'HEAD') {
        expect(answer.json()).toEqual({
          error: 'Method Not Allowed',
          message: expect.stringContaining(allow),
          request_id: answer.headers['x-request-id'],
          timestamp: service.clock.now().toISOString(),
        });
      }
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    });

    it.each(['/api/unknown', '/api/keys//limits', '/api/keys/a/b/c', '/', '/API/pricing'])(
      'stays 404 where the path is none: %s',
      async (url) => {
        const answer = await send({ method: 'PUT', url, headers: credentials() });
        expect([answer.statusCode, answer.headers.allow]).toEqual([404, undefined]);
      },
    );
  });

  describe('OPTIONS', () => {
    it.each([
      ['/api/pricing', 'GET, HEAD, OPTIONS', 'GET, POST, PUT, DELETE, OPTIONS'],
      ['/own/patched', 'PATCH, OPTIONS', 'GET, POST, PUT, DELETE, OPTIONS, PATCH'],
      ['/api/unknown', undefined, 'GET, POST, PUT, DELETE, OPTIONS'],
    ])('names them, and a preflight permits every one: %s', async (url, allow, permitted) => {
      const answer = await send({ method: 'OPTIONS', url });
      expect(answer.statusCode).toBe(204);
      expect([answer.headers.allow, answer.headers['access-control-allow-methods']]).toEqual([
        allow,
        permitted,
      ]);
    });
  });
});
