import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { chatAnswer, jsonReaction } from '../support/upstream/upstream-answers';
import { ServiceWithUpstreams } from '../support/upstream/service-with-upstreams';
import { World } from '../support/api/world';

const LLAMA = 'meta-llama/Llama-3.1-8B';
const CHAT = { model: LLAMA, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 20 };
const MIB = 1024 * 1024;

/** A frame of zstd with one block as it is, and one of a byte repeated (RFC 8878, section 3.1.1). */
function zstd(text: string, spaces = 0): Buffer {
  const content = Buffer.from(text);
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  const block = (size: number, type: number, isLast: boolean) => {
    const bytes = Buffer.alloc(3);
    bytes.writeUIntLE((size << 3) | (type << 1) | Number(isLast), 0, 3);
    return bytes;
  };
  const repeated = Array.from({ length: Math.ceil(spaces / 131_072) }, () =>
    Buffer.concat([block(131_072, 1, false), Buffer.from(' ')]),
  );
  return Buffer.concat([head, ...repeated, block(content.length, 0, true), content]);
}

describe('a request as clients of OpenAI send it', () => {
  let upstream: RawUpstream;
  let running: ServiceWithUpstreams;
  let world: World;
  beforeAll(async () => {
    upstream = await RawUpstream.start(() => jsonReaction(chatAnswer('llama-of-upstream')));
    running = await ServiceWithUpstreams.start(
      [{ name: 'main', base_url: upstream.baseUrl, models: [{ id: LLAMA, aliases: ['Llama'] }] }],
      { STRICT_MODELS: 'true', V1_BODY_BYTES_MAX: String(2 * MIB) },
    );
    world = await World.create(running.service);
  });
  afterAll(async () => {
    expect(await running.faults()).toEqual([]);
    await running.stop();
    await upstream.stop();
  });

  const get = (path: string, headers: Record<string, string> = { 'x-api-key': world.owner.key }) =>
    fetch(`${running.url}${path}`, { headers });
  const post = (
    body: Uint8Array | string,
    headers: Record<string, string> = {},
    path = '/v1/chat/completions',
  ) =>
    fetch(`${running.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': world.owner.key, 'content-type': 'application/json', ...headers },
      body,
    });

  it.each<[string, (text: string) => Buffer]>([
    ['gzip', (text) => gzipSync(text)],
    ['deflate', (text) => deflateSync(text)],
    ['br', (text) => brotliCompressSync(text)],
    ['zstd', (text) => zstd(text)],
    ['ZSTD', (text) => zstd(text, MIB)],
  ])('may be compressed by %s', async (encoding, compress) => {
    const answer = await post(compress(JSON.stringify(CHAT)), { 'content-encoding': encoding });
    expect([answer.status, upstream.lastCall.body]).toMatchObject([200, { messages: CHAT.messages }]);
  });

  it.each<[string, number, () => [string, Uint8Array]]>([
    ['unpacks to more than is taken', 413, () => ['gzip', gzipSync(Buffer.alloc(64 * MIB, ' '))]],
    ['unpacks to more than is taken', 413, () => ['br', brotliCompressSync(Buffer.alloc(64 * MIB, ' '))]],
    ['unpacks to more than is taken', 413, () => ['zstd', zstd('{}', 64 * MIB)]],
    ['is none', 400, () => ['gzip', Buffer.from(JSON.stringify(CHAT))]],
    ['is none', 400, () => ['zstd', Buffer.from(JSON.stringify(CHAT))]],
    ['is cut off', 400, () => ['zstd', zstd(JSON.stringify(CHAT)).subarray(0, 40)]],
    ['is cut off', 400, () => ['gzip', gzipSync(JSON.stringify(CHAT)).subarray(0, 40)]],
    [
      'has a window of gigabytes',
      400,
      () => ['zstd', Buffer.from('28b52ffd00a8010000'.padEnd(60, '0'), 'hex')],
    ],
    ['has a second frame', 400, () => ['zstd', Buffer.concat([zstd('{'), zstd('}')])]],
    ['is of an unknown encoding', 415, () => ['lzma', Buffer.from('{}')]],
    ['is of two encodings', 415, () => ['gzip, br', Buffer.from('{}')]],
  ])('is refused where its compressed body %s (%i)', async (_, status, sent) => {
    const [encoding, body] = sent();
    const calls = upstream.calls.length;
    const answer = await post(body, { 'content-encoding': encoding });
    expect([answer.status, upstream.calls.length]).toEqual([status, calls]);
    if (status === 415) {
      expect(((await answer.json()) as { message: string }).message).toContain('gzip, deflate, br, zstd');
    }
  });

  it('is 415 for another media type, and for a compressed body where none is taken', async () => {
    expect((await post('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
    const packed = gzipSync(JSON.stringify({ key: 'k', value: 'v' }));
    expect((await post(packed, { 'content-encoding': 'gzip' }, '/api/hub/memory')).status).toBe(415);
    const token = { authorization: `Bearer ${world.owner.token}` };
    expect((await post('{}', token, '/api/documents/upload')).status).toBe(415);
  });

  it.each([
    `/v1/models/${LLAMA}`,
    `/v1/models/${encodeURIComponent(LLAMA)}`,
    `//v1/models/${LLAMA}`,
    `/v1//models/${LLAMA}/?extra=1`,
    '/v1/models/LLAMA',
  ])('finds a model at %s', async (path) => {
    const answer = await get(path);
    expect([answer.status, ((await answer.json()) as { id: string }).id]).toEqual([200, LLAMA]);
  });

  it('shows its key as Azure has it, and may have query parameters that nobody knows', async () => {
    expect(
      (await get('/v1/models?api-version=2024-10-21&limit=5', { 'api-key': world.owner.key })).status,
    ).toBe(200);
    expect((await get('/v1/models', { 'api-key': 'svc_test_wrong' })).status).toBe(401);
    expect((await get('/api/hub/agents?api-version=1')).status).toBe(400);
  });

  it('names a model in any case, and is told the id that was billed', async () => {
    for (const model of [LLAMA, LLAMA.toUpperCase(), 'llama']) {
      const answer = await post(JSON.stringify({ ...CHAT, model }));
      expect([answer.status, answer.headers.get('x-model-used')]).toEqual([200, LLAMA]);
      expect(upstream.lastCall.body?.model).toBe(LLAMA);
    }
    const stream = { ...CHAT, model: 'openai/llama' };
    expect((await post(JSON.stringify(stream))).status).toBe(404);
  });
});

describe('a model that nobody serves', () => {
  it('is answered by the default that the operator has set for the operation', async () => {
    const upstream = await RawUpstream.start(({ path }) =>
      jsonReaction(path.endsWith('/embeddings') ? {} : chatAnswer('second')),
    );
    const running = await ServiceWithUpstreams.start(
      [{ name: 'main', base_url: upstream.baseUrl, models: [{ id: 'first' }, { id: 'second' }] }],
      { STRICT_MODELS: 'true', DEFAULT_MODEL: 'absent, second' },
    );
    try {
      const { key } = (await World.create(running.service)).owner;
      const client = running.clientOf({ key });
      const { response } = await client.chat.completions
        .create({ model: 'gpt-9', messages: [{ role: 'user', content: 'Hello' }] })
        .withResponse();
      expect(response.headers.get('x-model-used')).toBe('second');
      await expect(client.embeddings.create({ model: 'gpt-9', input: 'Hello' })).rejects.toMatchObject({
        status: 404,
      });
    } finally {
      await running.stop();
      await upstream.stop();
    }
  });
});
