import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { expectFreeRefusals } from '../../support/api/free-refusals';

const MODEL = 'embedded-extractive-1';
const REQUEST = {
  model: MODEL,
  system: [{ type: 'text', text: 'Answer from the text only.', cache_control: { type: 'ephemeral' } }],
  messages: [{ role: 'user', content: 'The library opens at nine. When does the library open?' }],
};

describeOperation(
  'countMessageTokens',
  (_, variant) => ({ body: { ...REQUEST, messages: [{ role: 'user', content: `Is it ${variant}?` }] } }),
  (status) => {
    status(404, 'refuses an unknown model where names are strict', async (world) => {
      const answer = await callAs('countMessageTokens', world, { body: { ...REQUEST, model: 'claude-x' } });
      expect([answer.status, answer.body.message]).toEqual([
        404,
        "The model 'claude-x' does not exist, or not for this operation. GET /v1/models lists all.",
      ]);
    });

    status(400, 'refuses what has not the documented form', async (world) => {
      await expectFreeRefusals('countMessageTokens', world, {
        'no messages': { model: MODEL },
        'no model': { messages: REQUEST.messages },
        'a block without a type': { ...REQUEST, messages: [{ role: 'user', content: [{ text: 'x' }] }] },
      });
    });

    status(413, 'refuses a body beyond what a message may have', async (world) => {
      const content = 'x'.repeat(33_554_432);
      const body = { ...REQUEST, messages: [{ role: 'user', content }] };
      expect((await callAs('countMessageTokens', world, { body })).status).toBe(413);
    });

    status(200, 'counts what a message reserves, for nothing and without credit', async (world) => {
      await world.setBalanceUsd(world.owner, '0');
      const counted = await callAs('countMessageTokens', world, { body: REQUEST, query: { beta: 'true' } });
      const dear = await callAs('createMessage', world, { body: { ...REQUEST, max_tokens: 1 } });
      expect([counted.status, dear.status]).toEqual([200, 402]);
      const required = 0.002 + 0.00001 * (counted.body.input_tokens + 1);
      expect(dear.body.required).toBeCloseTo(required, 9);
      expect(await world.balanceNanoUsd()).toBe(0n);
    });

    status(200, 'counts tools and results of tools, but no earlier thinking', async (world) => {
      const count = async (fields: object) =>
        (await callAs('countMessageTokens', world, { body: { ...REQUEST, ...fields } })).body.input_tokens;
      const call = { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.txt' } };
      const result = {
        type: 'tool_result',
        tool_use_id: 'toolu_1',
        content: [{ type: 'text', text: 'It is.' }],
      };
      const turn = (content: unknown[]) => [
        { role: 'assistant', content },
        { role: 'user', content: [result] },
      ];
      const thought = { type: 'thinking', thinking: 'A long thought about files.', signature: 's' };
      const plain = await count({});
      const called = await count({ messages: [...REQUEST.messages, ...turn([call])] });
      const thoughtful = await count({ messages: [...REQUEST.messages, ...turn([thought, call])] });
      const tools = [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object' } }];
      expect([called > plain, thoughtful === called, (await count({ tools })) > plain]).toEqual([
        true,
        true,
        true,
      ]);
    });
  },
  { STRICT_MODELS: 'true' },
);
