import { AccountDatabases } from '../../src/database/account-databases';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import document from '../../generated/openapi.json';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';

const MEMORY = { method: 'POST', url: '/api/hub/memory' } as const;
const JSON_TYPE = { 'content-type': 'application/json' };

const OWN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('the conventions of every answer', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => service.stop());

  const send = (request: InjectOptions) => service.app.inject({ remoteAddress: world.ip, ...request });
  const withKey = (request: InjectOptions) =>
    send({ ...request, headers: { 'x-api-key': world.owner.key, ...request.headers } });
  const withToken = (request: InjectOptions) =>
    send({ ...request, headers: { authorization: `Bearer ${world.owner.token}`, ...request.headers } });

  describe('CORS', () => {
    it('answers a preflight with the methods and headers of the reference, without a credential', async () => {
      const answer = await send({
        method: 'OPTIONS',
        url: MEMORY.url,
        headers: {
          origin: 'https://shop.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-api-key, content-type',
        },
      });
      expect([answer.statusCode, answer.body]).toEqual([204, '']);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(listOf(answer, 'access-control-allow-methods')).toEqual([
        'GET',
        'POST',
        'PUT',
        'DELETE',
        'OPTIONS',
      ]);
      expect(listOf(answer, 'access-control-allow-headers')).toEqual(
        // Libraries in a page send headers of their own, which only the wildcard covers.
        expect.arrayContaining(['Content-Type', 'Authorization', 'X-API-Key', '*']),
      );
    });

    it('answers a plain OPTIONS alike', async () => {
      const answer = await send({ method: 'OPTIONS', url: MEMORY.url });
      expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([204, '*']);
    });

    it('lets a page read answers, errors and the headers that the reference names', async () => {
      const origin = { origin: 'https://shop.example' };
      for (const answer of [
        await withKey({ url: '/api/pricing', headers: origin }),
        await send({ url: '/api/pricing', headers: origin }),
        await send({ url: '/api/unknown', headers: origin }),
      ]) {
        expect(answer.headers['access-control-allow-origin']).toBe('*');
        expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
        expect(listOf(answer, 'access-control-expose-headers')).toEqual(
          expect.arrayContaining([
            'X-Request-Cost',
            'X-Tokens-Used',
            'X-Balance-Remaining',
            'X-RateLimit-Limit',
            'X-RateLimit-Remaining',
            'X-RateLimit-Reset',
            'X-RateLimit-Window',
            'Retry-After',
            'X-Request-Id',
          ]),
        );
      }
    });
  });

  describe('request ids and version', () => {
    it.each([
      ['the shortest', 'abcdefgh'],
      ['a UUID', '0192f0c4-9c88-7e3f-a1d2-7b5c3e9f6d05'],
      ["a client's own", 'checkout:2026-01-15T12.00_7'],
      ['the longest', 'i'.repeat(128)],
    ])('keeps %s beside its own, and finds the receipt by either', async (_, id) => {
      const headers = { 'x-request-id': id };
      const answer = await withKey({ ...MEMORY, headers, payload: { key: 'k', value: 'v' } });
      const own = String(answer.headers['x-request-id']);
      expect(own).toMatch(OWN_ID);
      expect(own).not.toBe(id);
      expect(answer.json()).toMatchObject({ metadata: { request_id: own } });
      const receipts = await Promise.all(
        [own, id].map((known) => withToken({ url: `/api/monitoring/requests/${known}` })),
      );
      const list = await withToken({ url: '/api/payments/transactions?limit=1' });
      expect([...receipts.map((receipt) => receipt.json<object>()), list.json()]).toMatchObject([
        { request_id: own, client_request_id: id },
        { request_id: own, client_request_id: id },
        { transactions: [{ request_id: own }] },
      ]);
    });

    it.each([
      ['an empty one', ''],
      ['a short one', 'abcdefg'],
      ['a long one', 'i'.repeat(129)],
      ['spaces', 'a request of mine'],
      ['markup', '<script>alert(1)</script>'],
      ['a path', '../../../etc/passwd'],
      ['a second id', 'abcdefgh, ijklmnop'],
      ['what is not ASCII', 'anfrage-größer'],
    ])('keeps nothing of %s', async (_, id) => {
      const headers = { 'x-request-id': id };
      const answer = await withKey({ ...MEMORY, headers, payload: { key: 'k', value: 'v' } });
      const own = String(answer.headers['x-request-id']);
      expect(own).toMatch(OWN_ID);
      const receipt = await withToken({ url: `/api/monitoring/requests/${own}` });
      expect(receipt.json()).toMatchObject({ request_id: own, client_request_id: null });
    });

    it('gives every call an id of its own', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => send({ url: '/health/live' })));
      expect(new Set(answers.map((answer) => answer.headers['x-request-id'])).size).toBe(20);
    });

    it.each([
      '/health/live',
      '/api/pricing',
      '/api/unknown',
      '/openapi.json',
      '/docs',
      '/api/%E0%A4%A',
      '/%',
    ])('are told for %s too', async (url) => {
      const { headers } = await send({ url });
      expect([headers['x-api-version'], typeof headers['x-request-id']]).toEqual(['1.0', 'string']);
    });
  });

  describe('the headers by which browsers guard an answer', () => {
    const GUARDED = {
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    };
    /** Of a header's directives, by name. */
    const policyOf = ({ headers }: LightMyRequestResponse): Record<string, string[]> =>
      Object.fromEntries(
        String(headers['content-security-policy'])
          .split('; ')
          .map((directive) => directive.split(' '))
          .map(([name = '', ...sources]): [string, string[]] => [name, sources]),
      );

    it('forbid an answer, an error and a preflight everything that a page may do, and to be kept', async () => {
      for (const answer of [
        await withKey({ url: '/api/pricing' }),
        await withKey({ url: '/api/unknown' }),
        await send({ url: '/api/pricing' }),
        await send({ url: '/%' }),
        await send({ url: '/docs/nothing' }),
        await send({ method: 'OPTIONS', url: MEMORY.url }),
        await withKey({ ...MEMORY, headers: JSON_TYPE, payload: '{' }),
      ]) {
        expect(answer.headers).toMatchObject({ ...GUARDED, 'cache-control': 'no-store' });
        expect(policyOf(answer)).toEqual({
          'default-src': ["'none'"],
          'frame-ancestors': ["'none'"],
          'base-uri': ["'none'"],
          'form-action': ["'none'"],
        });
      }
    });

    it('let Swagger UI load what it is made of, from here alone, and in no frame', async () => {
      for (const url of ['/docs', '/docs/', '/docs/swagger-ui-init.js']) {
        for (const answer of [await send({ url }), await send({ url })]) {
          expect([answer.statusCode, answer.headers]).toMatchObject([200, GUARDED]);
          const policy = policyOf(answer);
          expect(policy).toMatchObject({
            'default-src': ["'none'"],
            'script-src': ["'self'"],
            'connect-src': ["'self'"],
            'frame-ancestors': ["'none'"],
          });
        }
      }
      const { body } = await send({ url: '/docs' });
      // What the policy would refuse must not be in the page: scripts without a file, and files of other origins.
      expect(body.match(/<script(?![^>]*\ssrc=)/g)).toBeNull();
      const sources = [...body.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, source = '']) => source);
      expect(sources.length).toBeGreaterThan(3);
      expect(
        sources.filter((source) => !/^(?:#|\.?\/|[\w-]+[./])/.test(source) || source.includes('//')),
      ).toEqual([]);
    });
  });

  describe('paths and methods', () => {
    it.each([
      ['an unknown path', 'GET', '/api/unknown'],
      ['no path', 'GET', '/'],
      ['a version to come', 'GET', '/v2/models'],
      ['another case', 'GET', '/API/pricing'],
      ['a way out of the documentation', 'GET', '/docs/../package.json'],
      ['an encoded way out', 'GET', '/docs/%2e%2e/package.json'],
      ['an encoding that is none', 'GET', '/api/keys/%E0%A4%A/limits'],
      ['an endless id', 'GET', `/api/hub/memory/${'m'.repeat(10_000)}`],
    ] as const)('answers %s with 404 and our error body', async (_, method, url) => {
      const answer = await withKey({ method, url });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([
        404,
        'application/json; charset=utf-8',
      ]);
      expect(answer.json()).toEqual({
        error: 'Not Found',
        message: expect.any(String),
        request_id: answer.headers['x-request-id'],
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
    });

    it('takes a trailing slash for none', async () => {
      const plain = await withKey({ url: '/api/pricing' });
      const slashed = await withKey({ url: '/api/pricing/' });
      expect([slashed.statusCode, slashed.body]).toEqual([200, plain.body]);
      expect((await send({ url: '/api/pricing/' })).statusCode).toBe(401);
    });

    it('refuses a path with a NUL as the unknown id that it is', async () => {
      const answer = await withKey({ url: '/api/hub/memory/%00' });
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { error: 'Not Found' }]);
    });
  });

  describe('queries', () => {
    it.each([
      'limit=1&limit=2',
      'order=asc&order=desc',
      'start_date=2026-01-01&start_date=2026-01-02',
      'limit=',
      'limit=%00',
      'limit[]=1',
      '__proto__=1',
    ])('refuses %s', async (query) => {
      const answer = await withToken({ url: `/api/payments/transactions?${query}` });
      expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: 'Validation error' }]);
    });
  });

  describe('the document', () => {
    it('is served as it was generated, but for the address of the service', async () => {
      const answer = await send({ url: '/openapi.json' });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      const served = answer.json<typeof document>();
      expect(served).toEqual({ ...document, servers: served.servers });
      expect(served.servers).toMatchObject([{ url: '/' }]);
    });

    it('can be tried in the browser', async () => {
      const page = await send({ url: '/docs' });
      expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html']);
      const files = [...page.body.matchAll(/(?:src|href)="\.(\/docs\/[^"]+)"/g)].map(
        ([, path]) => path ?? '',
      );
      expect(files.map((file) => file.split('?')[0])).toEqual(
        expect.arrayContaining(['/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css']),
      );
      for (const url of files) {
        expect((await send({ url })).statusCode).toBe(200);
      }
    });
  });

  describe('errors', () => {
    it('tell neither stack nor SQL nor table when the database fails in the middle of a call', async () => {
      const database = service.app.get(AccountDatabases).of(world.owner.id);
      await database.query('ALTER TABLE memories RENAME TO mislaid');
      const answer = await withKey({ ...MEMORY, payload: { key: 'k', value: 'v' } }).finally(() =>
        database.query('ALTER TABLE mislaid RENAME TO memories'),
      );
      expect(answer.statusCode).toBe(500);
      expect(Object.keys(answer.json<object>()).sort()).toEqual([
        'error',
        'message',
        'request_id',
        'timestamp',
      ]);
      expect(answer.body).not.toMatch(/memories|relation|insert|postgres|\.ts|\.js|node_modules| at /i);
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    });

    it('never repeat a secret that the caller sent', async () => {
      const secret = 'Tr0ub4dor-and-3-secret';
      const { email } = world.owner;
      const newPassword = { current_password: secret, new_password: 'short' };
      const answers = [
        await send({ url: '/api/pricing', headers: { 'x-api-key': `svc_test_${secret}` } }),
        await send({ url: '/api/pricing', headers: { authorization: `Bearer ${secret}` } }),
        await send({ url: '/api/keys', headers: { authorization: `Bearer ${secret}` } }),
        await send({ url: `/api/unknown?token=${secret}` }),
        await send({ method: 'POST', url: '/api/auth/login', payload: { email, password: secret } }),
        await send({ method: 'POST', url: '/api/auth/login', payload: { email: secret, password: secret } }),
        await send({ method: 'POST', url: '/api/auth/login', payload: { email, password: [secret] } }),
        await send({
          method: 'POST',
          url: '/api/auth/register',
          payload: { email, username: '', password: secret },
        }),
        await withToken({ method: 'POST', url: '/api/auth/change-password', payload: newPassword }),
        await withToken({ url: `/api/payments/transactions?sort=${secret}` }),
        await withKey({ ...MEMORY, headers: JSON_TYPE, payload: `{"value":"${secret}` }),
        await withKey({ ...MEMORY, payload: { key: { secret }, value: secret } }),
      ];
      for (const answer of answers) {
        expect(answer.statusCode).toBeGreaterThanOrEqual(400);
        expect(answer.statusCode).toBeLessThan(500);
        expect(answer.body).not.toContain(secret);
      }
    });

    it('of every kind have the same four members', async () => {
      await world.setRates(world.stranger, { requests_per_day: 0.001 });
      const limited = { url: '/api/pricing', headers: { 'x-api-key': world.stranger.key } };
      await send(limited);
      const answers = [
        await withKey({ ...MEMORY, payload: {} }),
        await send(MEMORY),
        await withToken({ url: '/api/admin/users' }),
        await withToken({ url: '/api/payments/transactions/unknown' }),
        await withToken({ url: '/api/monitoring/usage?start_date=9999-12-31' }),
        await send(limited),
      ];
      expect(answers.map((answer) => answer.statusCode)).toEqual([400, 401, 403, 404, 422, 429]);
      for (const answer of answers) {
        expect(answer.json()).toMatchObject({
          error: expect.stringMatching(/\w/),
          message: expect.stringMatching(/\w/),
          request_id: answer.headers['x-request-id'],
          timestamp: service.clock.now().toISOString(),
        });
      }
    });
  });
});

function listOf(answer: LightMyRequestResponse, header: string): string[] {
  return String(answer.headers[header]).split(/, ?/);
}
