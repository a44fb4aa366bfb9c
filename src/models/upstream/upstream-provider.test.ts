import { Logger } from '@nestjs/common';
import { TURNS_IN_100_MS, turnsDuring } from '../../../test/support/event-loop-turns';
import { UnacceptingPort } from '../../../test/support/processes/unaccepting-port';
import { until } from '../../../test/support/until';
import { RawUpstream, refusingBaseUrl } from '../../../test/support/upstream/raw-upstream';
import { chatAnswer, errorReaction, jsonReaction } from '../../../test/support/upstream/upstream-answers';
import type { Reaction } from '../../../test/support/upstream/upstream-reaction';
import type { UpstreamSettings } from '../../config/upstream-settings';
import { ApiError } from '../../errors/api-errors';
import { UpstreamFailure, UpstreamRefused } from '../errors';
import { UpstreamProvider } from './upstream-provider';

const KEY = 'sk-key/of-the-upstream';
const REQUEST = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };
/**
 * For tests that wait for a time-out. Other tests need longer ones, because on a busy machine any answer may be slow.
 */
const SHORT = { firstByteTimeoutMs: 150, totalTimeoutMs: 300 };
const ANSWER = chatAnswer('m-2026');
const DEEP = '['.repeat(50_000) + ']'.repeat(50_000);

describe('UpstreamProvider', () => {
  let upstream: RawUpstream;
  let logged: jest.SpyInstance;
  const providers: UpstreamProvider[] = [];
  beforeAll(async () => {
    upstream = await RawUpstream.start(() => jsonReaction(ANSWER));
  });
  afterAll(() => upstream.stop());
  beforeEach(() => {
    upstream.requests.length = 0;
    upstream.welcome = 'accept';
    logged = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    logged.mockRestore();
    await Promise.all(providers.splice(0).map((provider) => provider.close()));
  });

  function provider(settings: Partial<UpstreamSettings> = {}): UpstreamProvider {
    const times = { connectTimeoutMs: 9000, firstByteTimeoutMs: 9000, totalTimeoutMs: 9000 };
    const base = { name: 'one', baseUrl: upstream.baseUrl, apiKey: KEY, models: null };
    const made = new UpstreamProvider({ ...base, ...times, ...settings }, { backoffMs: () => 5 });
    providers.push(made);
    return made;
  }

  async function failureOf(work: Promise<unknown>): Promise<ApiError> {
    const outcome = await work.catch((error: unknown) => error);
    if (!(outcome instanceof ApiError)) {
      throw new Error(`no ApiError: ${String(outcome)}`);
    }
    return outcome;
  }

  const faults: [string, Reaction, number, number, boolean][] = [
    ['a reset before the headers', { instead: 'reset' }, 502, 2, false],
    ['an end before the headers', { instead: 'end' }, 502, 2, false],
    ['what is no HTTP', { instead: { bytes: 'SSH-2.0-x\r\n' } }, 502, 2, false],
    ['500', errorReaction(500, `broken ${KEY}`), 502, 2, false],
    ['503 with Retry-After', errorReaction(503, 'busy', { headers: { 'retry-after': '9' } }), 503, 1, false],
    ['401', errorReaction(401, `Incorrect API key: ${KEY}`), 502, 1, false],
    ['403', errorReaction(403, 'no'), 502, 1, false],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 502, 1, false],
    ['402', errorReaction(402, 'pay'), 502, 1, false],
    ['429', errorReaction(429, 'slow down'), 503, 1, false],
    ['no byte of an answer', { instead: 'silence' }, 504, 1, false],
    ['headers and no byte of a body', { delayBeforeFirstByteMs: 60_000 }, 504, 1, false],
    ['a body that never ends', jsonReaction('{"choices":', { end: 'silence' }), 504, 1, true],
    ['a break in the body', jsonReaction('{"choices":', { end: 'cut' }), 502, 1, true],
    ['a reset in the body', jsonReaction('{"choices":', { end: 'reset' }), 502, 1, true],
    ['an empty body', { chunks: [] }, 502, 1, true],
    ['what is no JSON', jsonReaction('<html>'), 502, 1, true],
    ['no object', jsonReaction('[]'), 502, 1, true],
    ['a choice that is no object', jsonReaction('{"choices":[null]}'), 502, 1, true],
    ['no choices', jsonReaction('{"object":"chat.completion"}'), 502, 1, true],
    ['bytes that are no UTF-8', { chunks: [Uint8Array.of(0x22, 0xff, 0x22)] }, 502, 1, true],
    ['200 with a code that is no text', jsonReaction('{"error":{"code":{"toString":1}}}'), 502, 1, false],
    ['200 with an error nested too deep', jsonReaction(`{"error":{"x":${DEEP}}}`), 502, 1, false],
    ['200 with an error', jsonReaction('{"error":{"message":"no"}}'), 502, 1, false],
  ];
  it.each(faults)(
    'answers for %s with a failure of its own kind',
    async (_, reaction, status, requests, hadBegun) => {
      upstream.script = () => reaction;
      const error = await failureOf(provider(status === 504 ? SHORT : {}).chat(REQUEST, {}));
      expect(error).toBeInstanceOf(UpstreamFailure);
      expect([error.status, upstream.requests.length, (error as UpstreamFailure).hadBegun]).toEqual([
        status,
        requests,
        hadBegun,
      ]);
      expect(error.options.body).toBeUndefined();
      const told = JSON.stringify([error.message, error.options, logged.mock.calls]);
      expect(told).not.toContain(KEY);
      expect(error.message).not.toContain('127.0.0.1');
    },
  );

  it('is 502 for a port that refuses', async () => {
    const baseUrl = await refusingBaseUrl();
    expect((await failureOf(provider({ baseUrl }).chat(REQUEST, {}))).status).toBe(502);
  });

  it('is 504 for a port that lets connections hang, and asks no second time', async () => {
    const port = await UnacceptingPort.open();
    const error = await failureOf(
      provider({ baseUrl: port.baseUrl, connectTimeoutMs: 100 }).chat(REQUEST, {}),
    );
    await port.close();
    expect([error.status, error.message]).toEqual([504, expect.stringContaining('connect within 100 ms')]);
  });

  it.each([
    ['seconds', '7', '7'],
    ['a date', 'Wed, 21 Oct 2026 07:28:00 GMT', 'Wed, 21 Oct 2026 07:28:00 GMT'],
    ['what is neither', 'soon', undefined],
  ])('hands on Retry-After as %s', async (_, value, expected) => {
    for (const status of expected === undefined ? [429] : [429, 503, 529]) {
      upstream.script = () => errorReaction(status, 'slow down', { headers: { 'retry-after': value } });
      const error = await failureOf(provider().chat(REQUEST, {}));
      expect([error.status, error.options.headers?.['Retry-After']]).toEqual([503, expected]);
    }
  });

  it.each([400, 404, 413, 422])(
    'passes a refusal with %i on, byte for byte, and asks once',
    async (status) => {
      const body = '{"error": {"message": "no such field",  "vendor": 1.0}}';
      upstream.script = () => jsonReaction(body, { status });
      const error = await failureOf(provider().chat(REQUEST, {}));
      expect(error).toBeInstanceOf(UpstreamRefused);
      expect([error.status, error.options.body, upstream.requests.length]).toEqual([status, body, 1]);
    },
  );

  it.each([
    ['is no JSON', '<html>'],
    ['repeats the key', JSON.stringify({ error: { message: `key ${KEY}` } })],
    ['repeats the key with escaped slashes', `{"error":"${KEY.replace('/', '\\/')}"}`],
    [
      'repeats the key with other escapes',
      `{"error":"${KEY.replace('-', '\\u002D').replace('/', '\\u002f')}"}`,
    ],
    ['repeats the key as a URL writes it', JSON.stringify({ error: encodeURIComponent(KEY) })],
    ['is larger than 64 KiB', JSON.stringify('x'.repeat(70_000))],
  ])('keeps the body of a refusal that %s', async (_, body) => {
    upstream.script = () => jsonReaction(body, { status: 400 });
    const error = await failureOf(provider().chat(REQUEST, {}));
    expect([error.status, error.options.body]).toEqual([400, undefined]);
  });

  it('logs what a broken upstream says, cut and without the key', async () => {
    upstream.script = () => errorReaction(401, `${KEY} is wrong ${'x'.repeat(5000)}`);
    await failureOf(provider().chat(REQUEST, {}));
    const [line] = logged.mock.calls[0] as [string];
    expect(line).toContain('status 401');
    expect(line).toContain('[redacted] is wrong');
    expect(line.length).toBeLessThan(600);
  });

  it('answers from the second attempt', async () => {
    upstream.script = (_, count) => (count === 0 ? { instead: 'reset' } : jsonReaction(ANSWER));
    const { response } = await provider().chat(REQUEST, {});
    expect([response.model, upstream.requests.length]).toEqual(['m-2026', 2]);
  });

  it('sends what it was asked and gives the text as it came', async () => {
    const text =
      '{ "choices" : [] , "model":"m-2026", "usage":{"prompt_tokens":1,"completion_tokens":2.0},"x":1.0}\n';
    upstream.script = () => jsonReaction(text);
    const request = { ...REQUEST, vendor_field: [1], allow_degraded: true, stream: false };
    const answer = await provider().chat(request, {});
    expect(answer.text).toBe(text);
    expect(answer.engine.provider).toBe('one');
    expect(answer.response).toMatchObject({
      model: 'm-2026',
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    });
    const { headers, path, body } = upstream.lastCall;
    expect(body).toEqual({ ...REQUEST, vendor_field: [1], stream: false });
    expect([path, headers.authorization, headers['content-type'], headers['accept-encoding']]).toEqual([
      '/v1/chat/completions',
      `Bearer ${KEY}`,
      'application/json',
      'identity',
    ]);
  });

  it('sends no key where there is none', async () => {
    upstream.script = () => jsonReaction(ANSWER);
    await provider({ apiKey: null }).complete({ model: 'm', prompt: 'x' }, {});
    expect([upstream.lastCall.path, upstream.lastCall.headers.authorization]).toEqual([
      '/v1/completions',
      undefined,
    ]);
  });

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['text', '12'],
    ['without numbers', { prompt_tokens: '1', completion_tokens: null }],
    ['negative', { prompt_tokens: -1, completion_tokens: -2 }],
  ])('gives no usage where it is %s', async (_, usage) => {
    upstream.script = () => jsonReaction(chatAnswer('a\nb', { usage }));
    const { response } = await provider().chat(REQUEST, {});
    expect('usage' in response).toBe(false);
    expect(response.model).toBe('m');
  });

  it('takes embeddings with a list of data, and their usage without output', async () => {
    upstream.script = () => jsonReaction({ data: [], model: 'e', usage: { prompt_tokens: 3 } });
    const { response } = await provider().embed({ model: 'e', input: 'x' }, {});
    expect([response.usage, upstream.lastCall.path]).toEqual([{ prompt_tokens: 3 }, '/v1/embeddings']);
    upstream.script = () => jsonReaction(ANSWER);
    expect((await failureOf(provider().embed({ model: 'e', input: 'x' }, {}))).status).toBe(502);
  });

  it.each<[string, Reaction]>([
    ['it has begun to answer', { instead: 'silence' }],
    ['its body is complete', jsonReaction('{', { end: 'silence' })],
  ])('closes the connection within 100 ms of an abort before %s', async (_, reaction) => {
    upstream.script = () => reaction;
    const stop = new AbortController();
    const reason = new Error('the caller has gone');
    const work = provider().chat(REQUEST, { signal: stop.signal });
    work.catch(() => undefined);
    await until('it is asked', () => upstream.requests.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const turns = await turnsDuring(async () => {
      stop.abort(reason);
      await expect(work).rejects.toBe(reason);
      await until('the connection is closed', () => upstream.lastCall.leftByClientAt !== null);
    });
    expect(turns).toBeLessThanOrEqual(TURNS_IN_100_MS);
    expect(upstream.requests).toHaveLength(1);
  });

  it('asks nothing for a caller that has gone before', async () => {
    await expect(provider().chat(REQUEST, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(upstream.requests).toEqual([]);
  });
});
