import { RawUpstream } from '../support/upstream/raw-upstream';
import { chatAnswer, embeddingAnswer, jsonReaction, vectorOf } from '../support/upstream/upstream-answers';
import { ServiceWithUpstreams } from '../support/upstream/service-with-upstreams';
import { World } from '../support/api/world';

describe('what a caller of /v1 has written', () => {
  let upstream: RawUpstream;
  let running: ServiceWithUpstreams;
  let world: World;
  beforeAll(async () => {
    upstream = await RawUpstream.start(() => jsonReaction(chatAnswer('plain')));
    const models = [{ id: 'plain' }];
    running = await ServiceWithUpstreams.start([{ name: 'main', base_url: upstream.baseUrl, models }]);
    world = await World.create(running.service);
  });
  afterAll(async () => {
    expect(await running.faults()).toEqual([]);
    await running.stop();
    await upstream.stop();
  });

  const post = (path: string, body: string, headers?: Record<string, string>) =>
    fetch(`${running.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': world.owner.key, 'content-type': 'application/json', ...headers },
      body,
    });

  it('reaches the upstream with every number as it was written', async () => {
    const schema =
      '{"type":"integer","minimum":-9007199254740993,"enum":[9007199254740993,1e400,12345678901234567890.5]}';
    const tool = `{"type":"function","function":{"name":"f","parameters":${schema}}}`;
    const sent = `{"model":"plain","seed":9007199254740993,"messages":[{"role":"user","content":"a \\"9007199254740993\\\\\\""}],"max_tokens":20,"tools":[${tool}]}`;
    expect((await post('/v1/chat/completions', sent)).status).toBe(200);
    expect(upstream.lastCall.text).toContain(`"parameters":${schema}`);
    expect(upstream.lastCall.text).toContain('"seed":9007199254740993');
    expect(upstream.lastCall.text).toContain('"max_tokens":20');
    expect(upstream.lastCall.body?.messages).toEqual([{ role: 'user', content: 'a "9007199254740993\\"' }]);
  });

  it('is another request where it has another number, however large', async () => {
    const statusOf = async (seed: string) => {
      const sent = `{"seed":${seed},"model":"plain","max_tokens":20,"messages":[{"role":"user","content":"x"}]}`;
      return (await post('/v1/chat/completions', sent, { 'idempotency-key': 'large-seed' })).status;
    };
    expect(await statusOf('9007199254740993')).toBe(200);
    expect(await statusOf('9007199254740993')).toBe(200);
    expect(await statusOf('9007199254740992')).toBe(422);
  });

  it('is not taken from a member that a second one of its name replaces', async () => {
    const sent =
      '{"model":"plain","max_tokens":9007199254740993,"seed":{"a":9007199254740995},"seed":7,"max_tokens":20,"messages":[{"role":"user","content":"x"}]}';
    expect((await post('/v1/chat/completions', sent)).status).toBe(200);
    expect(upstream.lastCall.body).toMatchObject({ seed: 7, max_tokens: 20 });
    expect(upstream.lastCall.text).not.toContain('90071992547409');
  });

  it('may hold NUL and half of a surrogate pair', async () => {
    const content = 'a\u0000b\ud800c';
    const sent = JSON.stringify({ model: 'plain', messages: [{ role: 'user', content }], max_tokens: 20 });
    expect((await post('/v1/chat/completions', sent)).status).toBe(200);
    expect(upstream.lastCall.body?.messages).toEqual([{ role: 'user', content }]);
  });

  it('asks for base64, and gets it where the upstream answers floats all the same', async () => {
    upstream.script = (request) =>
      jsonReaction(embeddingAnswer({ ...request, body: { ...request.body, encoding_format: 'float' } }));
    const client = running.clientOf(world.owner);
    const { data } = await client.embeddings.create({ model: 'plain', input: ['abc', 'de'] });
    expect(data.map(({ embedding }) => [...embedding])).toEqual([vectorOf('abc'), vectorOf('de')]);
    const raw = await client.embeddings.create({ model: 'plain', input: 'abc', encoding_format: 'float' });
    expect(raw.data[0]?.embedding).toEqual(vectorOf('abc'));
  });
});
