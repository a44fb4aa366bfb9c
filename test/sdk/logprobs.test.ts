import type OpenAI from 'openai';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { MODEL, sdkScene } from '../support/upstream/sdk-scene';
import { chatAnswer, chatEvents, jsonReaction, streamReaction } from '../support/upstream/upstream-answers';

const TEXT = 'Yes, très wet.';
const WORDS = ['Yes,', ' très', ' wet.'];
const CHAT = {
  model: MODEL,
  logprobs: true,
  top_logprobs: 2,
  messages: [{ role: 'user' as const, content: 'Is it wet?' }],
};

describe('the openai package: logprobs', () => {
  const answers = { texts: [TEXT], logprobs: true };
  const scene = sdkScene(() =>
    RawUpstream.start(({ body }) =>
      body?.stream === true
        ? streamReaction(chatEvents(MODEL, answers))
        : jsonReaction(chatAnswer(MODEL, answers)),
    ),
  );

  it('gets one for each token, with its bytes and alternatives', async () => {
    const { choices } = await scene.client.chat.completions.create(CHAT);
    expectLogprobs(choices[0]?.logprobs?.content ?? []);
    expect(scene.upstream.lastCall.body).toMatchObject({ logprobs: true, top_logprobs: 2 });
  });

  it('gets them in a stream', async () => {
    const found: OpenAI.ChatCompletionTokenLogprob[] = [];
    for await (const { choices } of await scene.client.chat.completions.create({ ...CHAT, stream: true })) {
      found.push(...(choices[0]?.logprobs?.content ?? []));
    }
    expectLogprobs(found);
  });
});

function expectLogprobs(found: readonly OpenAI.ChatCompletionTokenLogprob[]): void {
  expect(found.map(({ token }) => token)).toEqual(WORDS);
  expect(found.map(({ bytes }) => Buffer.from(bytes ?? []).toString('utf8'))).toEqual(WORDS);
  expect(found.map(({ logprob }) => logprob)).toEqual(WORDS.map(() => -0.25));
  expect(found.map(({ top_logprobs }) => top_logprobs.map(({ logprob }) => logprob))).toEqual(
    WORDS.map(() => [-0.25, -1.5]),
  );
}
