import { UpstreamFailed } from '../../../src/models/errors';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { expectNoModel } from '../../support/upstream/answered-operation';
import { scriptModel, type ScriptedAnswer } from '../../support/upstream/scripted-model';

const TEXT =
  'Northwind GmbH opened a plant in Hamburg on 1 March 2027. The plant cost EUR 12,500,000.00. ' +
  'Maria Weber praised the plant, and the town praised Maria Weber.';
const LABELS = [
  { name: 'industry', examples: ['A plant was opened.'] },
  { name: 'sports', examples: ['The team won the match.'] },
];
const BASE_NANO_USD = 4_000_000n;
const TOKEN_NANO_USD = 20_000n;

describeOperation(
  'processAdvanced',
  (_, variant) => ({
    body: { content: `${TEXT} Copy ${variant}.`, processing_type: 'summarize', max_tokens: 200 },
  }),
  (status) => {
    status(422, "refuses another type's parameters, and a type without those it needs", async (world) => {
      const refused: [string, object, string][] = [
        ['summarize', { keywords_max: 3 }, 'keywords_max'],
        ['language', { sentences: 3 }, 'sentences'],
        ['classify', {}, 'classify needs parameters.labels'],
        ['classify', { labels: LABELS.map(({ name }) => ({ name })) }, 'each label needs examples'],
        ['classify', { labels: [LABELS[0], LABELS[0]] }, 'each name once'],
        ['translate', {}, 'target_language'],
        ['rewrite', {}, 'at least one'],
      ];
      for (const [processing_type, parameters, message] of refused) {
        await expectRefused(world, 422, { processing_type, parameters }, expect.stringContaining(message));
      }
      await expectRefused(world, 422, { content: null }, 'Give either content or document_id.');
      await expectRefused(world, 422, { content: ' … ' }, expect.stringContaining('no letter'));
    });

    status(503, 'answers with a model only what rules cannot, free of charge', async (world) => {
      for (const body of [
        { processing_type: 'translate', parameters: { target_language: 'de' } },
        { processing_type: 'rewrite', parameters: { style: 'formal' } },
        { processing_type: 'sentiment' },
      ]) {
        await expectNoModel(world, { operationId: 'processAdvanced', body: { content: TEXT, ...body } });
      }
    });

    status(502, 'charges nothing for answers that are broken', async (world) => {
      const broken: [string, object, ScriptedAnswer][] = [
        ['summarize', {}, { content: 'No JSON here.' }],
        ['entities', {}, json({ entities: [{ type: 'ghost', text: 'Hamburg' }] })],
        [
          'classify',
          { labels: LABELS },
          json({ label: 'music', evidence: ['The plant cost EUR 12,500,000.00.'] }),
        ],
        ['classify', { labels: LABELS }, json({ label: 'industry', evidence: [] })],
        [
          'sentiment',
          {},
          json({ sentiment: 'negative', sentiment_score: 0.9, formality: 'neutral', signals: [] }),
        ],
        ['translate', { target_language: 'de' }, json({ text: '  ' })],
        ['rewrite', { length: 'shorter' }, { fails: new UpstreamFailed('u', 'fell') }],
      ];
      const before = await world.balanceNanoUsd();
      for (const [type, parameters, answer] of broken) {
        const model = scriptModel(world, [answer]);
        expect([type, (await process(world, type, parameters)).status]).toEqual([type, 502]);
        expect(model.requests).toHaveLength(answer.fails ? 1 : 2);
      }
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(200, 'finds without a model what each type names, and charges its tokens', async (world) => {
      const text = `# Plant\n\n${TEXT}\n\nOwner: Northwind\n\n| a | b |\n|---|---|\n| 1 | 2 |\n`;
      const expected: [string, object, object][] = [
        [
          'summarize',
          { sentences: 1 },
          { key_points: [expect.objectContaining({ text: expect.any(String) })] },
        ],
        [
          'keywords',
          { keywords_max: 2 },
          { keywords: [{ text: 'Maria Weber', score: 1, count: 2 }, expect.anything()] },
        ],
        [
          'entities',
          { entity_types: ['money'] },
          {
            entities: [
              { type: 'money', text: 'EUR 12,500,000.00', start: 82, end: 99, value: 'EUR 12500000.00' },
            ],
          },
        ],
        ['classify', { labels: LABELS }, { label: 'industry' }],
        ['language', {}, { language: 'en' }],
        ['readability', {}, { readability: { reading_level: expect.any(String) } }],
        ['statistics', {}, { statistics: { characters: text.length } }],
        ['outline', {}, { headings: [{ title: 'Plant', level: 1, start: 0, end: 7, anchor: 'plant' }] }],
        ['tables', {}, { tables: [{ header: ['a', 'b'], rows: [['1', '2']] }] }],
        ['key_values', {}, { key_values: [{ key: 'Owner', value: 'Northwind' }] }],
      ];
      for (const [type, parameters, result] of expected) {
        const before = await world.balanceNanoUsd();
        const { body } = await process(world, type, parameters, text);
        expect(body.data).toMatchObject({ processing_type: type, result: { type, ...result } });
        expect(body.data.model).toMatch(/^embedded-/);
        const cost = BASE_NANO_USD + TOKEN_NANO_USD * BigInt(body.data.usage.total_tokens);
        expect(before - (await world.balanceNanoUsd())).toBe(cost);
      }
    });

    status(200, 'asks no model for what rules answer', async (world) => {
      const model = scriptModel(world, [json({ language: 'xx' })]);
      const { body } = await process(world, 'language');
      expect([body.data.model, model.requests]).toEqual(['embedded-rules-1', []]);
    });

    status(200, 'gives no label where none fits', async (world) => {
      const { body } = await process(world, 'classify', { labels: LABELS }, 'The weather will be fine.');
      expect(body.data.result).toEqual({ type: 'classify', label: null, evidence: [] });
    });

    status(200, 'places what a model tells, mends it once, and charges both tries', async (world) => {
      const told = {
        entities: [
          { type: 'date', text: '1 March 2027' },
          { type: 'person', text: 'Maria Weber' },
        ],
      };
      scriptModel(world, [
        { content: 'Gladly!', use: [70, 3] },
        { ...json(told), use: [90, 30] },
      ]);
      const before = await world.balanceNanoUsd();
      const { body } = await process(world, 'entities');
      expect(body.data).toMatchObject({
        result: {
          entities: [
            { type: 'date', text: '1 March 2027', start: 44, end: 56, value: '2027-03-01' },
            { type: 'person', text: 'Maria Weber', start: 92, end: 103, value: null },
          ],
        },
        model: 'scripted-1',
        usage: { input_tokens: 160, output_tokens: 33, total_tokens: 193 },
      });
      expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD + TOKEN_NANO_USD * 193n);
    });

    status(200, 'has a model answer every type that it can, with the same fields', async (world) => {
      const good: [string, object, object, object][] = [
        [
          'summarize',
          {},
          { summary: 'A plant.', key_points: ['The plant cost EUR 12,500,000.00.'] },
          { summary: 'A plant.', key_points: [{ start: 58, end: 91 }] },
        ],
        [
          'keywords',
          {},
          { keywords: ['Plant', 'Hamburg'] },
          {
            keywords: [
              { text: 'Plant', score: 1, count: 3 },
              { text: 'Hamburg', score: 0.5, count: 1 },
            ],
          },
        ],
        ['classify', { labels: LABELS }, { label: null, evidence: [] }, { label: null, evidence: [] }],
        [
          'sentiment',
          {},
          { sentiment: 'positive', sentiment_score: 0.4, formality: 'neutral', signals: ['praised'] },
          { tone: { sentiment_score: 0.4 } },
        ],
        [
          'translate',
          { target_language: 'de' },
          { text: 'Ein Werk.' },
          { text: 'Ein Werk.', source_language: 'en', target_language: 'de' },
        ],
        ['rewrite', { instruction: 'Shout.' }, { text: 'A PLANT!' }, { text: 'A PLANT!' }],
      ];
      for (const [type, parameters, told, result] of good) {
        const model = scriptModel(world, [json(told)]);
        const { body } = await process(world, type, parameters);
        expect(body.data).toMatchObject({ model: 'scripted-1', result: { type, ...result } });
        expect(model.shown(0)).toContain(`<text>\n${TEXT}\n</text>`);
      }
    });
  },
);

function json(value: object): ScriptedAnswer {
  return { content: JSON.stringify(value) };
}

function process(world: World, processing_type: string, parameters: object = {}, content = TEXT) {
  return callAs('processAdvanced', world, { body: { content, processing_type, parameters } });
}

async function expectRefused(world: World, status: number, fields: object, message: unknown): Promise<void> {
  const before = await world.balanceNanoUsd();
  const body = { content: TEXT, processing_type: 'summarize', ...fields };
  const answer = await callAs('processAdvanced', world, { body });
  expect(answer).toMatchObject({ status, body: { message } });
  expect(await world.balanceNanoUsd()).toBe(before);
}

afterEach(() => {
  jest.restoreAllMocks();
});
