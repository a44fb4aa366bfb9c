import OpenAI, { APIError } from 'openai';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { chatAnswer, errorReaction, jsonReaction } from '../support/upstream/upstream-answers';
import { ServiceWithUpstreams } from '../support/upstream/service-with-upstreams';
import { World } from '../support/api/world';

const CHAT = { model: 'plain', messages: [{ role: 'user' as const, content: 'Hello' }], max_tokens: 100 };
const OF_SDK = { 'x-stainless-lang': 'js' };

describe('an error of /v1', () => {
  let upstream: RawUpstream;
  let running: ServiceWithUpstreams;
  let world: World;
  beforeAll(async () => {
    upstream = await RawUpstream.start(() => jsonReaction(chatAnswer('plain')));
    running = await ServiceWithUpstreams.start(
      [{ name: 'main', base_url: upstream.baseUrl, models: [{ id: 'plain' }] }],
      { STRICT_MODELS: 'true' },
    );
    world = await World.create(running.service);
  });
  afterAll(async () => {
    await running.stop();
    await upstream.stop();
  });

  async function refused(path: string, headers: Record<string, string>, body?: unknown) {
    const answer = await fetch(`${running.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Told };
  }

  interface Told {
    error: string | Record<string, unknown>;
    message?: string;
    request_id: string;
    timestamp: string;
  }

  it('is told to the openai package with code, type and what the call needs', async () => {
    await world.setBalanceUsd(world.stranger, '0.0025');
    const client = new OpenAI({ apiKey: world.stranger.key, baseURL: `${running.url}/v1`, maxRetries: 0 });
    const error = await client.chat.completions.create(CHAT).catch((caught: unknown) => caught as APIError);
    expect(error).toBeInstanceOf(APIError);
    const { status, code, type, message, error: told } = error as APIError;
    expect([status, code, type]).toEqual([402, 'insufficient_credits', 'insufficient_quota']);
    expect(message).toMatch(/^402 This call needs up to 0\.003\d+ USD; 0\.0025 USD are available\./);
    expect(told).toMatchObject({ available: 0.0025, affordable_max_tokens: expect.any(Number) });
    expect((told as { required: number }).required).toBeGreaterThan(0.003);
    const wrong = new OpenAI({ apiKey: 'svc_test_wrong', baseURL: `${running.url}/v1`, maxRetries: 0 });
    await expect(wrong.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    const unserved = client.chat.completions.create({ ...CHAT, model: 'nobody/serves-it' });
    await expect(unserved).rejects.toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
  });

  it('keeps the body of the reference for everybody else, and for who asks for it', async () => {
    for (const headers of [{}, { ...OF_SDK, 'x-error-format': 'reference' }]) {
      const { status, headers: told, body } = await refused('/v1/models', headers);
      expect([status, body.error, body.message]).toEqual([
        401,
        'Missing API key',
        'Send an access key as X-API-Key or as a bearer token. Create one with POST /api/keys.',
      ]);
      expect(told.get('vary')).toContain('X-Error-Format');
    }
    expect((await refused('/api/account/limits', OF_SDK)).body.error).toEqual(expect.any(String));
  });

  it.each<[string, Record<string, string>]>([
    ['a header of Stainless', OF_SDK],
    ['the user agent of the AI SDK', { 'user-agent': 'ai/6.0.1 ai-sdk/openai/3.0.1 runtime/node.js/20' }],
    ['X-Error-Format', { 'x-error-format': 'OpenAI' }],
  ])('is an object for a client known by %s, before a route too', async (_, headers) => {
    const key = { 'x-api-key': world.owner.key };
    for (const [status, path, sent, body] of [
      [401, '/v1/models', {}, undefined],
      [404, '/v1/no-such-path', {}, undefined],
      [404, '/v1/models/%zz', {}, undefined],
      [400, '/v1/chat/completions', key, { model: 'plain', messages: 'none' }],
      [415, '/v1/chat/completions', { ...key, 'content-type': 'text/plain' }, CHAT],
    ] as const) {
      const answer = await refused(path, { ...headers, ...sent }, body);
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.body).toEqual({
        error: expect.objectContaining({
          message: expect.any(String),
          type: expect.any(String),
          code: expect.any(String),
        }),
        request_id: answer.headers.get('x-request-id'),
        timestamp: expect.any(String),
      });
    }
  });

  it('is an object beyond the rate, with the seconds to wait', async () => {
    await world.setRates(world.admin, { requests_per_hour: 1 });
    const headers = { ...OF_SDK, 'x-api-key': world.admin.key };
    await refused('/v1/models/none', headers);
    const { status, body, headers: told } = await refused('/v1/models/none', headers);
    expect([status, body.error]).toEqual([
      429,
      expect.objectContaining({ code: 'rate_limit_exceeded', type: 'rate_limit_error' }),
    ]);
    expect(Number(told.get('retry-after'))).toBeGreaterThan(0);
  });

  it("has the upstream's words in the form that the client reads, whatever the upstream's was, without its address", async () => {
    const headers = { ...OF_SDK, 'x-api-key': world.owner.key };
    upstream.script = () => jsonReaction({ detail: 'the seed is odd' }, { status: 400 });
    const odd = await refused('/v1/chat/completions', headers, CHAT);
    expect([odd.status, odd.body.error]).toEqual([
      400,
      expect.objectContaining({ message: 'the seed is odd' }),
    ]);
    upstream.script = () => errorReaction(400, 'the seed is even');
    const plain = await refused('/v1/chat/completions', headers, CHAT);
    const ids = { request_id: expect.any(String), timestamp: expect.any(String) };
    expect(plain.body).toEqual({
      error: { message: 'the seed is even', type: 'upstream_error', param: null, code: 'code_400' },
      ...ids,
    });
    upstream.script = () => errorReaction(400, `no such file at ${upstream.baseUrl}`);
    const named = await refused('/v1/chat/completions', { 'x-api-key': world.owner.key }, CHAT);
    const message = "The model's provider refused the request: no such file at http://[redacted]/v1";
    expect([named.status, named.body]).toEqual([400, { error: 'Upstream refused', message, ...ids }]);
    expect(await running.faults()).toEqual([]);
  });
});
