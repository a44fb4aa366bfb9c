import type OpenAI from 'openai';
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { ServiceWithUpstreams } from '../support/upstream/service-with-upstreams';
import { chatAnswer, chatEvents, dataEvent, errorReaction } from '../support/upstream/upstream-answers';
import { jsonReaction, streamReaction } from '../support/upstream/upstream-answers';
import type { Reaction, RecordedRequest } from '../support/upstream/upstream-reaction';
import { World } from '../support/api/world';

const EMBEDDED = 'embedded-extractive-1';
const QUESTION = 'The library opens at nine. It closes at six. When does the library open?';
const TOOL = {
  ...{ type: 'function' as const, name: 'weather', strict: true },
  parameters: { type: 'object', properties: { city: { type: 'string' } }, additionalProperties: false },
};
const CALL = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } };
const USAGE = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };

/** A server of chats alone, which tells anybody who asks for a response that it has no such path. */
const chatsOnly =
  (react: (request: RecordedRequest) => Reaction) =>
  (request: RecordedRequest): Reaction =>
    request.path.endsWith('/responses')
      ? jsonReaction({ detail: 'Not Found' }, { status: 404 })
      : react(request);

describe('responses of the openai package', () => {
  let upstream: RawUpstream;
  let running: ServiceWithUpstreams;
  let world: World;
  let client: OpenAI;
  beforeEach(async () => {
    upstream = await RawUpstream.start(() => ({}));
    running = await ServiceWithUpstreams.start([
      { name: 'raw', base_url: upstream.baseUrl, models: [{ id: 'm' }] },
    ]);
    world = await World.create(running.service);
    client = running.clientOf(world.owner);
  });
  afterEach(async () => {
    expect(await running.faults()).toEqual([]);
    await running.stop();
    await upstream.stop();
  });

  it('come from the embedded engine', async () => {
    const response = await client.responses.create({ model: EMBEDDED, input: QUESTION });
    expect([response.output_text, response.status]).toEqual(['The library opens at nine.', 'completed']);
  });

  it('stream from the embedded engine, and cost what the last event says', async () => {
    const before = await world.balanceNanoUsd();
    const events: ResponseStreamEvent[] = [];
    for await (const event of await client.responses.create({
      model: EMBEDDED,
      input: QUESTION,
      stream: true,
    })) {
      events.push(event);
    }
    const types = events.map(({ type }) => type.replace('response.', ''));
    expect(types.filter((type) => type !== 'output_text.delta')).toEqual([
      ...['created', 'in_progress', 'output_item.added', 'content_part.added'],
      ...['output_text.done', 'content_part.done', 'output_item.done', 'completed'],
    ]);
    const { response } = events.at(-1) as { response: Response };
    expect(textOf(response)).toBe('The library opens at nine.');
    const cost = before - (await world.balanceNanoUsd());
    expect(cost).toBe(2_000_000n + 10_000n * BigInt(response.usage?.total_tokens ?? 0));
    expect((response.usage as unknown as { cost: number }).cost).toBe(Number(cost) / 1e9);
  });

  it('ask an upstream of chats for a response once, and for chats from then on', async () => {
    upstream.script = chatsOnly(({ body }) =>
      body?.stream === true
        ? streamReaction(chatEvents('m', { texts: ['Hello there.'] }))
        : jsonReaction(chatAnswer('m', { texts: ['Hello there.'] })),
    );
    const request = { model: 'm', input: 'Hello', instructions: 'Be brief.', max_output_tokens: 40 };
    const response = await client.responses.create(request);
    const streamed = await client.responses.stream(request).finalResponse();
    expect([response.output_text, streamed.output_text]).toEqual(['Hello there.', 'Hello there.']);
    expect(streamed.usage).toMatchObject({ input_tokens: response.usage?.input_tokens });
    expect(upstream.calls.map(({ path }) => path)).toEqual([
      '/v1/responses',
      '/v1/chat/completions',
      '/v1/chat/completions',
    ]);
    expect(upstream.lastCall.body).toMatchObject({
      max_tokens: 40,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
    });
  });

  it('call functions of the caller and take what those gave', async () => {
    upstream.script = chatsOnly(({ body }) => {
      const messages = body?.messages as { role: string }[];
      const isAnswered = messages.some(({ role }) => role === 'tool');
      const message = isAnswered ? { content: 'It is sunny.' } : { content: null, tool_calls: [CALL] };
      const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' };
      return jsonReaction({ ...chatAnswer('m'), choices: [choice], usage: USAGE });
    });
    const input = [{ role: 'user' as const, content: 'What is the weather in Rome?' }];
    const asked = await client.responses.create({ model: 'm', input, tools: [TOOL] });
    expect(asked.output).toMatchObject([
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' },
    ]);
    const output = { type: 'function_call_output' as const, call_id: 'call_1', output: 'sunny' };
    const items = [...input, ...(asked.output as OpenAI.Responses.ResponseInputItem[]), output];
    const answered = await client.responses.create({ model: 'm', input: items, tools: [TOOL] });
    expect(answered.output_text).toBe('It is sunny.');
    expect(upstream.lastCall.body?.messages).toEqual([
      ...input,
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
    ]);
  });

  it('are parsed by the form that was asked for', async () => {
    upstream.script = chatsOnly(() => jsonReaction(chatAnswer('m', { texts: ['{"city":"Rome"}'] })));
    const format = { type: 'json_schema' as const, name: 'place', schema: TOOL.parameters, strict: true };
    const response = await client.responses.parse({ model: 'm', input: 'Where?', text: { format } });
    expect(JSON.parse(response.output_text)).toEqual({ city: 'Rome' });
    expect(upstream.lastCall.body?.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'place', schema: TOOL.parameters, strict: true },
    });
  });

  it('pass through unchanged, unstored, from an upstream that knows them', async () => {
    const text =
      '{"id":"resp_x", "object":"response","created_at":1.0,"status":"completed","model":"m","vendor":{"a":1.50},"output":[],"usage":{"input_tokens":7,"output_tokens":5,"total_tokens":12}}';
    upstream.script = () => jsonReaction(text);
    const tools = [{ type: 'custom' as const, name: 'shout' }];
    const raw = await client.responses.create({ model: 'm', input: 'x', tools, store: true }).asResponse();
    expect(await raw.text()).toBe(text);
    expect(upstream.calls).toHaveLength(1);
    expect(upstream.lastCall.body).toMatchObject({ input: 'x', tools, store: false });
    expect(await running.lastReceipt(world.owner)).toMatchObject({ inputTokens: 7, outputTokens: 5 });
  });

  it('stream through byte for byte, but for the cost and a comment before the last event', async () => {
    const events = nativeEvents();
    upstream.script = () => streamReaction(events);
    const raw = await client.responses.create({ model: 'm', input: 'x', stream: true }).asResponse();
    const [before, last] = [events.slice(0, -1).join(''), events.at(-1) ?? ''];
    const sent = await raw.text();
    expect(sent.slice(0, before.length)).toBe(before);
    const [comment, end] = sent.slice(before.length).split(/(?<=\n\n)/);
    expect(comment).toMatch(/^: cost=0\.00212 tokens=12 balance=[\d.]+\n\n$/);
    expect(end).toBe(last.replace('"total_tokens":12', '"total_tokens":12,"cost":0.00212'));
  });

  it('end as failed where an upstream breaks off, and what was delivered is charged', async () => {
    upstream.script = () => streamReaction(nativeEvents().slice(0, 2), { end: 'reset' });
    const events: ResponseStreamEvent[] = [];
    for await (const event of await client.responses.create({ model: 'm', input: 'x', stream: true })) {
      events.push(event);
    }
    expect(events.at(-1)).toMatchObject({
      ...{ type: 'response.failed', sequence_number: 2 },
      response: {
        status: 'failed',
        error: { message: expect.stringContaining('in the middle of its answer') },
        usage: { output_tokens: 1, cost: expect.any(Number) },
      },
    });
    expect(await running.lastReceipt(world.owner)).toMatchObject({ outputTokens: 1 });
  });

  it('tell an error that a chat reports in the middle, once', async () => {
    const [first = '', second = ''] = chatEvents('m', { texts: ['Hello there.'] });
    const error = dataEvent({ error: { message: 'Out of memory.', code: 'oom' } });
    upstream.script = chatsOnly(() => streamReaction([first, second, error]));
    const events: ResponseStreamEvent[] = [];
    for await (const event of await client.responses.create({ model: 'm', input: 'x', stream: true })) {
      events.push(event);
    }
    const errors = events.filter(({ type }) => type === 'error');
    expect(errors).toMatchObject([{ code: 'oom', message: 'Out of memory.' }]);
  });

  it('count what an upstream does not, and say so', async () => {
    upstream.script = chatsOnly(() =>
      jsonReaction(chatAnswer('m', { texts: ['Hello there.'], usage: null })),
    );
    const response = await client.responses.create({ model: 'm', input: 'x' });
    expect(response.usage?.output_tokens).toBe(3);
    const { outputTokens, inputTokens } = await running.lastReceipt(world.owner);
    expect([outputTokens, inputTokens]).toEqual([3, response.usage?.input_tokens]);
  });

  it('count what a stream does not tell, and say so in its last event', async () => {
    upstream.script = chatsOnly(() =>
      streamReaction(chatEvents('m', { texts: ['Hello there.'], asksUsage: false })),
    );
    const { usage } = await client.responses.stream({ model: 'm', input: 'x' }).finalResponse();
    const { outputTokens, inputTokens, chargedNanoUsd } = await running.lastReceipt(world.owner);
    expect([outputTokens, usage]).toMatchObject([
      3,
      { input_tokens: inputTokens, output_tokens: 3, cost: Number(chargedNanoUsd) / 1e9 },
    ]);
  });

  it.each([
    ['a model that is not there', 404, 'The model `m` does not exist', 404],
    ['a request at fault', 400, 'No.', 400],
  ])('refuse %s without asking for a chat', async (_, status, message, seen) => {
    upstream.script = () => errorReaction(status, message);
    const call = client.responses.create({ model: 'm', input: 'x' });
    await expect(call).rejects.toMatchObject({ status: seen });
    expect(upstream.calls.map(({ path }) => path)).toEqual(['/v1/responses']);
  });

  it.each([405, 501])('take %d for the lack of responses', async (status) => {
    upstream.script = ({ path }) =>
      path.endsWith('/responses') ? { status } : jsonReaction(chatAnswer('m', { texts: ['Hi'] }));
    for (const input of ['x', 'y']) {
      expect((await client.responses.create({ model: 'm', input })).output_text).toBe('Hi');
    }
    expect(upstream.calls.filter(({ path }) => path.endsWith('/responses'))).toHaveLength(1);
  });

  it('can be repeated with an Idempotency-Key, also when they were streamed', async () => {
    upstream.script = () => streamReaction(nativeEvents());
    const headers = { 'Idempotency-Key': 'once' };
    const request = { model: 'm', input: 'x', stream: true as const };
    await (await client.responses.create(request, { headers }).asResponse()).text();
    const again = await client.responses.create(request, { headers }).asResponse();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.json()).toMatchObject({ id: 'resp_x', status: 'completed' });
    expect(upstream.calls).toHaveLength(1);
  });
});

function textOf({ output }: Response): unknown {
  const [item] = output;
  return item?.type === 'message' && item.content[0]?.type === 'output_text' ? item.content[0].text : item;
}

function nativeEvents(): string[] {
  const response = {
    id: 'resp_x',
    object: 'response',
    created_at: 1,
    status: 'in_progress',
    model: 'm',
    output: [],
  };
  const usage = { input_tokens: 7, output_tokens: 5, total_tokens: 12 };
  const place = { item_id: 'msg_x', output_index: 0, content_index: 0 };
  return [
    { type: 'response.created', response, sequence_number: 0 },
    { type: 'response.output_text.delta', ...place, delta: 'Hello', vendor: 1, sequence_number: 1 },
    { type: 'response.completed', response: { ...response, status: 'completed', usage }, sequence_number: 2 },
  ].map((event) => `event: ${event.type}\n${dataEvent(event)}`);
}
