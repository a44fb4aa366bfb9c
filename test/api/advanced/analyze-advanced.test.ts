import { UpstreamFailed } from '../../../src/models/errors';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { scriptModel, type ScriptedAnswer } from '../../support/upstream/scripted-model';

const TEXT =
  'Northwind GmbH opened a plant in Hamburg on 1 March 2027. The new plant makes batteries and employs 140 people. ' +
  'The mayor praised the excellent plant.';
const GOOD = {
  summary: 'A new plant.',
  key_points: ['The new plant makes batteries and employs 140 people.'],
  keywords: ['plant', 'batteries'],
  tone: { sentiment: 'positive', sentiment_score: 0.5, formality: 'neutral', signals: ['praised'] },
};
const BASE_NANO_USD = 4_000_000n;
const TOKEN_NANO_USD = 20_000n;

describeOperation(
  'analyzeAdvanced',
  (_, variant) => ({ body: { content: `${TEXT} Copy ${variant}.`, max_tokens: 300 } }),
  (status) => {
    status(502, 'charges nothing for answers that are broken', async (world) => {
      const broken: ScriptedAnswer[] = [
        { content: 'No JSON.' },
        { fails: new UpstreamFailed('u', 'fell') },
        json({ ...GOOD, tone: { ...GOOD.tone, sentiment: 'negative' } }),
        json({ ...GOOD, tone: 1 }),
      ];
      const before = await world.balanceNanoUsd();
      for (const answer of broken) {
        const model = scriptModel(world, [answer]);
        expect((await analyze(world, {})).status).toBe(502);
        expect(model.requests).toHaveLength(answer.fails ? 1 : 2);
      }
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(200, 'leaves out and counts what is not in the text', async (world) => {
      scriptModel(world, [
        json({ ...GOOD, keywords: [...GOOD.keywords, 'submarine'], key_points: ['Not there.'] }),
      ]);
      const { body } = await analyze(world, {});
      expect(body.data).toMatchObject({ key_points: [], dropped: 2 });
      expect(body.data.keywords.map(({ text }) => text)).toEqual(GOOD.keywords);
    });

    status(200, 'counts the words of a model, and not where others have them within', async (world) => {
      scriptModel(world, [
        json({ ...GOOD, key_points: ['AI wins.'], keywords: ['AI', 'rain', '雨', 'GB', 'ha'] }),
      ]);
      const { body } = await analyze(world, {
        content: 'The train said that AI wins. AI is main. 大雨 16GB haha',
      });
      expect(body.data).toMatchObject({
        keywords: [
          { text: 'AI', count: 2 },
          { text: '雨', count: 1 },
          { text: 'GB', count: 1 },
          { text: 'ha', count: 1 },
        ],
        dropped: 1,
      });
    });

    status(200, 'analyzes without a model, and charges its tokens', async (world) => {
      const before = await world.balanceNanoUsd();
      const { body } = await analyze(world, { sentences: 1, keywords_max: 3 });
      expect(body.data).toMatchObject({
        key_points: [{ text: expect.stringContaining('plant') }],
        keywords: [expect.anything(), expect.anything(), expect.anything()],
        tone: null,
        language: 'en',
        statistics: { sentences: 3, words: 26, paragraphs: 1, characters: TEXT.length },
        readability: { reading_level: expect.any(String) },
        entities: [
          { type: 'organization', text: 'Northwind GmbH', start: 0, end: 14 },
          { type: 'location', text: 'Hamburg' },
          { type: 'date', value: '2027-03-01' },
        ],
        entities_total: 3,
        headings: [],
        model: 'embedded-text-rank-1',
      });
      const cost = BASE_NANO_USD + TOKEN_NANO_USD * BigInt(body.data.usage.total_tokens);
      expect(before - (await world.balanceNanoUsd())).toBe(cost);
    });

    status(200, 'says that there are more headings or entities than it lists', async (world) => {
      for (const [content, truncated] of [
        ['# Plan\n\nWe win.\n\n'.repeat(1_000), false],
        ['# Plan\n\nWe win.\n\n'.repeat(1_001), true],
        ['We win 5 EUR.\n\n'.repeat(1_001), true],
      ] as const) {
        expect((await analyze(world, { content })).body.data.truncated).toBe(truncated);
      }
    });

    status(200, 'tells no ease of a text in another language', async (world) => {
      const content =
        'Der Dienst war schlecht, und die Antwort kam erst nach drei Wochen und vielen Briefen.';
      const { body } = await analyze(world, { content });
      expect(body.data).toMatchObject({ language: 'de', readability: { reading_level: null } });
    });

    status(
      200,
      'has a model tell what rules know less well, mends it once, and charges both tries',
      async (world) => {
        scriptModel(world, [
          { content: 'Gladly!', use: [70, 3] },
          { ...json(GOOD), use: [90, 30] },
        ]);
        const before = await world.balanceNanoUsd();
        const { body } = await analyze(world, {});
        expect(body.data).toMatchObject({
          summary: 'A new plant.',
          key_points: [{ text: GOOD.key_points[0], start: 58, end: 111 }],
          keywords: [
            { text: 'plant', score: 1, count: 3 },
            { text: 'batteries', score: 0.5, count: 1 },
          ],
          tone: GOOD.tone,
          entities_total: 3,
          model: 'scripted-1',
          usage: { total_tokens: 193 },
        });
        expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD + TOKEN_NANO_USD * 193n);
      },
    );
  },
);

function analyze(world: World, fields: object) {
  return callAs('analyzeAdvanced', world, { body: { content: TEXT, ...fields } });
}

function json(value: object): ScriptedAnswer {
  return { content: JSON.stringify(value) };
}

afterEach(() => {
  jest.restoreAllMocks();
});
