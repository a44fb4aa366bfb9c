import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { expectFreeRefusals } from '../../support/api/free-refusals';
import { nestedList } from '../../support/api/nested-list';
import { processorMsOf } from '../../support/processor-time';
import { TestService } from '../../support/api/service';
import { expectPassedOnRefusal } from '../../support/upstream/upstream-refusal';
import { World } from '../../support/api/world';

const MODEL = 'embedded-extractive-1';
const QUESTION = 'The library opens at nine. It closes at six. When does the library open?';
const CHAT = { model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: QUESTION }] };

describeOperation(
  'createChatCompletion',
  (_, variant) => ({
    body: { ...CHAT, messages: [{ role: 'user', content: `${QUESTION} Is it ${variant}?` }] },
  }),
  (status) => {
    status(404, 'refuses an unknown model where names are strict, and charges nothing', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await callAs('createChatCompletion', world, { body: { ...CHAT, model: 'gpt-4o' } });
      expect([answer.status, answer.body.message]).toEqual([
        404,
        "The model 'gpt-4o' does not exist, or not for this operation. GET /v1/models lists all.",
      ]);
      expect(answer.headers['x-request-cost']).toBeUndefined();
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(404, 'takes a model of embeddings for no model of chats', async (world) => {
      const answer = await callAs('createChatCompletion', world, {
        body: { ...CHAT, model: 'embedded-hash-384' },
      });
      expect(answer.status).toBe(404);
    });

    status(413, 'hands on that the provider found the request too large, free of charge', async () =>
      expectPassedOnRefusal('createChatCompletion', 413, CHAT),
    );

    status(400, 'refuses what has not the documented form, free of charge', async (world) => {
      const message = { role: 'user', content: 'x' };
      await expectFreeRefusals('createChatCompletion', world, {
        nothing: undefined,
        'no model': { messages: [message] },
        'no messages': { model: MODEL },
        'an empty list of messages': { ...CHAT, messages: [] },
        '1,001 messages': { ...CHAT, messages: Array.from({ length: 1001 }, () => message) },
        'a message without a role': { ...CHAT, messages: [{ content: 'x' }] },
        'an unknown role': { ...CHAT, messages: [{ role: 'boss', content: 'x' }] },
        'content that is a number': { ...CHAT, messages: [{ role: 'user', content: 1 }] },
        'fields 1,000 deep': { ...CHAT, unknown: nestedList(1000) },
        'no output': { ...CHAT, max_tokens: 0 },
        'endless output': { ...CHAT, max_tokens: 10_000_001 },
        'output of a fraction': { ...CHAT, max_completion_tokens: 1.5 },
        'a negative output': { ...CHAT, max_completion_tokens: -2 },
        'no choice': { ...CHAT, n: 0 },
        'a hot temperature': { ...CHAT, temperature: 2.1 },
        'a stop that is a number': { ...CHAT, stop: 1 },
        'seventeen stops': { ...CHAT, stop: Array.from({ length: 17 }, () => 'x') },
      });
    });

    status(400, 'refuses what the engine cannot honour, by name and free of charge', async (world) => {
      const tool = { type: 'function', function: { name: 'f', parameters: {} } };
      const image = [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }];
      const requests = {
        tools: { tools: [tool] },
        tool_choice: { tool_choice: 'required' },
        functions: { functions: [{ name: 'f' }] },
        response_format: { response_format: { type: 'json_object' } },
        logprobs: { logprobs: true },
        logit_bias: { logit_bias: { 50256: -100 } },
        n: { n: 2 },
        modalities: { modalities: ['text', 'audio'] },
        'messages[0].content[0]': { messages: [{ role: 'user', content: image }] },
      };
      const bodies = Object.entries(requests).map(
        ([field, request]) => [field, { ...CHAT, ...request }] as const,
      );
      await expectFreeRefusals('createChatCompletion', world, Object.fromEntries(bodies));
      for (const [field, body] of bodies) {
        const answer = await callAs('createChatCompletion', world, { body });
        expect(answer.body.details.map((detail) => detail.field)).toEqual([field]);
      }
      // Nor is anything counted for what it would cost, which of a megabyte of tools takes a second.
      await world.setBalanceUsd(world.owner, '0');
      const poor = await callAs('createChatCompletion', world, {
        body: { ...CHAT, tools: [tool], stream: true },
      });
      expect(poor.body.details).toMatchObject([{ field: 'tools' }]);
    });

    status(200, 'answers from the messages, and charges the tokens that it tells', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await callAs('createChatCompletion', world, { body: CHAT });
      const { choices, usage, ...rest } = answer.body;
      expect(choices).toMatchObject([
        {
          index: 0,
          message: { role: 'assistant', content: 'The library opens at nine.' },
          finish_reason: 'stop',
        },
      ]);
      expect(rest).toMatchObject({ object: 'chat.completion', model: MODEL, created: expect.any(Number) });
      expect(answer.headers['x-model-used']).toBe(MODEL);
      expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
      const cost = 2_000_000n + 10_000n * BigInt(usage.total_tokens);
      expect(before - (await world.balanceNanoUsd())).toBe(cost);
    });

    status(200, 'says that nothing in the texts answers for the base price alone', async (world) => {
      const before = await world.balanceNanoUsd();
      const messages = [
        { role: 'system', content: 'The library opens at nine. It has many books about birds.' },
        { role: 'user', content: 'Who painted the ceiling of the chapel in Rosenau?' },
      ];
      const answer = await callAs('createChatCompletion', world, { body: { ...CHAT, messages } });
      expect(answer.text).toContain("I can't answer that from the text that I was given.");
      expect(before - (await world.balanceNanoUsd())).toBe(2_000_000n);
    });

    status(
      200,
      'gives the same answer to parts of text, and to what asks for nothing special',
      async (world) => {
        const content = [{ type: 'text', text: QUESTION }];
        const plain = {
          n: 1,
          stop: null,
          stream: false,
          tool_choice: 'none',
          logit_bias: {},
          temperature: null,
        };
        const bodies = [
          { ...CHAT, messages: [{ role: 'user', content }] },
          { ...CHAT, ...plain, seed: 7, vendor: { a: [1] } },
        ];
        for (const body of bodies) {
          const answer = await callAs('createChatCompletion', world, { body });
          expect(answer.body.choices[0]?.message.content).toBe('The library opens at nine.');
        }
      },
    );

    status(200, 'ends the answer at max_tokens or at a stop, and says at which', async (world) => {
      const answers = await Promise.all(
        [{ max_tokens: 3 }, { max_tokens: 50, max_completion_tokens: 3 }, { stop: [' at'] }].map((request) =>
          callAs('createChatCompletion', world, { body: { ...CHAT, ...request } }),
        ),
      );
      const ends = answers.map(({ body: { choices, usage } }) => [
        choices[0]?.message.content,
        choices[0]?.finish_reason,
        usage.completion_tokens,
      ]);
      const cut = ['The library opens', 'length', 3];
      expect(ends).toEqual([cut, cut, ['The library opens', 'stop', 3]]);
    });

    status(200, 'says that it cannot where the messages hold no answer', async (world) => {
      const conversations = [
        [{ role: 'user', content: 'Who won the world cup in 1990?' }],
        [{ role: 'user', content: 'Write me a poem about libraries.' }],
        [{ role: 'assistant' }],
        [{ role: 'user', content: null }],
        [{ role: 'system', content: [{ type: 'text' }], name: 'x' }],
        [{ role: 'user', content: '' }],
      ];
      for (const messages of conversations) {
        const answer = await callAs('createChatCompletion', world, { body: { ...CHAT, messages } });
        expect(answer.body.choices[0]?.message.content).toMatch(/^I can't /);
      }
    });

    status(200, 'answers text made to be slow, soon', async (world) => {
      const texts = ['a', 'a ', '? ', '\u0315\u0300', 'ก', 'B. '].map((text) =>
        text.repeat(Math.floor(200_000 / text.length)),
      );
      const neededMs = await processorMsOf(async () => {
        for (const content of texts) {
          const body = { ...CHAT, messages: [{ role: 'user', content }] };
          const answer = await callAs('createChatCompletion', world, { body });
          expect([content.slice(0, 2), answer.status]).toEqual([content.slice(0, 2), 200]);
        }
      });
      expect(neededMs).toBeLessThan(20_000);
    });
  },
  { STRICT_MODELS: 'true' },
);

describe('createChatCompletion without strict names', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(async () => service.stop());

  it('runs an unknown model on the default one, and says which that is', async () => {
    const world = await World.create(service);
    const answer = await callAs('createChatCompletion', world, { body: { ...CHAT, model: 'gpt-4o' } });
    expect([answer.status, answer.body.model, answer.headers['x-model-used']]).toEqual([200, MODEL, MODEL]);
  });
});
