import type OpenAI from 'openai';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { chatCostNanoUsd, MODEL, sdkScene } from '../support/upstream/sdk-scene';
import {
  chatAnswer,
  chatEvents,
  jsonReaction,
  streamReaction,
  usageOf,
} from '../support/upstream/upstream-answers';

const TEXTS = ['Terns dive for sand eels.', 'Gulls glide.', 'Waders wade and wait.'];
const TOKENS = usageOf(TEXTS).total_tokens ?? 0;
const CHAT = { model: MODEL, n: 3, messages: [{ role: 'user' as const, content: 'A line on a bird.' }] };

describe('the openai package: several choices', () => {
  const scene = sdkScene(() =>
    RawUpstream.start(({ body }) =>
      body?.stream === true
        ? streamReaction(chatEvents(MODEL, { texts: TEXTS }))
        : jsonReaction(chatAnswer(MODEL, { texts: TEXTS })),
    ),
  );

  it('gets every choice, and pays for all of them', async () => {
    const { choices } = await scene.client.chat.completions.create(CHAT);
    expect(choices.map(({ index, message }) => [index, message.content])).toEqual([...TEXTS.entries()]);
    expect(scene.upstream.lastCall.body).toMatchObject({ n: 3 });
    expect(await scene.spentNanoUsd()).toBe(chatCostNanoUsd(TOKENS));
  });

  it('gets the choices of a stream interleaved as the upstream sends them', async () => {
    const order: number[] = [];
    const texts = ['', '', ''];
    for await (const { choices } of await scene.client.chat.completions.create({ ...CHAT, stream: true })) {
      for (const { index, delta } of choices) {
        order.push(index);
        texts[index] += delta.content ?? '';
      }
    }
    expect(texts).toEqual(TEXTS);
    expect(order.slice(0, 9)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
    expect(await scene.spentNanoUsd()).toBe(chatCostNanoUsd(TOKENS));
  });

  it('reserves for every choice: too little for three may be enough for one', async () => {
    const long = { ...CHAT, max_tokens: 1_000 };
    await scene.world.setBalanceUsd(scene.world.owner, '0.02');
    const refused = scene.client.chat.completions.create(long);
    await expect(refused).rejects.toMatchObject({ status: 402 });
    expect(await scene.world.balanceNanoUsd()).toBe(20_000_000n);
    const single = await scene.client.chat.completions.create({ ...long, n: 1 });
    expect(single.object).toBe('chat.completion');
  });

  it('keeps each choice within its part of what was reserved', async () => {
    await scene.client.chat.completions.create({ ...CHAT, max_tokens: 100 });
    const { max_tokens, max_completion_tokens } = scene.upstream.lastCall
      .body as unknown as OpenAI.ChatCompletionCreateParams;
    expect(max_completion_tokens ?? max_tokens).toBe(100);
  });
});
