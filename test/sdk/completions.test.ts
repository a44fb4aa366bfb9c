import type OpenAI from 'openai';
import { nanoToUsd } from '../../src/ledger/money';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { chatCostNanoUsd, MODEL, sdkScene } from '../support/upstream/sdk-scene';
import { dataEvent, jsonReaction, streamReaction, usageOf } from '../support/upstream/upstream-answers';
import type { RecordedRequest } from '../support/upstream/upstream-reaction';

const WORDS = [' sea', ' shells', ' on', ' the', ' shore'];
const TEXT = WORDS.join('');
const USAGE = usageOf([TEXT], 4);
const REQUEST = { model: MODEL, prompt: 'She sells', max_tokens: 20 };

describe('the openai package: completions', () => {
  const scene = sdkScene(() => RawUpstream.start(complete));

  it('gets the text, and pays for the tokens that the upstream counted', async () => {
    const completion = await scene.client.completions.create({ ...REQUEST, logprobs: 1, echo: false });
    expect(completion.choices).toEqual([{ text: TEXT, index: 0, logprobs: null, finish_reason: 'stop' }]);
    expect(scene.upstream.lastCall).toMatchObject({
      path: '/v1/completions',
      body: { ...REQUEST, logprobs: 1, echo: false },
    });
    expect(await scene.spentNanoUsd()).toBe(chatCostNanoUsd(USAGE.total_tokens ?? 0));
  });

  it('gets one for each of several prompts', async () => {
    const prompt = ['She sells', 'He sells'];
    const { choices } = await scene.client.completions.create({ ...REQUEST, prompt });
    expect(choices.map(({ index, text }) => [index, text])).toEqual([
      [0, TEXT],
      [1, TEXT],
    ]);
  });

  it('gets the text in pieces, and the usage that it asks for with its cost', async () => {
    const stream = await scene.client.completions.create({
      ...REQUEST,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.Completion[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
    }
    expect(chunks.flatMap(({ choices }) => choices.map(({ text }) => text))).toEqual([...WORDS, '']);
    const cost = chatCostNanoUsd(USAGE.total_tokens ?? 0);
    expect(chunks.at(-1)?.usage).toEqual({ ...USAGE, cost: nanoToUsd(cost) });
    expect(await scene.spentNanoUsd()).toBe(cost);
  });

  it('gets no usage in a stream that it did not ask for', async () => {
    const chunks: OpenAI.Completion[] = [];
    for await (const chunk of await scene.client.completions.create({ ...REQUEST, stream: true })) {
      chunks.push(chunk);
    }
    expect(chunks.map(({ choices, usage }) => [choices.length, usage ?? null])).toEqual(
      [...WORDS, ''].map(() => [1, null]),
    );
    expect(await scene.spentNanoUsd()).toBe(chatCostNanoUsd(USAGE.total_tokens ?? 0));
  });
});

function complete({ body = {} }: RecordedRequest) {
  const common = { id: 'cmpl-raw-1', object: 'text_completion', created: 1_760_000_000, model: MODEL };
  const choice = (text: string, finish_reason: string | null, index = 0) => ({
    text,
    index,
    logprobs: null,
    finish_reason,
  });
  if (body.stream === true) {
    return streamReaction([
      ...WORDS.map((word) => dataEvent({ ...common, choices: [choice(word, null)] })),
      dataEvent({ ...common, choices: [choice('', 'stop')] }),
      dataEvent({ ...common, choices: [], usage: USAGE }),
      dataEvent('[DONE]'),
    ]);
  }
  const prompts = [body.prompt].flat();
  return jsonReaction({
    ...common,
    choices: prompts.map((_, index) => choice(TEXT, 'stop', index)),
    usage: usageOf(
      prompts.map(() => TEXT),
      4 * prompts.length,
    ),
  });
}
