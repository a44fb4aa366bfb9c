import { UpstreamFailed } from '../../../src/models/errors';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { scriptModel, type ScriptedAnswer } from '../../support/upstream/scripted-model';

const TEMPLATE = 'Dear {{name}}, your order {{ order }} of {{name}} has left. {{{not}}}'.replace(
  '{{{not}}}',
  '{not}',
);
const VARIABLES = [
  { name: 'name', value: 'Ms. {{order}} Lee' },
  { name: 'order', value: '4711' },
];
const BASE_NANO_USD = 4_000_000n;
const TOKEN_NANO_USD = 20_000n;

describeOperation(
  'generateAdvanced',
  (_, variant) => ({
    body: { template: `Copy {{number}}.`, variables: [{ name: 'number', value: String(variant) }] },
  }),
  (status) => {
    status(422, "refuses fields that don't belong together, free of charge", async (world) => {
      const refused: [object, string][] = [
        [{}, 'Give either prompt or template.'],
        [{ prompt: 'A poem.', template: 'Hi' }, 'Give either prompt or template.'],
        [{ template: 'Hi', tone: 'formal' }, 'go with prompt only'],
        [{ prompt: 'A poem.', variables: VARIABLES }, 'variables go with template only'],
        [{ template: 'Hi {{name}}' }, 'name has no variable'],
        [{ template: 'Hi', variables: VARIABLES }, 'order has no place'],
        [{ template: 'Hi {{your name}}' }, 'a place is written {{name}}'],
        [
          {
            template: 'Hi {{a}}',
            variables: [
              { name: 'a', value: '1' },
              { name: 'a', value: '2' },
            ],
          },
          'named twice',
        ],
        [
          { template: '{{a}}'.repeat(100), variables: [{ name: 'a', value: 'x'.repeat(5_000) }] },
          'more than 400000',
        ],
      ];
      for (const [body, message] of refused) {
        await expectRefused(world, 422, body, expect.stringContaining(message));
      }
    });

    status(503, 'writes with a model only, free of charge', async (world) => {
      await expectRefused(world, 503, { prompt: 'A poem.' }, expect.stringContaining('upstream'));
    });

    status(502, 'charges nothing for an answer that is broken', async (world) => {
      const before = await world.balanceNanoUsd();
      for (const answer of [
        { content: 'A poem without JSON.' },
        { fails: new UpstreamFailed('u', 'fell') },
        json({ title: null, text: ' ' }),
        json({ text: 'No title.' }),
      ] satisfies ScriptedAnswer[]) {
        scriptModel(world, [answer]);
        expect((await write(world, {})).status).toBe(502);
      }
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(
      200,
      "fills a template with the caller's own words, with no model, and charges its tokens",
      async (world) => {
        const model = scriptModel(world, [json({ title: null, text: 'Not asked.' })]);
        const before = await world.balanceNanoUsd();
        const { body, headers } = await callAs('generateAdvanced', world, {
          body: { template: TEMPLATE, variables: VARIABLES },
        });
        expect(headers['x-model-used']).toBe('embedded-template-1');
        expect(body.data).toMatchObject({
          kind: 'filled_template',
          title: null,
          text: 'Dear Ms. {{order}} Lee, your order 4711 of Ms. {{order}} Lee has left. {not}',
          model: 'embedded-template-1',
        });
        expect(model.requests).toEqual([]);
        const cost = BASE_NANO_USD + TOKEN_NANO_USD * BigInt(body.data.usage.total_tokens);
        expect(before - (await world.balanceNanoUsd())).toBe(cost);
      },
    );

    status(200, 'has a model write, mends its answer once, and charges both tries', async (world) => {
      const told = { title: 'Rain', text: 'It rains.' };
      const model = scriptModel(world, [
        { content: 'Gladly!', use: [70, 3] },
        { ...json(told), use: [90, 30] },
      ]);
      const before = await world.balanceNanoUsd();
      const { body } = await write(world, { context: 'Rain fell.', tone: 'simple', words_max: 50 });
      expect(body.data).toMatchObject({
        kind: 'written',
        ...told,
        model: 'scripted-1',
        usage: { total_tokens: 193 },
      });
      expect(model.shown(0)).toContain('<facts>\nRain fell.\n</facts>');
      expect(model.requests[0]?.messages[0]?.content).toContain('at most about 50 words');
      expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD + TOKEN_NANO_USD * 193n);
    });
  },
);

function write(world: World, fields: object) {
  return callAs('generateAdvanced', world, { body: { prompt: 'A poem on rain.', ...fields } });
}

async function expectRefused(world: World, status: number, body: object, message: unknown): Promise<void> {
  const before = await world.balanceNanoUsd();
  const answer = await callAs('generateAdvanced', world, { body });
  expect(answer).toMatchObject({ status, body: { message } });
  expect(await world.balanceNanoUsd()).toBe(before);
}

function json(value: object): ScriptedAnswer {
  return { content: JSON.stringify(value) };
}

afterEach(() => {
  jest.restoreAllMocks();
});
