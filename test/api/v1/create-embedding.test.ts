import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { expectFreeRefusals } from '../../support/api/free-refusals';
import { nestedList } from '../../support/api/nested-list';
import { expectPassedOnRefusal } from '../../support/upstream/upstream-refusal';
import type { World } from '../../support/api/world';

const MODEL = 'embedded-hash-384';
const EMBEDDING = { model: MODEL, input: 'The library opens at nine.' };

describeOperation(
  'createEmbedding',
  (_, variant) => ({ body: { ...EMBEDDING, input: [`text ${variant}`] } }),
  (status) => {
    status(404, 'refuses an unknown model where names are strict, and charges nothing', async (world) => {
      const before = await world.balanceNanoUsd();
      for (const model of ['text-embedding-3-small', 'embedded-extractive-1']) {
        const answer = await callAs('createEmbedding', world, { body: { ...EMBEDDING, model } });
        expect([answer.status, answer.body.message]).toEqual([
          404,
          `The model '${model}' does not exist, or not for this operation. GET /v1/models lists all.`,
        ]);
      }
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(402, 'tells no max_tokens that would help, because it has no output', async (world) => {
      await world.setBalanceUsd(world.owner, '0.0001');
      for (const fields of [{}, { n: 0 }, { n: 'x', max_tokens: 'y' }]) {
        const answer = await callAs('createEmbedding', world, { body: { ...EMBEDDING, ...fields } });
        expect([answer.status, 'affordable_max_tokens' in answer.body]).toEqual([402, false]);
      }
    });

    status(413, 'hands on that the provider found the request too large, free of charge', async () =>
      expectPassedOnRefusal('createEmbedding', 413, EMBEDDING),
    );

    status(400, 'refuses what has not the documented form, free of charge', async (world) => {
      await expectFreeRefusals('createEmbedding', world, {
        nothing: undefined,
        'no model': { input: 'x' },
        'no input': { model: MODEL },
        'an empty input': { ...EMBEDDING, input: '' },
        'no inputs': { ...EMBEDDING, input: [] },
        'an empty one of two inputs': { ...EMBEDDING, input: ['x', ''] },
        '2,049 inputs': { ...EMBEDDING, input: Array.from({ length: 2049 }, () => 'x') },
        'tokens instead of text': { ...EMBEDDING, input: [1, 2, 3] },
        'a text of 400,001 characters': { ...EMBEDDING, input: 'x'.repeat(400_001) },
        'more than 400,000 characters in all': { ...EMBEDDING, input: ['x'.repeat(400_000), 'x'] },
        'fields 1,000 deep': { ...EMBEDDING, unknown: nestedList(1000) },
        'an unknown encoding': { ...EMBEDDING, encoding_format: 'hex' },
        'no dimension': { ...EMBEDDING, dimensions: 0 },
        'more dimensions than the model has': { ...EMBEDDING, dimensions: 385 },
        'more dimensions than any model has': { ...EMBEDDING, dimensions: 8193 },
        'a fraction of dimensions': { ...EMBEDDING, dimensions: 1.5 },
      });
    });

    status(
      200,
      'turns each text into a vector of length 1, and charges the tokens that it tells',
      async (world) => {
        const before = await world.balanceNanoUsd();
        const body = { ...EMBEDDING, input: ['The library opens at nine.', '語', ' ', '🙂'] };
        const answer = await callAs('createEmbedding', world, { body });
        const { data, usage, ...rest } = answer.body;
        expect(rest).toEqual({ object: 'list', model: MODEL });
        expect(data.map(({ object, index }) => [object, index])).toEqual(
          [0, 1, 2, 3].map((index) => ['embedding', index]),
        );
        for (const { embedding } of data) {
          expect(embedding).toHaveLength(384);
          expect(Math.hypot(...(embedding as number[]))).toBeCloseTo(1, 5);
        }
        expect(answer.headers).toMatchObject({
          'x-model-used': MODEL,
          'x-tokens-used': String(usage.total_tokens),
        });
        expect(usage.total_tokens).toBe(usage.prompt_tokens);
        expect(before - (await world.balanceNanoUsd())).toBe(100_000n + 1_000n * BigInt(usage.total_tokens));
      },
    );

    status(
      200,
      'gives the same vector in both encodings, of as many dimensions as were asked for',
      async (world) => {
        for (const fields of [{}, { dimensions: 2 }, { dimensions: 1 }]) {
          const [numbers] = await vectors(world, { ...EMBEDDING, ...fields, encoding_format: 'float' });
          const [base64] = await vectors(world, { ...EMBEDDING, ...fields, encoding_format: 'base64' });
          const bytes = Buffer.from(base64 as string, 'base64');
          const decoded = (numbers as number[]).map((_, index) => bytes.readFloatLE(index * 4));
          expect(bytes).toHaveLength((fields.dimensions ?? 384) * 4);
          expect(decoded).toEqual(numbers);
        }
      },
    );

    status(200, 'puts texts about the same closer together than others', async (world) => {
      const input = [
        'When does the library open?',
        'opening hours of libraries',
        'a recipe for mushroom soup',
      ];
      const [question, near, far] = (await vectors(world, { ...EMBEDDING, input })) as number[][];
      expect(closeness(question, near)).toBeGreaterThan(closeness(question, far) + 0.1);
    });

    status(200, 'takes 2,048 inputs and text made to be slow', async (world) => {
      const input = Array.from({ length: 2048 }, (_, index) => `text ${index}`);
      expect(await vectors(world, { ...EMBEDDING, input, encoding_format: 'base64' })).toHaveLength(2048);
      for (const text of ['a'.repeat(400_000), '\u0315\u0300'.repeat(100_000)]) {
        expect(await vectors(world, { ...EMBEDDING, input: text, dimensions: 1 })).toHaveLength(1);
      }
    });
  },
  { STRICT_MODELS: 'true' },
);

async function vectors(world: World, body: object): Promise<(string | number[])[]> {
  const answer = await callAs('createEmbedding', world, { body });
  expect(answer.status).toBe(200);
  return answer.body.data.map(({ embedding }) => embedding);
}

/** The cosine of two vectors of length 1. */
function closeness(one: number[] = [], other: number[] = []): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
