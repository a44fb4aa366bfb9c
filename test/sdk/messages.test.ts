import { callAs } from '../support/api/call-as';
import { messageEvents } from '../support/upstream/message-answers';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { ServiceWithUpstreams } from '../support/upstream/service-with-upstreams';
import { chatEvents, dataEvent, jsonReaction, streamReaction } from '../support/upstream/upstream-answers';
import { World } from '../support/api/world';

const KEY = 'sk-upstream-only';
const MESSAGE = { id: 'msg_n', type: 'message', role: 'assistant', model: 'n' };
const END = { stop_reason: 'end_turn', stop_sequence: null };
const USAGE = { input_tokens: 100, cache_creation_input_tokens: 50, cache_read_input_tokens: 750 };
const TEXTS = [{ type: 'text', text: 'Hello there.' }];
const REQUEST = { max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] };

describe('messages', () => {
  let upstream: RawUpstream;
  let running: ServiceWithUpstreams;
  let world: World;
  beforeAll(async () => {
    upstream = await RawUpstream.start(() => ({}));
    const shared = { base_url: upstream.baseUrl, api_key: KEY };
    running = await ServiceWithUpstreams.start([
      { name: 'chats', ...shared, models: [{ id: 'm' }] },
      { name: 'natives', ...shared, messages_key: 'x-api-key', models: [{ id: 'n' }] },
    ]);
  });
  beforeEach(async () => {
    world = await World.create(running.service);
    upstream.requests.length = 0;
  });
  afterAll(async () => {
    expect(await running.faults()).toEqual([]);
    await running.stop();
    await upstream.stop();
  });

  function post(body: object, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${running.url}/v1/messages?beta=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': world.owner.key, ...headers },
      body: JSON.stringify({ ...REQUEST, ...body }),
    });
  }

  it('pass through unchanged, with their cache marks, to an upstream that speaks them', async () => {
    const text = `{"id":"msg_n", "type":"message","role":"assistant","model":"n","content":[],"stop_reason":"end_turn","new":1.0,"usage":${JSON.stringify({ ...USAGE, output_tokens: 12 })}}`;
    upstream.script = () => jsonReaction(text);
    const kept = { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } };
    const thoughts = [
      { type: 'thinking', thinking: 'signed', signature: 's' },
      { type: 'thinking', thinking: 'told by a chat', signature: '' },
    ];
    const messages = [{ role: 'assistant', content: [...thoughts, ...TEXTS] }, ...REQUEST.messages];
    const body = { model: 'n', system: [kept], service_tier: 'auto', top_k: 3, new_beta: 1, messages };
    const betas = 'context-1m-2025-08-07, interleaved-thinking-2025-05-14';
    const answer = await post(body, { 'anthropic-beta': betas });
    expect(await answer.text()).toBe(text);
    expect(answer.headers.get('x-tokens-used')).toBe('912');
    const { path, headers, body: asked } = upstream.lastCall;
    expect(asked).toEqual({
      ...REQUEST,
      ...body,
      messages: [{ role: 'assistant', content: [thoughts[0], ...TEXTS] }, ...REQUEST.messages],
    });
    expect([path, headers]).toMatchObject([
      '/v1/messages',
      {
        'x-api-key': KEY,
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'interleaved-thinking-2025-05-14',
      },
    ]);
    expect(headers.authorization).toBeUndefined();
    expect(await running.lastReceipt(world.owner)).toMatchObject({ inputTokens: 900, outputTokens: 12 });
  });

  it('refuse what may cost more than tokens at such an upstream, and leave it out of a chat', async () => {
    const refused = await post({ model: 'n', speed: 'fast' });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error', details: [{ field: 'speed' }] } },
    ]);
    upstream.script = () => streamReaction(chatEvents('m'));
    await (await post({ model: 'm', speed: 'fast', stream: true })).text();
    expect(upstream.lastCall.body).not.toHaveProperty('speed');
  });

  it('stream through byte for byte, but for the cost and a comment before the last event', async () => {
    const events = messageEvents(MESSAGE, TEXTS, END);
    upstream.script = () => streamReaction(events);
    const sent = await (await post({ model: 'n', stream: true })).text();
    const [delta = '', stop = ''] = events.slice(-2);
    const before =
      events.slice(0, -2).join('') + delta.replace('"output_tokens":12', '"output_tokens":12,"cost":0.01112');
    expect(sent.slice(0, before.length)).toBe(before);
    expect(sent.slice(before.length)).toMatch(/^: cost=0\.01112 tokens=912 balance=[\d.]+\n\n/);
    expect(sent.endsWith(stop)).toBe(true);
  });

  it('are streamed where such an upstream answers JSON, and whole where it streams, charged by its usage', async () => {
    const content = [
      { type: 'thinking', thinking: 'A file.', signature: 'c2ln' },
      { type: 'text', text: 'See:', citations: [{ type: 'char_location', cited_text: 'the cape' }] },
      { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.txt' } },
    ];
    const end = { ...END, stop_reason: 'tool_use' };
    const message = { ...MESSAGE, content, ...end, usage: { ...USAGE, output_tokens: 12 } };
    upstream.script = () => jsonReaction(message);
    const sent = await (await post({ model: 'n', stream: true })).text();
    expect([...sent.matchAll(/^event: (.*)$/gm)].map(([, type]) => type)).toEqual([
      'message_start',
      ...['start', 'delta', 'delta', 'stop'].map((part) => `content_block_${part}`),
      ...['start', 'delta', 'delta', 'stop'].map((part) => `content_block_${part}`),
      ...['start', 'delta', 'stop'].map((part) => `content_block_${part}`),
      ...['message_delta', 'message_stop'],
    ]);
    expect(await running.lastReceipt(world.owner)).toMatchObject({ inputTokens: 900, outputTokens: 12 });
    upstream.script = () => streamReaction([sent]);
    const whole = await post({ model: 'n' });
    expect([whole.headers.get('x-request-cost'), await whole.json()]).toMatchObject(['0.01112', message]);
    upstream.script = () => streamReaction(messageEvents(MESSAGE, TEXTS, END).slice(0, 4));
    expect((await post({ model: 'n' })).status).toBe(502);
    expect(await running.lastReceipt(world.owner)).toMatchObject({ chargedNanoUsd: 0n });
  });

  it('are taken as Claude Code sends them where the upstream knows chats alone', async () => {
    upstream.script = () => streamReaction(chatEvents('m'));
    const kept = { cache_control: { type: 'ephemeral', ttl: '1h' } };
    const manual = 'Read a file before you change it. '.repeat(4_000);
    const tools = Array.from({ length: 20 }, (_, index) => ({
      ...{ name: `Tool${index}`, description: 'Reads.', input_schema: { type: 'object', properties: {} } },
      ...(index === 19 ? kept : {}),
    }));
    const reminder = { type: 'text', text: '<system-reminder>Today is Friday.</system-reminder>' };
    const answer = await post(
      {
        ...{ model: 'm', max_tokens: 32_000, stream: true, temperature: 1, tools },
        system: [
          { type: 'text', text: 'You are Claude Code.' },
          { type: 'text', text: manual, ...kept },
        ],
        messages: [{ role: 'user', content: [reminder, { type: 'text', text: 'Hello', ...kept }] }],
        metadata: { user_id: 'user_1_account__session_1' },
        thinking: { type: 'enabled', budget_tokens: 31_999 },
        context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
        output_config: { effort: 'high' },
      },
      { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'claude-code-20250219,context-management' },
    );
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('message_stop')]);
    const { messages, tools: sent, ...asked } = upstream.lastCall.body ?? {};
    expect(messages).toEqual([
      { role: 'system', content: `You are Claude Code.\n\n${manual}` },
      { role: 'user', content: [reminder, { type: 'text', text: 'Hello' }] },
    ]);
    expect([sent, JSON.stringify(sent).includes('cache_control')]).toMatchObject([{ length: 20 }, false]);
    expect(Object.keys(asked).sort()).toEqual(
      ['model', 'stream', 'stream_options', 'temperature', 'max_tokens'].sort(),
    );
  });

  it('end with the event error where an upstream breaks off, and what was delivered is charged', async () => {
    upstream.script = () => streamReaction(messageEvents(MESSAGE, TEXTS, END).slice(0, 4), { end: 'reset' });
    const sent = await (await post({ model: 'n', stream: true })).text();
    const [, last = ''] = /\n\nevent: error\ndata: (.*)\n\n$/.exec(sent) ?? [];
    expect(JSON.parse(last)).toEqual({
      type: 'error',
      error: { type: 'api_error', message: expect.stringContaining('in the middle of its answer') },
      request_id: expect.any(String),
    });
    expect(await running.lastReceipt(world.owner)).toMatchObject({ outcome: 'settled', outputTokens: 3 });
  });

  it("hand on the error of an upstream's stream once", async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const events = [...messageEvents(MESSAGE, TEXTS, END).slice(0, 4), `event: error\n${dataEvent(error)}`];
    upstream.script = () => streamReaction(events);
    const sent = await (await post({ model: 'n', stream: true })).text();
    expect(sent.match(/event: error/g)).toHaveLength(1);
    expect(sent).toContain('Overloaded');
  });

  it('count what a stream of a chat does not tell, and say so beside the reason of the end', async () => {
    upstream.script = () => streamReaction(chatEvents('m', { texts: ['Hello there.'], asksUsage: false }));
    const sent = await (await post({ model: 'm', stream: true })).text();
    const [, delta = ''] = /event: message_delta\ndata: (.*)\n/.exec(sent) ?? [];
    const { inputTokens, outputTokens, chargedNanoUsd } = await running.lastReceipt(world.owner);
    expect([outputTokens, JSON.parse(delta)]).toMatchObject([
      3,
      { usage: { input_tokens: inputTokens, output_tokens: 3, cost: Number(chargedNanoUsd) / 1e9 } },
    ]);
  });

  it('tell what such an upstream refuses in its words and of its type', async () => {
    const error = { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long' } };
    upstream.script = () => jsonReaction(error, { status: 400 });
    const answer = await post({ model: 'n' });
    expect([answer.status, await answer.json()]).toMatchObject([400, error]);
    upstream.script = () => jsonReaction({}, { status: 529 });
    const overloaded = await post({ model: 'n' });
    expect([overloaded.status, await overloaded.json()]).toMatchObject([
      502,
      { error: { type: 'api_error' } },
    ]);
  });

  it('can be repeated with an Idempotency-Key, also when they were streamed', async () => {
    const content = [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.txt' } }, ...TEXTS];
    upstream.script = () => streamReaction(messageEvents(MESSAGE, content, END));
    const headers = { 'idempotency-key': 'once' };
    await (await post({ model: 'n', stream: true }, headers)).text();
    const again = await post({ model: 'n', stream: true }, headers);
    expect([again.headers.get('idempotent-replayed'), await again.json()]).toMatchObject([
      'true',
      { ...MESSAGE, ...END, content, usage: { ...USAGE, output_tokens: 12 } },
    ]);
    expect(upstream.calls).toHaveLength(1);
  });

  it('are refused in their own form too before their operation is reached', async () => {
    const key = { 'x-api-key': world.owner.key };
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify({ ...REQUEST, model: 'm' });
    await world.setRates(world.stranger, { requests_per_hour: 1 });
    const beyond = { ...json, 'x-api-key': world.stranger.key };
    await fetch(`${running.url}/v1/messages/count_tokens`, { method: 'POST', headers: beyond, body });
    const refusals: [number, string, string, RequestInit][] = [
      [405, 'invalid_request_error', '/v1/messages', {}],
      [
        404,
        'not_found_error',
        '/v1/messages/batches',
        { method: 'POST', headers: { ...json, ...key }, body },
      ],
      [404, 'not_found_error', '/v1/messages/%zz', {}],
      [401, 'authentication_error', '/v1/messages', { method: 'POST', headers: json, body }],
      [415, 'invalid_request_error', '//v1/messages', { method: 'POST', headers: key, body }],
      [
        400,
        'invalid_request_error',
        '/v1/messages',
        { method: 'POST', headers: { ...json, ...key }, body: '{' },
      ],
      [429, 'rate_limit_error', '/v1/messages?beta=true', { method: 'POST', headers: beyond, body }],
    ];
    for (const [status, type, path, request] of refusals) {
      const answer = await fetch(running.url + path, request);
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        status,
        {
          type: 'error',
          error: expect.objectContaining({ type, message: expect.any(String), name: expect.any(String) }),
          request_id: answer.headers.get('request-id'),
          timestamp: expect.any(String),
        },
      ]);
    }
    const large = { ...REQUEST, model: 'm', system: 'x'.repeat(33_554_432) };
    const { status, text } = await callAs('createMessage', world, { body: large });
    expect([status, JSON.parse(text)]).toMatchObject([413, { error: { type: 'request_too_large' } }]);
  });
});
