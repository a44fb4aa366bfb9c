import { RawUpstream } from '../support/upstream/raw-upstream';
import { MODEL, sdkScene } from '../support/upstream/sdk-scene';
import { dataEvent, jsonReaction, streamReaction } from '../support/upstream/upstream-answers';
import type { Reaction, RecordedRequest } from '../support/upstream/upstream-reaction';

const ASKED = [{ role: 'user', content: 'x' }];
const RESPONSES = ['/v1/responses', { input: 'x' }] as const;
const AGENT = ['/api/hub/agents/chat', { messages: ASKED }] as const;
const CHAT = ['/v1/chat/completions', { messages: ASKED }] as const;
/** As providers send it whose models think aloud. */
const PARTS = [
  { type: 'thinking', thinking: [{ type: 'text', text: 'A greeting wants a greeting.' }] },
  { type: 'text', text: 'Hello ' },
  { type: 'text', text: 'there.' },
];

describe('answers that are not as the API has them', () => {
  const scene = sdkScene(() => RawUpstream.start(() => ({})));

  it.each([
    ['null', RESPONSES, [{ index: 0, message: null, finish_reason: 'stop' }]],
    ['null', AGENT, [{ index: 0, message: null, finish_reason: 'stop' }]],
    ['missing', RESPONSES, [{ index: 0, finish_reason: 'stop' }]],
    ['missing', AGENT, [{ index: 0, finish_reason: 'stop' }]],
    ['a text', RESPONSES, [{ index: 0, message: 'Hello', finish_reason: 'stop' }]],
    ['a text', AGENT, [{ index: 0, message: 'Hello', finish_reason: 'stop' }]],
  ])('are 502 and free where the message is %s: %j', async (_, [path, fields], choices) => {
    scene.upstream.script = chats(() => jsonReaction({ id: 'x', created: 1, model: MODEL, choices }));
    expect((await post(path, fields)).status).toBe(502);
    expect(await scene.spentNanoUsd()).toBe(0n);
  });

  it('are read where the content is parts', async () => {
    const message = { role: 'assistant', content: PARTS };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    scene.upstream.script = chats(() => jsonReaction({ id: 'x', created: 1, model: MODEL, choices }));
    expect(JSON.parse((await post(...RESPONSES)).text)).toMatchObject({
      output: [
        { type: 'reasoning', content: [{ text: 'A greeting wants a greeting.' }] },
        { type: 'message', content: [{ type: 'output_text', text: 'Hello there.' }] },
      ],
    });
    expect(JSON.parse((await post(...AGENT)).text)).toMatchObject({
      data: { message: { content: 'Hello there.' } },
    });
  });

  it.each([undefined, null, 'now'])('are given a time where theirs is %p', async (created) => {
    const message = { role: 'assistant', content: 'Hello' };
    const choices = [{ index: 0, message, delta: message, finish_reason: 'stop' }];
    const answer = { id: 'x', created, model: MODEL, choices };
    scene.upstream.script = chats(() => jsonReaction(answer));
    const whole = await post(...RESPONSES);
    expect([whole.status, JSON.parse(whole.text)]).toMatchObject([200, { created_at: expect.any(Number) }]);
    scene.upstream.script = chats(() => streamReaction([dataEvent(answer), dataEvent('[DONE]')]));
    const { created_at: at } = await scene.client.responses
      .stream({ model: MODEL, input: 'x' })
      .finalResponse();
    expect(at).toBeGreaterThan(1_700_000_000);
  });

  it('are read and counted where the content of a stream is parts', async () => {
    const chunks = PARTS.map((part) => dataEvent({ choices: [{ index: 0, delta: { content: [part] } }] }));
    const finish = dataEvent({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    scene.upstream.script = chats(() => streamReaction([...chunks, finish, dataEvent('[DONE]')]));
    const response = await scene.client.responses.stream({ model: MODEL, input: 'x' }).finalResponse();
    expect(response.output_text).toBe('Hello there.');
    const counted = response.usage?.output_tokens;
    expect(counted).toBeGreaterThan(7);
    expect((await post(...AGENT, true)).text).toContain('"content":"there."');
    for (const [path, fields] of [AGENT, CHAT]) {
      await post(path, fields, true);
      expect((await scene.running.lastReceipt(scene.world.owner)).outputTokens).toBe(counted);
    }
  });

  async function post(
    path: string,
    fields: object,
    stream = false,
  ): Promise<{ status: number; text: string }> {
    const response = await fetch(scene.running.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': scene.world.owner.key },
      body: JSON.stringify({ model: MODEL, ...fields, ...(stream && { stream }) }),
    });
    return { status: response.status, text: await response.text() };
  }
});

/** A server that knows no responses. */
function chats(answer: () => Reaction): (request: RecordedRequest) => Reaction {
  return ({ path }) => (path.endsWith('/responses') ? { status: 405 } : answer());
}
