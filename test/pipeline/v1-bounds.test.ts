import { request } from 'node:http';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { chatAnswer, errorReaction, jsonReaction } from '../support/upstream/upstream-answers';
import { ServiceWithUpstreams } from '../support/upstream/service-with-upstreams';
import { storedEvents } from '../support/events/stored-events';
import { subscribe } from '../support/events/subscribe';
import { World } from '../support/api/world';

const MIB = 1024 * 1024;
const MESSAGES = [{ role: 'user' as const, content: 'Hello' }];

describe('the bounds of /v1', () => {
  let upstream: RawUpstream;
  let running: ServiceWithUpstreams;
  let world: World;
  beforeAll(async () => {
    upstream = await RawUpstream.start(() => jsonReaction(chatAnswer('plain')));
    running = await ServiceWithUpstreams.start([
      {
        name: 'main',
        base_url: upstream.baseUrl,
        models: [{ id: 'plain' }, { id: 'short', max_output_tokens: 4_000 }],
      },
    ]);
  });
  beforeEach(async () => {
    upstream.script = () => jsonReaction(chatAnswer('plain'));
    world = await World.create(running.service);
  });
  afterEach(async () => expect(await running.faults()).toEqual([]));
  afterAll(async () => {
    await running.stop();
    await upstream.stop();
  });

  const chat = (fields: object, key = world.owner.key) =>
    fetch(`${running.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': key },
      body: JSON.stringify({ model: 'plain', messages: MESSAGES, ...fields }),
    });
  /** Announces a body of which not a byte is sent. */
  const statusFor = (bytes: number) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        'x-api-key': world.owner.key,
        'content-type': 'application/json',
        'content-length': bytes,
      };
      const sent = request(`${running.url}/v1/chat/completions`, { method: 'POST', headers, agent: false });
      sent.on('error', reject).on('response', ({ statusCode }) => {
        resolve(statusCode);
        sent.destroy();
      });
      sent.flushHeaders();
    });
  const capSent = () => upstream.lastCall.body?.max_tokens;

  it('let a large photo, a long conversation and a long name of a user through', async () => {
    const url = `data:image/jpeg;base64,${'A'.repeat(3 * MIB)}`;
    const photo = { role: 'user', content: [{ type: 'image_url', image_url: { url } }] };
    expect((await chat({ messages: [photo], max_tokens: 10 })).status).toBe(200);
    expect(upstream.lastCall.text).toContain(url);
    const messages = Array.from({ length: 1_100 }, () => ({ role: 'user', content: 'x' }));
    const long = await chat({ messages, max_tokens: 10, user: 'u'.repeat(2_000) });
    expect([long.status, await long.text()]).toEqual([200, expect.stringContaining('Hello there.')]);
  });

  it('refuse a body beyond what the operator takes, without reading it', async () => {
    expect(await statusFor(32 * MIB + 1)).toBe(413);
  });

  it('refuse a large body of an account without credit before it is read', async () => {
    await world.setBalanceUsd(world.owner, '0');
    expect(await statusFor(20 * MIB)).toBe(402);
  });

  it.each<[string, object, number]>([
    ['as many as the caller says', { max_tokens: 100_000 }, 100_000],
    ["the installation's where -1 stands for the model's, which nobody has told", { max_tokens: -1 }, 32_768],
    ['the same where nothing is said', {}, 32_768],
    ["the model's", { model: 'short' }, 4_000],
    ["the model's for null and -1", { model: 'short', max_tokens: null, max_completion_tokens: -1 }, 4_000],
  ])('of output are %s', async (_, fields, cap) => {
    expect((await chat(fields)).status).toBe(200);
    expect(capSent()).toBe(cap);
  });

  it('of output are sent by the name that every server knows where the caller used the newer one alone', async () => {
    expect((await chat({ max_completion_tokens: 9 })).status).toBe(200);
    expect(upstream.lastCall.body).toMatchObject({ max_tokens: 9 });
    expect(upstream.lastCall.body).not.toHaveProperty('max_completion_tokens');
    expect((await chat({ max_tokens: 20, max_completion_tokens: 9 })).status).toBe(200);
    expect(upstream.lastCall.body).toMatchObject({ max_tokens: 9, max_completion_tokens: 9 });
  });

  it('of output are what the balance has room for where the caller leaves them to the model', async () => {
    await world.setBalanceUsd(world.owner, '0.01');
    expect((await chat({ max_tokens: 32_768 })).status).toBe(402);
    const answer = await chat({ n: 2 });
    expect(answer.status).toBe(200);
    const cap = Number(capSent());
    expect(cap).toBeGreaterThan(300);
    expect(2_000_000 + 10_000 * 2 * cap).toBeLessThanOrEqual(10_000_000);
    await world.setBalanceUsd(world.owner, '0.0021');
    expect((await chat({})).status).toBe(402);
  });

  it('of output are what the limit of a key has room for, which is told as met by a call that is refused', async () => {
    await subscribe(running.service.database, world.owner.id, { events: ['usage.limit_exceeded'] });
    await world.setLimits(world.owner, { dailyLimitNano: 10_000_000n });
    expect((await chat({})).status).toBe(200);
    const told = () => storedEvents(running.service, world.owner.id);
    expect(await told()).toEqual([]);
    await world.setLimits(world.owner, { dailyLimitNano: 2_100_000n });
    expect((await chat({})).status).toBe(402);
    expect(await told()).toMatchObject([{ data: { limit_type: 'daily' } }]);
  });

  it('of output give way to a model that makes fewer, and are remembered where it says how many', async () => {
    upstream.script = ({ body = {} }) =>
      Number(body.max_tokens ?? 0) > 16_384
        ? errorReaction(
            400,
            `max_tokens is too large: ${String(body.max_tokens)}. This model supports at most 16384`,
          )
        : jsonReaction(chatAnswer('plain'));
    expect((await chat({})).status).toBe(200);
    expect(capSent()).toBeUndefined();
    expect((await chat({})).status).toBe(200);
    expect(capSent()).toBe(16_384);
    expect((await chat({ max_tokens: 20_000 })).status).toBe(400);
  });

  it('refuse 0, which is no number of tokens to ask for', async () => {
    expect((await chat({ max_tokens: 0 })).status).toBe(400);
  });
});
