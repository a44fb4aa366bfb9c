import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';

/** Fewer than by default, because preflights have 300 times as many. */
const ANONYMOUS_A_MINUTE = 5;
const PREFLIGHTS_A_MINUTE = 300 * ANONYMOUS_A_MINUTE;
const PREFLIGHT: InjectOptions = {
  method: 'OPTIONS',
  url: '/api/hub/memory',
  headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
};

describe('requests that no route answers', () => {
  let service: TestService;
  let world: World;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'unrouted-'));
    const path = join(folder, 'tiers.json');
    await writeFile(path, JSON.stringify({ anonymous: { requests_per_minute: ANONYMOUS_A_MINUTE } }));
    service = await TestService.start({ RATE_TIERS_FILE: path });
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const send = (request: InjectOptions, ip = world.ip) =>
    service.app.inject({ remoteAddress: ip, ...request });

  /** Whatever has the rate of an address without one, each in turn. */
  const UNROUTED: [number, InjectOptions][] = [
    [404, { method: 'GET', url: '/api/unknown' }],
    [405, { method: 'PATCH', url: '/api/keys' }],
    [404, { method: 'GET', url: '/%zz' }],
    [404, { method: 'GET', url: `/api/hub/memory/${'m'.repeat(1_000)}` }],
    [404, { method: 'POST', url: '/', payload: { key: 'k' } }],
  ];

  it('are refused beyond what an address may call without a credential, of whatever kind they are', async () => {
    for (let count = 0; count < ANONYMOUS_A_MINUTE; count += 1) {
      const [status, request] = UNROUTED[count % UNROUTED.length] ?? [404, {}];
      const answer = await send(request);
      expect([answer.statusCode, answer.headers['x-ratelimit-remaining']]).toEqual([
        status,
        String(ANONYMOUS_A_MINUTE - 1 - count),
      ]);
    }
    for (const [, request] of UNROUTED) {
      const answer = await send({ ...request, headers: { 'x-api-key': world.owner.key } });
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '60']);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'x-ratelimit-limit': String(ANONYMOUS_A_MINUTE),
        'x-api-version': '1.0',
      });
      expect(answer.json()).toEqual({
        error: 'Rate limit exceeded',
        message: expect.stringContaining(`${ANONYMOUS_A_MINUTE} calls per 1 minute`),
        request_id: answer.headers['x-request-id'],
        timestamp: service.clock.now().toISOString(),
        retry_after: 60,
        limit: ANONYMOUS_A_MINUTE,
        window: 'minute',
      });
    }
    expect((await send({ url: '/api/unknown' }, '192.0.2.200')).statusCode).toBe(404);
    service.clock.advance(60_000);
    expect((await send({ url: '/api/unknown' })).statusCode).toBe(404);
  });

  it('are told no more than the beginning of a long path', async () => {
    const { message } = (await send({ url: `/api/${'u'.repeat(10_000)}?a=b` })).json<{ message: string }>();
    expect(message).toBe(`No such route: GET /api/${'u'.repeat(195)}….`);
  });

  it('leave calls, preflights and health alone, and calls leave them alone', async () => {
    for (let count = 0; count < ANONYMOUS_A_MINUTE; count += 1) {
      await send({ url: '/api/unknown' });
    }
    const statuses = [
      await send({ url: '/v1/models', headers: { 'x-api-key': world.owner.key } }),
      await send({ url: '/v1/models' }),
      await send(PREFLIGHT),
      await send({ url: '/health/live' }),
      await send({ url: '/health/ready' }),
    ].map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([200, 401, 204, 200, 200]);
    for (let count = 0; count < ANONYMOUS_A_MINUTE; count += 1) {
      await send({ url: '/v1/models' }, '192.0.2.201');
    }
    expect((await send({ url: '/v1/models' }, '192.0.2.201')).statusCode).toBe(429);
    expect((await send({ url: '/api/unknown' }, '192.0.2.201')).statusCode).toBe(404);
  });

  it('have room for the preflights of a whole office, and no more', async () => {
    let permitted = 0;
    for (let count = 0; count < PREFLIGHTS_A_MINUTE; count += 1) {
      permitted += (await send(PREFLIGHT)).statusCode === 204 ? 1 : 0;
    }
    expect(permitted).toBe(PREFLIGHTS_A_MINUTE);
    const refused = await send(PREFLIGHT);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      429,
      { error: 'Rate limit exceeded', limit: PREFLIGHTS_A_MINUTE, window: 'minute' },
    ]);
    expect((await send({ url: '/api/unknown' })).statusCode).toBe(404);
  });
});
