import { gunzipSync } from 'node:zlib';
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

  it.each([DOCUMENT, ...PAGE, ...FILES])(
    '%s is sent compressed to who accepts that, as the same',
    async (url) => {
      const plain = await get(url);
      const coded = await get(url, { 'accept-encoding': 'br, gzip;q=0.8' });
      expect(coded.headers).toMatchObject({
        vary: 'accept-encoding',
        'content-length': String(coded.rawPayload.length),
      });
      const isCoded = coded.headers['content-encoding'] === 'gzip';
      expect([url, isCoded]).toEqual([url, !url.endsWith('.png')]);
      const body = isCoded ? gunzipSync(coded.rawPayload) : coded.rawPayload;
      expect(body.equals(plain.rawPayload)).toBe(true);
      expect(coded.headers.etag).toBe(`${isCoded ? 'W/' : ''}${String(plain.headers.etag)}`);
      const confirmed = await get(url, {
        'if-none-match': String(coded.headers.etag),
        'accept-encoding': 'gzip',
      });
      expect([confirmed.statusCode, confirmed.headers['content-encoding']]).toEqual([304, undefined]);
      expect((await get(url, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
    },
  );

  it.each(PAGE.slice(0, 3))(
    '%s loads all by addresses that name the bytes, which a browser keeps for ever',
    async (page) => {
      const html = (await get(page)).body;
      const files = [...html.matchAll(/(?:src|href)="\.\/(?:docs\/)?([\w.-]+)\?v=([\w-]{27})"/g)];
      expect(files.map(([, file]) => `/docs/${file}`).sort()).toEqual([PAGE[3], ...FILES].sort());
      for (const [, file, hash] of files) {
        const kept = await get(`/docs/${file}?v=${hash}`);
        expect([kept.statusCode, kept.headers.etag, kept.headers['cache-control']]).toEqual([
          200,
          `"${hash}"`,
          'private, max-age=31536000, immutable',
        ]);
        expect((await get(`/docs/${file}?v=other`)).headers['cache-control']).toBe('private, max-age=300');
      }
    },
  );

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
