import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { expectFreeRefusals } from '../../support/api/free-refusals';
import { nestedList } from '../../support/api/nested-list';
import { expectPassedOnRefusal } from '../../support/upstream/upstream-refusal';

const MODEL = 'embedded-extractive-1';
const PROMPT = 'The library opens at nine. It closes at six. When does the library open?';
const COMPLETION = { model: MODEL, prompt: PROMPT, max_tokens: 50 };

describeOperation(
  'createCompletion',
  (_, variant) => ({ body: { ...COMPLETION, prompt: `${PROMPT} Is it ${variant}?` } }),
  (status) => {
    status(404, 'refuses an unknown model where names are strict, and charges nothing', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await callAs('createCompletion', world, { body: { ...COMPLETION, model: 'davinci' } });
      expect([answer.status, answer.body.message]).toEqual([
        404,
        "The model 'davinci' does not exist, or not for this operation. GET /v1/models lists all.",
      ]);
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(413, 'hands on that the provider found the request too large, free of charge', async () =>
      expectPassedOnRefusal('createCompletion', 413, COMPLETION),
    );

    status(400, 'refuses what has not the documented form, free of charge', async (world) => {
      await expectFreeRefusals('createCompletion', world, {
        nothing: undefined,
        'no model': { prompt: PROMPT },
        'no prompt': { model: MODEL },
        'no prompts': { ...COMPLETION, prompt: [] },
        'a prompt of tokens': { ...COMPLETION, prompt: [1, 2, 3] },
        'a prompt of 400,001 characters': { ...COMPLETION, prompt: 'x'.repeat(400_001) },
        'fields 1,000 deep': { ...COMPLETION, unknown: nestedList(1000) },
        'no output': { ...COMPLETION, max_tokens: 0 },
        'endless output': { ...COMPLETION, max_tokens: 10_000_001 },
        // It counts before max_tokens, so that an unchecked one would decide what is reserved.
        'an output cap that is a text': { ...COMPLETION, max_completion_tokens: 'abc' },
        'a negative output cap': { ...COMPLETION, max_completion_tokens: -1_000_000 },
        'an output cap of a fraction': { ...COMPLETION, max_completion_tokens: 0.5 },
        '129 choices': { ...COMPLETION, n: 129 },
      });
    });

    status(400, 'refuses what the engine cannot honour, by name and free of charge', async (world) => {
      const requests = {
        prompt: { prompt: ['a', 'b'] },
        suffix: { suffix: 'the end' },
        echo: { echo: true },
        best_of: { best_of: 2 },
        n: { n: 2 },
        logprobs: { logprobs: 0 },
        logit_bias: { logit_bias: { 1: 1 } },
      };
      const bodies = Object.entries(requests).map(
        ([field, request]) => [field, { ...COMPLETION, ...request }] as const,
      );
      await expectFreeRefusals('createCompletion', world, Object.fromEntries(bodies));
      for (const [field, body] of bodies) {
        const answer = await callAs('createCompletion', world, { body });
        expect(answer.body.details.map((detail) => detail.field)).toEqual([field]);
      }
    });

    status(200, 'completes from the prompt, and charges the tokens that it tells', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await callAs('createCompletion', world, { body: COMPLETION });
      const { choices, usage, ...rest } = answer.body;
      expect(choices).toMatchObject([
        { index: 0, text: 'The library opens at nine.', finish_reason: 'stop' },
      ]);
      expect(rest).toMatchObject({ object: 'text_completion', model: MODEL });
      expect(answer.headers['x-model-used']).toBe(MODEL);
      expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
      const cost = 2_000_000n + 10_000n * BigInt(usage.total_tokens);
      expect(before - (await world.balanceNanoUsd())).toBe(cost);
    });

    status(200, 'takes one prompt in a list, and what asks for nothing special', async (world) => {
      const plain = { n: 1, best_of: 1, echo: false, suffix: null, stop: [], logprobs: null, vendor: {} };
      const answer = await callAs('createCompletion', world, {
        body: { ...COMPLETION, ...plain, prompt: [PROMPT] },
      });
      expect(answer.body.choices[0]?.text).toBe('The library opens at nine.');
    });

    status(200, 'ends the text at max_tokens or at a stop, and says at which', async (world) => {
      const answers = await Promise.all(
        [{ max_tokens: 3 }, { max_completion_tokens: 3 }, { stop: ' at' }].map((request) =>
          callAs('createCompletion', world, { body: { ...COMPLETION, ...request } }),
        ),
      );
      const ends = answers.map(({ body: { choices, usage } }) => [
        choices[0]?.text,
        choices[0]?.finish_reason,
        usage.completion_tokens,
      ]);
      const cut = ['The library opens', 'length', 3];
      expect(ends).toEqual([cut, cut, ['The library opens', 'stop', 3]]);
    });

    status(200, 'answers an empty prompt and text made to be slow', async (world) => {
      for (const prompt of ['', '\u0301', '😀'.repeat(50_000), 'a'.repeat(150_000)]) {
        const answer = await callAs('createCompletion', world, { body: { ...COMPLETION, prompt } });
        expect(answer.body.choices[0]?.text).toMatch(/^I can't /);
      }
    });
  },
  { STRICT_MODELS: 'true' },
);
