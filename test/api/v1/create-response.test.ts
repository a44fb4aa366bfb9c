import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { expectFreeRefusals } from '../../support/api/free-refusals';
import { nestedList } from '../../support/api/nested-list';
import { expectPassedOnRefusal } from '../../support/upstream/upstream-refusal';

const MODEL = 'embedded-extractive-1';
const QUESTION = 'The library opens at nine. It closes at six. When does the library open?';
const REQUEST = { model: MODEL, max_output_tokens: 50, input: QUESTION };

describeOperation(
  'createResponse',
  (_, variant) => ({ body: { ...REQUEST, input: `${QUESTION} Is it ${variant}?` } }),
  (status) => {
    status(404, 'refuses an unknown model where names are strict, and charges nothing', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await callAs('createResponse', world, { body: { ...REQUEST, model: 'gpt-4o' } });
      expect([answer.status, answer.body.message]).toEqual([
        404,
        "The model 'gpt-4o' does not exist, or not for this operation. GET /v1/models lists all.",
      ]);
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(413, 'hands on that the provider found the request too large, free of charge', async () =>
      expectPassedOnRefusal('createResponse', 413, REQUEST),
    );

    status(400, 'refuses what has not the documented form, free of charge', async (world) => {
      const message = { role: 'user', content: 'x' };
      await expectFreeRefusals('createResponse', world, {
        nothing: undefined,
        'no model': { input: 'x' },
        'no input': { model: MODEL },
        'an empty list of items': { ...REQUEST, input: [] },
        '1,001 items': { ...REQUEST, input: Array.from({ length: 1001 }, () => message) },
        'an unknown role': { ...REQUEST, input: [{ role: 'boss', content: 'x' }] },
        'a message without a role': { ...REQUEST, input: [{ content: 'x' }] },
        'a message without content': { ...REQUEST, input: [{ role: 'user' }] },
        'content that is a number': { ...REQUEST, input: [{ role: 'user', content: 1 }] },
        'a call without a name': {
          ...REQUEST,
          input: [{ type: 'function_call', call_id: 'c', arguments: '' }],
        },
        'instructions that are a list': { ...REQUEST, instructions: ['x'] },
        'fields 1,000 deep': { ...REQUEST, unknown: nestedList(1000) },
        'no output': { ...REQUEST, max_output_tokens: 0 },
        'endless output': { ...REQUEST, max_output_tokens: 10_000_001 },
        'a hot temperature': { ...REQUEST, temperature: 2.1 },
        'tools that are no list': { ...REQUEST, tools: {} },
        'a format without a type': { ...REQUEST, text: { format: {} } },
      });
    });

    status(400, 'refuses what would have to be stored, by name and free of charge', async (world) => {
      const requests = {
        previous_response_id: { previous_response_id: 'resp_1' },
        conversation: { conversation: { id: 'conv_1' } },
        background: { background: true, store: true },
      };
      for (const [field, fields] of Object.entries(requests)) {
        const body = { ...REQUEST, ...fields };
        await expectFreeRefusals('createResponse', world, { [field]: body });
        const answer = await callAs('createResponse', world, { body });
        expect(answer.body.details).toEqual([
          { field, message: expect.stringMatching(/^must be .*not stored/) },
        ]);
      }
    });

    status(400, 'refuses what the engine cannot honour, by name and free of charge', async (world) => {
      const image = { type: 'input_image', image_url: 'https://example.com/a.png' };
      const requests = {
        tools: { tools: [{ type: 'function', name: 'f', parameters: {} }] },
        'tools[0]': { tools: [{ type: 'web_search' }] },
        tool_choice: { tool_choice: 'required' },
        response_format: { text: { format: { type: 'json_schema', name: 'x', schema: {} } } },
        truncation: { truncation: 'auto' },
        'input[0]': { input: [{ type: 'item_reference', id: 'msg_1' }] },
        'messages[0].content[0]': { input: [{ role: 'user', content: [image] }] },
      };
      const bodies = Object.entries(requests).map(
        ([field, request]) => [field, { ...REQUEST, ...request }] as const,
      );
      await expectFreeRefusals('createResponse', world, Object.fromEntries(bodies));
      for (const [field, body] of bodies) {
        const answer = await callAs('createResponse', world, { body });
        expect(answer.body.details.map((detail) => detail.field)).toEqual([field]);
      }
    });

    status(200, 'answers from the input, and charges the tokens that it tells', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await callAs('createResponse', world, { body: { ...REQUEST, store: true } });
      const { output, usage, ...rest } = answer.body;
      expect(output).toEqual([
        {
          id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [
            { type: 'output_text', annotations: [], logprobs: [], text: 'The library opens at nine.' },
          ],
        },
      ]);
      expect(rest).toMatchObject({
        id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
        object: 'response',
        status: 'completed',
        model: MODEL,
        max_output_tokens: 50,
        store: false,
      });
      expect(answer.headers['x-model-used']).toBe(MODEL);
      const tokens = usage?.total_tokens ?? 0;
      expect(tokens).toBe((usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0));
      expect(before - (await world.balanceNanoUsd())).toBe(2_000_000n + 10_000n * BigInt(tokens));
    });

    status(200, 'gives the same answer to instructions and to items of text', async (world) => {
      const [known, question] = [
        'The library opens at nine. It closes at six.',
        'When does the library open?',
      ];
      const text = [{ type: 'input_text', text: question }];
      const bodies = [
        { ...REQUEST, instructions: known, input: question },
        {
          ...REQUEST,
          input: [
            { role: 'developer', content: known },
            { role: 'user', content: text },
          ],
        },
        {
          ...{ model: MODEL, stream: false, tools: [], tool_choice: 'auto', metadata: { a: 'b' }, seed: 7 },
          input: [
            { type: 'message', role: 'system', content: known },
            { role: 'user', content: question },
          ],
        },
      ];
      for (const body of bodies) {
        const answer = await callAs('createResponse', world, { body });
        expect(answer.body.output).toMatchObject([{ content: [{ text: 'The library opens at nine.' }] }]);
      }
    });

    status(200, 'reserves and keeps to max_output_tokens, and says what it left out', async (world) => {
      const answer = await callAs('createResponse', world, { body: { ...REQUEST, max_output_tokens: 3 } });
      expect(answer.body).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ status: 'incomplete', content: [{ text: 'The library opens' }] }],
        usage: { output_tokens: 3 },
      });
    });

    status(402, 'reserves as many output tokens as max_output_tokens says', async (world) => {
      await world.setBalanceUsd(world.owner, '0.01');
      const dear = await callAs('createResponse', world, { body: { ...REQUEST, max_output_tokens: 32_768 } });
      const cheap = await callAs('createResponse', world, { body: REQUEST });
      expect([dear.status, cheap.status]).toEqual([402, 200]);
    });
  },
  { STRICT_MODELS: 'true' },
);
