import { Models } from '../../../src/models/models';
import { UpstreamFailed, UpstreamRefused } from '../../../src/models/errors';
import { newId } from '../../../src/runtime/ids';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { ScriptedModel, type ScriptedAnswer } from '../../support/upstream/scripted-model';
import { storeAgent } from '../../support/api/store-agent';
import { storeMemory } from '../../support/api/store-memory';
import type { World } from '../../support/api/world';
import { refusalAnswer } from '../../support/upstream/upstream-refusal';

const MODEL = 'embedded-extractive-1';
const PROMPT = 'The library opens at nine. It closes at six. When does the library open?';

describeOperation(
  'generateWithAgent',
  (_, variant) => ({ body: { prompt: `${PROMPT} Is it ${variant}?`, max_tokens: 50 } }),
  (status) => {
    status(
      400,
      'refuses an agent with tools where only the embedded engine answers, free of charge',
      async (world) => {
        const { id } = await storeAgent(world, { tools: ['calculator'], max_tokens: 50 });
        const before = await world.balanceNanoUsd();
        const answer = await generate(world, { agent_id: id });
        expect([answer.status, answer.body.details.map(({ field }) => field)]).toEqual([400, ['tools']]);
        expect(await world.balanceNanoUsd()).toBe(before);
      },
    );

    status(404, "refuses agents that are not there or another account's, free of charge", async (world) => {
      const foreign = await storeAgent(world, {}, world.stranger);
      const before = await world.balanceNanoUsd();
      for (const agent_id of [foreign.id, newId(), 'support', "'; drop table agents; --", '']) {
        const answer = await generate(world, { agent_id });
        expect([answer.status, answer.body.message]).toEqual([404, 'No such agent.']);
        expect(answer.headers['x-request-cost']).toBeUndefined();
      }
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(404, 'refuses a model that is not there where names are strict, free of charge', async (world) => {
      const { id } = await storeAgent(world, { model: 'gpt-9' });
      const before = await world.balanceNanoUsd();
      for (const fields of [{ model: 'gpt-9' }, { agent_id: id }]) {
        expect((await generate(world, fields)).status).toBe(404);
      }
      expect((await generate(world, { agent_id: id, model: MODEL })).status).toBe(200);
      expect(before).toBeGreaterThan(await world.balanceNanoUsd());
    });

    status(413, "passes on that the model's provider finds it too large", async (world) => {
      await expectPassedOn(world, 413);
    });
    status(422, "passes on that the model's provider can't process it", async (world) => {
      await expectPassedOn(world, 422);
    });

    status(502, 'charges nothing when the upstream fails in a later step', async (world) => {
      const { id } = await storeAgent(world, { tools: ['calculator'], max_tokens: 50 });
      script(world, [
        { calls: [['calculator', '{"expression":"1"}']] },
        { fails: new UpstreamFailed('u', 'fell') },
      ]);
      const before = await world.balanceNanoUsd();
      const answer = await generate(world, { agent_id: id });
      expect([answer.status, answer.body.error]).toEqual([502, 'Upstream error']);
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(
      200,
      'answers without an agent and without a model, and charges the tokens that it tells',
      async (world) => {
        const before = await world.balanceNanoUsd();
        const answer = await generate(world, {});
        const { usage, steps, ...rest } = answer.body.data;
        expect(rest).toEqual({
          text: 'The library opens at nine.',
          model: MODEL,
          agent_id: null,
          finish_reason: 'stop',
        });
        expect(steps).toEqual([{ model: MODEL, finish_reason: 'stop', tool_calls: [], usage }]);
        expect(answer.body.metadata.engine).toEqual({
          provider: 'embedded',
          method: 'bm25',
          quality: 'basic',
        });
        expect(answer.headers['x-model-used']).toBe(MODEL);
        expect(usage.total_tokens).toBe(usage.input_tokens + usage.output_tokens);
        const cost = 2_000_000n + 10_000n * BigInt(usage.total_tokens);
        expect(before - (await world.balanceNanoUsd())).toBe(cost);
      },
    );

    status(200, "takes the agent's settings, and its own before those", async (world) => {
      const { id } = await storeAgent(world, {
        system_prompt: 'The library opens at nine.',
        max_tokens: 3,
      });
      const question = { agent_id: id, prompt: 'When does the library open?' };
      const cut = await generate(world, question);
      expect(cut.body.data).toMatchObject({
        text: 'The library opens',
        finish_reason: 'length',
        agent_id: id,
      });
      const whole = await generate(world, { ...question, max_tokens: 50 });
      expect(whole.body.data.text).toBe('The library opens at nine.');
      const other = { ...question, max_tokens: 50, system_prompt: 'The library opens at ten.' };
      expect((await generate(world, other)).body.data.text).toBe('The library opens at ten.');
    });

    status(200, 'knows the memories of its namespace, and no others', async (world) => {
      const remember = { memory: { enabled: true, namespace: 'support' }, max_tokens: 50 };
      const { id } = await storeAgent(world, remember);
      const forgetful = await storeAgent(world, {
        ...remember,
        memory: { enabled: false, namespace: 'support' },
      });
      const value = 'The museum opens at eleven.';
      await storeMemory(world, { namespace: 'other', value });
      await storeMemory(world, { namespace: 'support', value }, world.stranger);
      const question = { prompt: 'When does the museum open?' };
      expect((await generate(world, { ...question, agent_id: id })).body.data.text).toMatch(/^I can't/);
      await storeMemory(world, { namespace: 'support', value });
      expect((await generate(world, { ...question, agent_id: id })).body.data.text).toBe(value);
      const other = await generate(world, { ...question, agent_id: forgetful.id });
      expect(other.body.data.text).toMatch(/^I can't/);
    });

    status(200, 'tells at most top_k memories, and at most 4,000 tokens of them', async (world) => {
      const { id } = await storeAgent(world, { memory: { enabled: true, top_k: 2 }, max_tokens: 50 });
      for (const key of ['a', 'b', 'c']) {
        await storeMemory(world, { key, value: `museum ${'龘靐齉 '.repeat(40_000)}` });
      }
      const model = script(world, [{ content: 'Yes.' }]);
      const answer = await generate(world, { agent_id: id, prompt: 'A museum?' });
      const told = model.requests[0]?.messages[0] as { role: string; content: string };
      expect([answer.status, told.role]).toEqual([200, 'system']);
      expect(told.content.length).toBeGreaterThan(500);
      expect(told.content.length).toBeLessThan(4_100);
    });

    status(200, 'runs the tools that the model asks for, and charges for all steps', async (world) => {
      const tools = ['memory.search', 'calculator'] as ('memory.search' | 'calculator')[];
      const { id } = await storeAgent(world, { tools, max_tokens: 50, memory: { namespace: 'support' } });
      await storeMemory(world, {
        namespace: 'support',
        key: 'opening',
        value: 'The museum opens at eleven.',
      });
      await storeMemory(world, { namespace: 'other', key: 'opening', value: 'The museum is closed.' });
      const model = script(world, [
        {
          calls: [
            ['memory_search', '{"query":"museum"}'],
            ['time', '{}'],
          ],
          use: [300, 20],
        },
        { content: 'At eleven.', use: [400, 5] },
      ]);
      const before = await world.balanceNanoUsd();
      const answer = await generate(world, { agent_id: id });
      expect(answer.body.data).toMatchObject({
        text: 'At eleven.',
        model: 'scripted-1',
        usage: { input_tokens: 700, output_tokens: 25, total_tokens: 725 },
        steps: [
          {
            tool_calls: [
              {
                name: 'memory_search',
                result: '[{"key":"opening","value":"The museum opens at eleven."}]',
                is_error: false,
              },
              { name: 'time', is_error: true },
            ],
          },
          { tool_calls: [] },
        ],
      });
      expect(before - (await world.balanceNanoUsd())).toBe(2_000_000n + 10_000n * 725n);
      const offered = model.requests[0]?.tools as { function: { name: string } }[];
      expect(offered.map(({ function: { name } }) => name)).toEqual(['memory_search', 'calculator']);
    });

    status(200, "retrieves from the account's documents, and from nobody else's", async (world) => {
      const { id } = await storeAgent(world, { tools: ['rag.retrieve'], max_tokens: 50 });
      const handbook = 'The museum opens at eleven. The garden never closes.';
      await indexDocument(world, { document_id: 'handbook', content: handbook });
      await indexDocument(world, {
        document_id: 'other',
        content: 'The museum has moved.',
        collection: 'news',
      });
      await indexDocument(world, { document_id: 'theirs', content: 'The museum is closed.' }, world.stranger);
      const calls = [
        '{"query":"museum","collection":"default"}',
        '{"query":"museum","limit":1}',
        '{}',
        '{"query":"zebra"}',
      ];
      script(world, [
        { calls: calls.map((text) => ['rag_retrieve', text] as const) },
        { content: 'At eleven.' },
      ]);
      const { data } = (await generate(world, { agent_id: id })).body;
      const results = data.steps[0]?.tool_calls ?? [];
      const [ofDefault, best, faulty, none] = results;
      expect(results.map(({ is_error: isError }) => isError)).toEqual([false, false, true, false]);
      expect(JSON.parse(ofDefault?.result ?? '')).toEqual([
        { document_id: 'handbook', text: handbook, score: expect.any(Number) },
      ]);
      expect(JSON.parse(best?.result ?? '')).toHaveLength(1);
      expect(faulty?.result).toContain("required property 'query'");
      expect(none?.result).toBe('[]');
      expect(data.text).toBe('At eleven.');
    });
  },
  { STRICT_MODELS: 'true' },
);

async function generate(world: World, fields: object) {
  return callAs('generateWithAgent', world, { body: { prompt: PROMPT, ...fields } });
}

async function indexDocument(world: World, body: object, account = world.owner): Promise<void> {
  expect((await callAs('indexRagDocument', world, { body }, account)).status).toBe(201);
}

/** Has every model of the world's service answer as the script says, until the test is over. */
function script(world: World, answers: readonly ScriptedAnswer[]): ScriptedModel {
  const model = new ScriptedModel(answers);
  jest.spyOn(world.service.app.get(Models), 'chat').mockImplementation(model.chat);
  return model;
}

async function expectPassedOn(world: World, status: number): Promise<void> {
  const body = JSON.stringify({
    error: { message: 'No.', type: 'invalid_request_error', param: null, code: null },
  });
  script(world, [{ fails: new UpstreamRefused('u', status, body) }]);
  const before = await world.balanceNanoUsd();
  const answer = await generate(world, {});
  expect([answer.status, answer.body]).toMatchObject([status, refusalAnswer(body)]);
  expect(await world.balanceNanoUsd()).toBe(before);
}

afterEach(() => {
  jest.restoreAllMocks();
});
