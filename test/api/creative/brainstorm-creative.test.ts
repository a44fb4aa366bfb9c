import { describeOperation } from '../../support/api/describe-operation';
import {
  expectCharged,
  expectFault,
  expectRefused,
  WRITING_PRICE,
} from '../../support/upstream/answered-operation';
import { scriptJson, scriptModel } from '../../support/upstream/scripted-model';

const TOPIC = 'A repair café for bicycles in a small town';
const idea = (title: string, technique = 'combine') => ({ title, angle: 'Mend while you drink.', technique });
const content = (...ideas: object[]) => JSON.stringify({ ideas });
const TOLD = { ideas: [idea('One'), idea('Two')] };
const operation = (fields: object = {}) => ({
  operationId: 'brainstormCreative' as const,
  body: { topic: TOPIC, count: 2, ...fields },
  told: TOLD,
});

describeOperation(
  'brainstormCreative',
  (world, variant) => {
    scriptJson(world, TOLD);
    return { body: { topic: `${TOPIC} ${variant}`, count: 2, max_tokens: 200 } };
  },
  (status) => {
    status(422, 'refuses a topic that says nothing, free of charge', async (world) => {
      await expectRefused(
        world,
        operation({ topic: '?!' }),
        422,
        'topic has no letter and no digit: it says nothing.',
      );
    });

    status(
      502,
      'charges nothing for too few ideas, the same twice or an unknown technique',
      async (world) => {
        for (const ideas of [
          [idea('One')],
          [idea('One'), idea(' one ')],
          [idea('One'), idea('Two', 'guess')],
        ]) {
          await expectFault(world, operation(), { content: content(...ideas) });
        }
      },
    );

    status(200, 'has a model find ideas, mends its answer once, and charges both tries', async (world) => {
      scriptModel(world, [
        { content: content(idea('One')), use: [50, 9] },
        { content: content(idea('One'), idea('Two'), idea('Three')), use: [60, 40] },
      ]);
      const { body } = await expectCharged(world, operation(), WRITING_PRICE);
      expect(body.data).toMatchObject({
        kind: 'ideas',
        ideas: [idea('One'), idea('Two')],
        model: 'scripted-1',
        usage: { total_tokens: 159 },
      });
    });
  },
);

afterEach(() => {
  jest.restoreAllMocks();
});
