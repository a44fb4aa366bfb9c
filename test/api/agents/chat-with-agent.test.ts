import { UpstreamRefused } from '../../../src/models/errors';
import { Models } from '../../../src/models/models';
import { newId } from '../../../src/runtime/ids';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { ScriptedModel } from '../../support/upstream/scripted-model';
import { storeAgent } from '../../support/api/store-agent';
import { storeMemory } from '../../support/api/store-memory';
import type { World } from '../../support/api/world';
import { refusalAnswer } from '../../support/upstream/upstream-refusal';

const MODEL = 'embedded-extractive-1';
const QUESTION = 'The library opens at nine. It closes at six. When does the library open?';
const user = (content: string) => ({ role: 'user', content });

describeOperation(
  'chatWithAgent',
  (_, variant) => ({ body: { messages: [user(`${QUESTION} Is it ${variant}?`)], max_tokens: 50 } }),
  (status) => {
    status(404, "refuses agents that are not there or another account's, free of charge", async (world) => {
      const foreign = await storeAgent(world, {}, world.stranger);
      const before = await world.balanceNanoUsd();
      for (const agent_id of [foreign.id, newId(), 'x']) {
        const answer = await chat(world, { agent_id });
        expect([answer.status, answer.body.message]).toEqual([404, 'No such agent.']);
      }
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    for (const refusal of [413, 422]) {
      status(refusal, "passes on what the model's provider refuses, free of charge", async (world) => {
        const body = '{"error":{"message":"No.","type":"invalid_request_error","param":null,"code":null}}';
        const model = new ScriptedModel([{ fails: new UpstreamRefused('u', refusal, body) }]);
        jest.spyOn(world.service.app.get(Models), 'chat').mockImplementation(model.chat);
        const before = await world.balanceNanoUsd();
        const answer = await chat(world, {});
        expect([answer.status, answer.body]).toMatchObject([refusal, refusalAnswer(body)]);
        expect(await world.balanceNanoUsd()).toBe(before);
      });
    }

    status(200, 'answers from the messages, and charges the tokens that it tells', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await chat(world, { stream: false });
      const { usage, ...rest } = answer.body.data;
      expect(rest).toMatchObject({
        message: { role: 'assistant', content: 'The library opens at nine.' },
        model: MODEL,
        agent_id: null,
        finish_reason: 'stop',
      });
      expect(answer.body.metadata.engine).toMatchObject({ provider: 'embedded', quality: 'basic' });
      expect(answer.headers['x-model-used']).toBe(MODEL);
      const cost = 2_000_000n + 10_000n * BigInt(usage.total_tokens);
      expect(before - (await world.balanceNanoUsd())).toBe(cost);
    });

    status(200, 'says that nothing in the texts answers for the base price alone', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await chat(world, {
        messages: [user('Who painted the ceiling of the chapel in Rosenau?')],
      });
      const { message, usage } = answer.body.data;
      expect([message.content, usage.total_tokens]).toEqual([
        expect.stringContaining("I can't answer that"),
        0,
      ]);
      expect(before - (await world.balanceNanoUsd())).toBe(2_000_000n);
    });

    status(200, "puts the agent's prompt and memories before the conversation", async (world) => {
      const { id } = await storeAgent(world, {
        system_prompt: 'Be brief.',
        model: 'some-model',
        temperature: 0.5,
        memory: { enabled: true },
      });
      await storeMemory(world, { key: 'opening', value: 'The museum opens at eleven.' });
      const model = new ScriptedModel([{ content: 'At eleven.' }]);
      jest.spyOn(world.service.app.get(Models), 'chat').mockImplementation(model.chat);
      const messages = [
        { role: 'system', content: 'Answer in French.' },
        user('museum'),
        { role: 'assistant', content: 'Yes?' },
        user('When does the museum open?'),
      ];
      await chat(world, { agent_id: id, messages, temperature: 0, allow_degraded: true });
      const [prompt, memories, ...conversation] = model.requests[0]?.messages ?? [];
      expect(prompt).toEqual({ role: 'system', content: 'Be brief.' });
      expect(memories?.content).toContain('opening\nThe museum opens at eleven.');
      expect(conversation).toEqual(messages);
      expect(model.requests[0]).toMatchObject({ model: 'some-model', temperature: 0, allow_degraded: true });
    });

    status(200, 'asks no memories where nobody asks anything', async (world) => {
      const { id } = await storeAgent(world, { memory: { enabled: true } });
      await storeMemory(world, { value: 'Hello is a greeting.' });
      const messages = [{ role: 'assistant', content: 'Hello?' }];
      const answer = await chat(world, { agent_id: id, messages });
      expect([answer.status, answer.body.data.message.content]).toEqual([200, expect.any(String)]);
    });
  },
);

async function chat(world: World, fields: object) {
  return callAs('chatWithAgent', world, { body: { messages: [user(QUESTION)], max_tokens: 50, ...fields } });
}

afterEach(() => {
  jest.restoreAllMocks();
});
