import { answering, completionEvents } from '../support/upstream/faulty-upstreams';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { chatCostNanoUsd, MODEL, sdkScene } from '../support/upstream/sdk-scene';
import { StreamedCall } from '../support/upstream/streamed-call';
import {
  chatAnswer,
  chatEvents,
  dataEvent,
  errorReaction,
  jsonReaction,
  streamReaction,
} from '../support/upstream/upstream-answers';
import type { Reaction } from '../support/upstream/upstream-reaction';
import { newId } from '../../src/runtime/ids';
import { until } from '../support/until';

const TEXT = 'Hello there.';
const MESSAGES = [{ role: 'user' as const, content: 'x' }];
const CHAT = { model: MODEL, messages: MESSAGES };
const USAGE = { input_tokens: 9, output_tokens: 3, total_tokens: 12 };
const PART = { type: 'output_text', text: TEXT, annotations: [] };
const ITEM = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [PART] };
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 7,
  model: MODEL,
  output: [ITEM],
  usage: USAGE,
};
const COMPLETED = { ...RESPONSE, status: 'completed', error: null };
const BEGUN = { ...COMPLETED, status: 'in_progress', output: [], usage: null };
const CREATED = dataEvent({ type: 'response.created', response: BEGUN, sequence_number: 0 });
const DELTA = dataEvent({
  ...{ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0 },
  ...{ delta: TEXT, logprobs: [], sequence_number: 1 },
});

/** A chunk of a chat with pieces of tool calls. */
function calls(pieces: readonly object[], reason: string | null = null): string {
  const delta = { tool_calls: pieces };
  return dataEvent({
    id: 'c',
    created: 7,
    model: MODEL,
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
}

describe('the openai package: answers in another form than was asked for', () => {
  const scene = sdkScene(() => RawUpstream.start(() => ({})));
  const answer = (reaction: Reaction) => (scene.upstream.script = () => reaction);
  const chatText = async () => {
    const stream = await scene.client.chat.completions.create({ ...CHAT, stream: true });
    let text = '';
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
    }
    return text;
  };
  const called = (body: object, path = 'chat/completions') =>
    new StreamedCall({
      url: `${scene.running.url}/v1/${path}`,
      key: scene.world.owner.key,
      requestId: newId(),
      body: { model: MODEL, stream: true, ...body },
    });

  it('are streamed where the upstream answers JSON', async () => {
    answer(jsonReaction(chatAnswer(MODEL, { texts: [TEXT] })));
    expect(await chatText()).toBe(TEXT);
    expect(await scene.spentNanoUsd()).toBe(chatCostNanoUsd(11));
    scene.upstream.script = (request, count) =>
      answering(TEXT)({ ...request, body: { ...request.body, stream: false } }, count);
    const stream = await scene.client.completions.create({ model: MODEL, prompt: 'x', stream: true });
    let text = '';
    for await (const chunk of stream) {
      text += chunk.choices[0]?.text ?? '';
    }
    expect(text).toBe(TEXT);
    answer(jsonReaction(COMPLETED));
    const response = await scene.client.responses.stream({ model: MODEL, input: 'x' }).finalResponse();
    expect([response.output_text, response.usage?.total_tokens]).toEqual([TEXT, 12]);
  });

  it('are whole where the upstream streams, and charged by its usage', async () => {
    answer(streamReaction(chatEvents(MODEL, { texts: [TEXT] })));
    const chat = await scene.client.chat.completions.create(CHAT);
    expect([chat.object, chat.choices[0]?.message.content]).toEqual(['chat.completion', TEXT]);
    expect(await scene.spentNanoUsd()).toBe(chatCostNanoUsd(11));
    answer(
      streamReaction(completionEvents(MODEL, TEXT), { headers: { 'content-type': 'application/json' } }),
    );
    expect((await scene.client.completions.create({ model: MODEL, prompt: 'x' })).choices[0]?.text).toBe(
      TEXT,
    );
    const end = dataEvent({ type: 'response.completed', response: COMPLETED, sequence_number: 2 });
    answer(streamReaction([CREATED, DELTA, end]));
    expect((await scene.client.responses.create({ model: MODEL, input: 'x' })).output_text).toBe(TEXT);
    answer(streamReaction(chatEvents(MODEL, { texts: [TEXT] }).slice(0, 2)));
    await expect(scene.client.chat.completions.create(CHAT)).rejects.toMatchObject({ status: 502 });
  });

  it.each(['text/plain', 'application/octet-stream', 'application/json'])(
    'are streams whatever their type: %s',
    async (type) => {
      answer(streamReaction(chatEvents(MODEL, { texts: [TEXT] }), { headers: { 'content-type': type } }));
      expect(await chatText()).toBe(TEXT);
    },
  );

  it.each<[string, readonly string[]]>([
    [
      'share an index',
      [
        calls([{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"x"' } }]),
        calls([{ index: 0, function: { arguments: ':1}' } }]),
        calls([{ index: 0, id: 'b', type: 'function', function: { name: 'f', arguments: '{"x":2}' } }]),
      ],
    ],
    [
      'have none',
      [
        calls([
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
          { id: 'b', type: 'function', function: { name: 'f', arguments: '{"x"' } },
        ]),
        calls([{ function: { arguments: ':2}' } }]),
      ],
    ],
    [
      'have neither index nor id',
      [
        calls([{ id: '', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }]),
        calls([{ id: '', type: 'function', function: { name: 'f', arguments: '{"x":2}' } }]),
      ],
    ],
  ])('tell calls of tools apart that %s', async (_, chunks) => {
    const role = dataEvent({ choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }] });
    answer(streamReaction([role, ...chunks, calls([], 'tool_calls'), dataEvent('[DONE]')]));
    const stream = scene.client.chat.completions.stream(CHAT);
    const [choice] = (await stream.finalChatCompletion()).choices;
    const told = choice?.message.tool_calls?.map((call) => 'function' in call && call.function.arguments);
    expect(told).toEqual(['{"x":1}', '{"x":2}']);
  });

  it('have no ids of the upstream, by which a client would dispatch an empty event for each comment', async () => {
    const events = chatEvents(MODEL, { texts: [TEXT] }).map(
      (event, index) => `id: ${index}\nretry: 5\n${event}`,
    );
    answer(streamReaction([...events.slice(0, 2), 'event: ping\nid: x\n\n', ...events.slice(2)]));
    const call = called({ messages: MESSAGES });
    await call.ends();
    expect([call.delivered, call.isDone]).toEqual([TEXT, true]);
    expect(call.text).not.toMatch(/^(?:id|retry|event)/m);
    expect(call.text).toMatch(/^: cost=/m);
  });

  it('end a response that dies as a failed one, with what it cost', async () => {
    answer(streamReaction([CREATED, DELTA], { end: 'cut' }));
    const call = called({ input: 'x' }, 'responses');
    await call.ends();
    const last = call.text
      .split('\n\n')
      .filter((block) => block.includes('data: '))
      .at(-1);
    const [, type, data = ''] = /^event: (\S+)\ndata: (.*)$/.exec(last ?? '') ?? [];
    expect([type, JSON.parse(data)]).toMatchObject([
      'response.failed',
      {
        type: 'response.failed',
        sequence_number: 2,
        response: {
          ...{ id: 'resp_1', status: 'failed' },
          error: { code: 'server_error', message: expect.stringContaining('in the middle of its answer') },
          usage: { output_tokens: 3, cost: expect.any(Number) },
        },
      },
    ]);
    const { usage } = (JSON.parse(data) as { response: { usage: { total_tokens: number } } }).response;
    expect(await scene.spentNanoUsd()).toBe(chatCostNanoUsd(usage.total_tokens));
  });

  /** An upstream that has the call, and answers when it is told to. */
  function slow() {
    let tell: (reaction: Reaction) => void = () => undefined;
    const reaction = new Promise<Reaction>((resolve) => (tell = resolve));
    scene.upstream.script = () => reaction;
    return tell;
  }

  it('begin with headers and a comment while the upstream has not answered', async () => {
    const tell = slow();
    const call = called({ messages: MESSAGES });
    await until('a comment is there', () => call.text !== '');
    expect([call.status, call.text, call.headers['x-model-used']]).toEqual([200, ': waiting\n\n', MODEL]);
    tell(streamReaction(chatEvents(MODEL, { texts: [TEXT] })));
    await call.ends();
    expect([call.delivered, call.isDone]).toEqual([TEXT, true]);
    expect(await scene.spentNanoUsd()).toBe(chatCostNanoUsd(11));
  });

  it.each<[string, Reaction, string, number]>([
    ['a refusal', errorReaction(400, 'no such temperature'), 'no such temperature', 400],
    ['a failure', errorReaction(401, 'x'), 'Nothing was charged', 502],
  ])('tell %s behind the headers as an event, and cost nothing', async (_, reaction, message, code) => {
    const tell = slow();
    const call = called({ messages: MESSAGES });
    await until('a comment is there', () => call.text !== '');
    tell(reaction);
    await call.ends();
    expect([call.status, call.end, call.isDone]).toEqual([200, 'complete', false]);
    expect(call.error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(await scene.spentNanoUsd()).toBe(0n);
  });

  it('are left behind the headers like any stream: the input is paid', async () => {
    slow();
    const call = called({ messages: MESSAGES });
    await until('a comment is there', () => call.text !== '');
    call.leave();
    await until('the call is settled', async () => (await scene.spentNanoUsd()) > 0n);
    expect((await scene.running.lastReceipt(scene.world.owner)).outputTokens).toBe(0);
  });
});
