import { startBackgroundWork } from '../../src/application';
import { OutboundHttp } from '../../src/http/outbound/outbound-http';
import { TestService } from '../support/api/service';
import { storeWebhook } from '../support/api/store-webhook';
import { World } from '../support/api/world';
import { until } from '../support/until';
import { RawUpstream } from '../support/upstream/raw-upstream';

interface Line {
  message: { message?: string; request_id?: string; caused_by?: string };
}

const CHAT = { model: 'large', messages: [{ role: 'user', content: 'hello' }], max_tokens: 10 };

describe('lines of the log', () => {
  let upstream: RawUpstream;
  let service: TestService;
  let world: World;
  let written: string;

  beforeAll(async () => {
    upstream = await RawUpstream.start(() => ({ status: 500, chunks: ['{}'] }));
    service = await TestService.start({
      LOG_LEVEL: 'warn',
      ALLOW_INSECURE_WEBHOOKS: 'true',
      UPSTREAMS: JSON.stringify([{ name: 'main', base_url: upstream.baseUrl, models: [{ id: 'large' }] }]),
    });
    startBackgroundWork(service.app, 'all');
    world = await World.create(service);
  });
  beforeEach(() => {
    written = '';
    const take = (chunk: string | Uint8Array) => {
      written += String(chunk);
      return true;
    };
    jest.spyOn(process.stdout, 'write').mockImplementation(take);
    jest.spyOn(process.stderr, 'write').mockImplementation(take);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  const lines = (message: string): Line['message'][] =>
    written
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => (JSON.parse(line) as Line).message)
      .filter((line) => line.message === message);

  it('of an upstream name the request that asked it', async () => {
    const { owner, ip } = world;
    const answer = await service.call('createChatCompletion', { credential: owner.key, ip, body: CHAT });
    expect(answer.status).toBe(502);
    const failed = lines('an attempt at an upstream failed');
    expect(failed.map((line) => line.request_id)).toEqual([
      answer.headers['x-request-id'],
      answer.headers['x-request-id'],
    ]);
  });

  it('of an upstream name the request of a task, and the one that submitted the task', async () => {
    const body = { task_type: 'createChatCompletion', parameters: CHAT } as const;
    const { owner, ip } = world;
    const answer = await service.call('submitTask', { credential: owner.key, ip, body });
    expect(answer.status).toBe(201);
    await until('the run has failed', () => lines('an attempt at an upstream failed').length > 0);
    const [failed] = lines('an attempt at an upstream failed');
    expect(failed?.caused_by).toBe(answer.headers['x-request-id']);
    expect(failed?.request_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(failed?.request_id).not.toBe(failed?.caused_by);
  });

  it('of a delivery name the request that caused its event', async () => {
    await storeWebhook(world, { url: 'http://127.0.0.1:9999/', events: ['balance.updated'] }, world.stranger);
    jest.spyOn(service.app.get(OutboundHttp), 'post').mockRejectedValue(new Error('a fault of ours'));
    const body = { key: 'k', value: 'v' };
    const { stranger, ip } = world;
    const answer = await service.call('createMemory', { credential: stranger.key, ip, body });
    expect(answer.status).toBe(201);
    await until('the attempt was made', () => lines('an attempt failed inside the service').length > 0);
    expect(lines('an attempt failed inside the service')[0]?.request_id).toBe(answer.headers['x-request-id']);
  });
});
