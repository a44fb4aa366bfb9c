import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestService } from '../support/api/service';

const HTML = { accept: 'text/html,application/xhtml+xml' };

describe('the console', () => {
  let folder: string;
  let service: TestService;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'console-'));
    service = await TestService.start({}, undefined, [], undefined, folder);
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  const get = (url: string, headers: Record<string, string> = {}) =>
    service.app.inject({ url, headers, remoteAddress: '10.9.8.7' });

  it('says how it is built as long as it is not', async () => {
    const answer = await get('/console/', HTML);
    expect(answer.statusCode).toBe(404);
    expect(answer.json<object>()).toMatchObject({ message: expect.stringContaining('npm run') as string });
  });

  it('is served as it was built, under a policy that lets in nothing else', async () => {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Console</title>');
    writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    writeFileSync(join(folder, 'assets', 'main-abc123.js'), 'export {};');
    writeFileSync(join(folder, 'assets', 'main-abc123.js.br'), 'compressed');
    const page = await get('/console/', HTML);
    expect([page.statusCode, page.body]).toEqual([200, '<!doctype html><title>Console</title>']);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-frame-options': 'DENY',
    });
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const script = await get('/console/assets/main-abc123.js', { 'accept-encoding': 'br' });
    expect([script.statusCode, script.body]).toEqual([200, 'compressed']);
    expect(script.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await get('/console/favicon.svg')).headers['content-type']).toContain('image/svg+xml');
  });

  it('has nothing but its files', async () => {
    for (const url of [
      '/console/assets/other.js',
      '/console/../package.json',
      '/console/%2e%2e/package.json',
    ]) {
      expect([url, (await get(url)).statusCode]).toEqual([url, 404]);
    }
  });

  it('is where / and /console lead a browser, by addresses that a proxy may put anywhere', async () => {
    const [root, bare] = [await get('/', HTML), await get('/console?x=1', HTML)];
    expect([root.statusCode, root.headers.location]).toEqual([302, 'console/']);
    expect([bare.statusCode, bare.headers.location]).toEqual([302, 'console/']);
    const api = await get('/', { accept: 'application/json' });
    expect([api.statusCode, api.json<{ error: string }>().error]).toEqual([404, 'Not Found']);
  });

  it('counts as no call: files are read beyond what an address may call', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => get('/console/favicon.svg')));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  });
});
