import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { CompiledService } from '../support/processes/compiled-service';

const TOKEN = 'a token that only the scraper of this test has';

describe('the port of a process of role worker', () => {
  let service: TestService;
  let worker: CompiledService;
  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    worker = await CompiledService.startWorker({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      METRICS_TOKEN: TOKEN,
    });
  });
  afterAll(async () => {
    await worker.stop();
    await service.stop();
  });

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(worker.url + path, { headers, method });

  it('refuses its metrics without the token', async () => {
    for (const authorization of ['', 'Bearer', `Bearer ${TOKEN}x`]) {
      const answer = await ask('/metrics', { authorization });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await answer.json()).toMatchObject({
        error: 'Invalid token',
        request_id: answer.headers.get('x-request-id'),
      });
    }
  });

  it('has no operation, no documentation and no other method', async () => {
    const world = await World.create(service);
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/docs'],
      ['GET', '/openapi.json'],
      ['GET', '/api/pricing'],
      ['GET', '/v1/models'],
      ['POST', '/v1/chat/completions'],
      ['POST', '/health/live'],
      ['GET', '/health'],
      ['GET', '/health/live/x'],
      ['GET', '/%'],
    ] as const) {
      const answer = await ask(path, { 'x-api-key': world.owner.key }, method);
      expect([method, path, answer.status]).toEqual([method, path, 404]);
      expect(await answer.json()).toMatchObject({ error: 'Not Found' });
    }
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
  });

  it('tells that it lives and is ready', async () => {
    const live = await ask('/health/live');
    expect([live.status, await live.json()]).toMatchObject([200, { status: 'ok' }]);
    const ready = await ask('/health/ready');
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ok' }]);
  });

  it('shows its metrics to the holder of the token, those of the process too', async () => {
    const answer = await ask('/metrics', { authorization: `Bearer ${TOKEN}` });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    const text = await answer.text();
    for (const name of ['webhook_deliveries_delivered_total', 'nodejs_eventloop_lag_p99_seconds']) {
      expect(text).toMatch(new RegExp(`^${name} [\\d.e-]+$`, 'm'));
    }
  });
});
