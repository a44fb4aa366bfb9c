import type OpenAI from 'openai';
import { usdToNano } from '../../src/ledger/money';
import { MockUpstream } from '../support/upstream/mock-upstream';
import { chatCostNanoUsd, MODEL, sdkScene, UPSTREAM_KEY } from '../support/upstream/sdk-scene';

const USAGE = { prompt_tokens: 21, completion_tokens: 7, total_tokens: 28 };
const CHAT: OpenAI.ChatCompletionCreateParamsNonStreaming = {
  model: MODEL,
  messages: [
    { role: 'system', content: 'You answer briefly.' },
    { role: 'user', content: 'When is high water?' },
  ],
};

describe('the openai package: chat', () => {
  const scene = sdkScene(MockUpstream.start);
  beforeEach(() => {
    scene.upstream.reset();
    scene.upstream.mock.onMessage('high water', { content: 'At two.', usage: USAGE });
  });

  it("gets the upstream's answer, and pays for the tokens that the upstream counted", async () => {
    const { data, response } = await scene.client.chat.completions.create(CHAT).withResponse();
    expect(data.choices[0]).toMatchObject({
      message: { role: 'assistant', content: 'At two.' },
      finish_reason: 'stop',
    });
    expect(data.usage).toMatchObject(USAGE);
    const cost = chatCostNanoUsd(USAGE.total_tokens);
    expect(await scene.spentNanoUsd()).toBe(cost);
    const header = (name: string) => Number(response.headers.get(name));
    expect(usdToNano(header('x-request-cost'))).toBe(cost);
    expect(header('x-tokens-used')).toBe(USAGE.total_tokens);
    expect(usdToNano(header('x-balance-remaining'))).toBe(await scene.world.balanceNanoUsd());
    expect(response.headers.get('x-model-used')).toBe(data.model);
  });

  it('reaches the upstream with all its fields, whatever they mean', async () => {
    const fields = { temperature: 0.25, seed: 7, user: 'ada', metadata: { a: 'b' }, vendor_field: [1, null] };
    await scene.client.chat.completions.create({ ...CHAT, ...fields, max_tokens: 50 });
    expect(scene.upstream.bodies).toHaveLength(1);
    expect(scene.upstream.bodies[0]).toMatchObject({ ...CHAT, ...fields });
  });

  it("shows the upstream the operator's key, never its own", async () => {
    await scene.client.chat.completions.create(CHAT);
    const request = scene.upstream.mock.getLastRequest();
    // The mock keeps no more of a credential than that there was one.
    expect(Object.keys(request?.headers ?? {})).toContain('authorization');
    expect(JSON.stringify(request)).not.toContain(scene.world.owner.key);
    expect(UPSTREAM_KEY).not.toBe(scene.world.owner.key);
  });

  it('hands images on as they are', async () => {
    const content: OpenAI.ChatCompletionContentPart[] = [
      { type: 'text', text: 'high water in this picture?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
      { type: 'image_url', image_url: { url: 'https://tides.example/chart.png' } },
    ];
    const messages = [{ role: 'user' as const, content }];
    const completion = await scene.client.chat.completions.create({ model: MODEL, messages });
    expect(completion.choices[0]?.message.content).toBe('At two.');
    expect(scene.upstream.bodies[0]).toMatchObject({ messages });
  });

  it('gets an answer of several turns', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'Hello', name: 'ada' },
      { role: 'assistant', content: 'Hello Ada.' },
      { role: 'user', content: 'When is high water?' },
    ];
    await scene.client.chat.completions.create({ model: MODEL, messages });
    expect(scene.upstream.bodies[0]).toMatchObject({ messages });
  });
});
