import type { LightMyRequestResponse } from 'fastify';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';

const DOCUMENT = '/openapi.json';
const PAGE = ['/docs', '/docs/', '/docs/index.html', '/docs/swagger-ui-init.js'];
const FILES = [
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
  '/docs/swagger-ui-standalone-preset.js',
  '/docs/favicon-16x16.png',
  '/docs/favicon-32x32.png',
];
const DOCUMENTS_A_MINUTE = 60;

describe('the documentation', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => service.stop());

  const get = (url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
    service.app.inject({ url, headers, remoteAddress: world.ip });

  it.each([DOCUMENT, ...PAGE, ...FILES])('%s is sent once, and then only confirmed', async (url) => {
    const head = await service.app.inject({ method: 'HEAD', url, remoteAddress: world.ip });
    const first = await get(url);
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', first.headers.etag]);
    for (const name of ['content-type', 'content-length', 'cache-control']) {
      expect(head.headers[name]).toBe(first.headers[name]);
    }
    const etag = String(first.headers.etag);
    expect([first.statusCode, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{27}"$/)]);
    expect(first.headers['cache-control']).toBe('private, max-age=300');
    expect(first.headers['content-length']).toBe(String(first.rawPayload.length));
    const again = await get(url);
    expect([again.statusCode, again.headers.etag, again.headers['content-type']]).toEqual([
      200,
      etag,
      first.headers['content-type'],
    ]);
    expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const confirmed = await get(url, { 'if-none-match': known });
      expect([confirmed.statusCode, confirmed.body, confirmed.headers.etag]).toEqual([304, '', etag]);
    }
    expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('asks the browser to fetch the document, rather than hold a copy of it', async () => {
    const script = (await get('/docs/swagger-ui-init.js')).body;
    expect(script).toContain(`"swaggerUrl": "${DOCUMENT}"`);
    expect(script.length).toBeLessThan(4000);
  });

  it('serves neither other forms of the document nor other files of Swagger UI', async () => {
    const urls = ['/docs-json', '/docs-yaml', '/docs/swagger-ui-bundle.js.map', '/docs/package.json'];
    for (const url of urls) {
      const answer = await get(url);
      expect([url, answer.statusCode, answer.json()]).toMatchObject([url, 404, { error: 'Not Found' }]);
    }
  });

  it('refuses an address that asks too often, and keeps its allowance for calls', async () => {
    const urls = [DOCUMENT, '/docs', '/docs/swagger-ui-init.js', '/docs/nothing', '/docs/swagger-ui.css'];
    for (let count = 0; count < DOCUMENTS_A_MINUTE; count += 1) {
      expect((await get(urls[count % urls.length] ?? '')).statusCode).not.toBe(429);
    }
    for (const url of [DOCUMENT, ...PAGE, ...FILES]) {
      const refused = await get(url);
      expect([refused.statusCode, refused.json()]).toMatchObject([
        429,
        { error: 'Rate limit exceeded', limit: DOCUMENTS_A_MINUTE, window: 'minute', retry_after: 60 },
      ]);
      expect(refused.headers).toMatchObject({ 'retry-after': '60', 'x-ratelimit-remaining': '0' });
    }
    const credentials = { email: world.owner.email, password: world.owner.password };
    expect((await service.call('login', { ip: world.ip, body: credentials })).status).toBe(200);
    expect((await service.app.inject({ url: DOCUMENT, remoteAddress: '10.254.0.1' })).statusCode).toBe(200);
    service.clock.advance(60_000);
    expect((await get(DOCUMENT)).statusCode).toBe(200);
  });
});
