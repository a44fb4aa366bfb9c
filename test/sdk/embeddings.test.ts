import { RawUpstream } from '../support/upstream/raw-upstream';
import { MODEL, sdkScene } from '../support/upstream/sdk-scene';
import { embeddingAnswer, jsonReaction, vectorOf } from '../support/upstream/upstream-answers';

const TEXTS = ['the sea', 'the dunes at night', 'wind'];
const WORDS = 2 + 4 + 1;

describe('the openai package: embeddings', () => {
  const scene = sdkScene(() => RawUpstream.start((request) => jsonReaction(embeddingAnswer(request))));

  it('gets vectors that travel as base64, which it asks for by itself', async () => {
    const { data, model, usage } = await scene.client.embeddings.create({ model: MODEL, input: TEXTS });
    expect(scene.upstream.lastCall.body).toMatchObject({ encoding_format: 'base64', input: TEXTS });
    expect(data.map(({ embedding }) => [...embedding])).toEqual(TEXTS.map(vectorOf));
    expect(data.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect([model, usage]).toEqual([MODEL, { prompt_tokens: WORDS, total_tokens: WORDS }]);
    expect(await scene.spentNanoUsd()).toBe(100_000n + 1_000n * BigInt(WORDS));
  });

  it('gets the same as numbers', async () => {
    const request = { model: MODEL, input: 'the sea', encoding_format: 'float' as const };
    const { data } = await scene.client.embeddings.create(request);
    expect(scene.upstream.lastCall.body).toMatchObject(request);
    expect(data[0]?.embedding).toEqual(vectorOf('the sea'));
    expect(await scene.spentNanoUsd()).toBe(102_000n);
  });

  it('gets a large batch, in its order', async () => {
    const input = Array.from({ length: 2_048 }, (_, index) => `text ${index}`);
    const { data } = await scene.client.embeddings.create({ model: MODEL, input, dimensions: 4 });
    expect(data.map(({ index }) => index)).toEqual(input.map((_, index) => index));
    expect([...(data.at(-1)?.embedding ?? [])]).toEqual(vectorOf('text 2047'));
    expect(scene.upstream.lastCall.body).toMatchObject({ dimensions: 4 });
  });
});
