import { describeInvention, expectCharged } from '../../support/upstream/answered-operation';
import { describeOperation } from '../../support/api/describe-operation';
import { GERMAN } from '../../support/legal/contract-fixtures';
import { scriptModel } from '../../support/upstream/scripted-model';

const TEXT =
  '# Plan\n\nIn order to win, we need  a plan for the next year. The plan was written by Ada in the office.\n';
const PRICE = { baseNanoUsd: 4_000_000n, tokenNanoUsd: 20_000n };
const TONE = { formality: 'neutral', sentiment: 'neutral', signals: ['plain words'] };
const ISSUE = { type: 'unclear', before: 'a plan', after: 'this plan', reason: 'Which plan?' };
const OPERATION = {
  operationId: 'analyzeProfessional',
  body: { content: TEXT },
  invented: { tone: TONE, issues: [{ ...ISSUE, before: 'a blue elephant' }] },
} as const;

describeOperation(
  'analyzeProfessional',
  (_, variant) => ({ body: { content: `${TEXT} Copy ${variant}.`, max_tokens: 200 } }),
  (status) => {
    describeInvention(status, OPERATION);

    status(200, 'measures a text without a model, and charges its tokens', async (world) => {
      const { body } = await expectCharged(world, OPERATION, PRICE);
      expect(body).toMatchObject({
        data: {
          ...{ readability: { paragraphs: 2, characters: TEXT.length }, tone: null, issues: null },
          structure: [{ title: 'Plan', level: 1, start: 0, end: 6 }],
          model: 'embedded-text-measures-1',
        },
        metadata: { engine: { method: 'text-measures' } },
      });
    });

    status(200, 'says that there are more headings than it lists', async (world) => {
      const pages = (count: number) => ({ content: '# Plan\n\nWe win.\n\n'.repeat(count) });
      for (const [count, truncated] of [
        [1_000, false],
        [1_001, true],
      ] as const) {
        const operation = { operationId: OPERATION.operationId, body: pages(count) };
        expect((await expectCharged(world, operation, PRICE)).body).toMatchObject({ data: { truncated } });
      }
    });

    status(200, 'says nothing of the ease of a German text', async (world) => {
      const { body } = await expectCharged(
        world,
        { operationId: 'analyzeProfessional', body: { content: GERMAN } },
        PRICE,
      );
      expect(body).toMatchObject({
        data: { readability: { flesch_reading_ease: null, reading_level: null } },
      });
    });

    status(
      200,
      'has a model judge and measures by itself, and charges what the model used',
      async (world) => {
        scriptModel(world, [{ content: JSON.stringify({ tone: TONE, issues: [ISSUE] }), use: [300, 40] }]);
        const { body } = await expectCharged(world, OPERATION, PRICE);
        const start = TEXT.indexOf('a plan');
        expect(body).toMatchObject({
          data: {
            ...{ tone: TONE, issues: [{ ...ISSUE, start, end: start + 6 }], usage: { total_tokens: 340 } },
            ...{
              readability: { characters: TEXT.length },
              structure: [{ title: 'Plan' }],
              model: 'scripted-1',
            },
          },
        });
      },
    );
  },
);

afterEach(() => {
  jest.restoreAllMocks();
});
