import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeOperation } from '../../support/api/describe-operation';
import { expectCharged, WRITING_PRICE } from '../../support/upstream/answered-operation';
import { scriptJson, scriptModel } from '../../support/upstream/scripted-model';

const DRAFT = readFileSync(join(__dirname, '../../fixtures/creative/draft.txt'), 'utf8');
const told = (quote: string, replacement: string | null) => ({ quote, replacement, reason: 'It is truer.' });
const content = (...suggestions: object[]) => JSON.stringify({ suggestions });
const TOLD = {
  suggestions: [told('quiet as the grave', 'quiet'), told('The boat was sold in the spring.', null)],
};
const operation = (fields: object = {}) => ({
  operationId: 'enhanceCreative' as const,
  body: { content: DRAFT, ...fields },
  told: TOLD,
});

describeOperation(
  'enhanceCreative',
  (world, variant) => {
    scriptJson(world, TOLD);
    return { body: { content: `${DRAFT} Copy ${variant}.`, max_tokens: 200 } };
  },
  (status) => {
    status(
      200,
      'leaves out and counts quotes that are not there and changes that change nothing',
      async (world) => {
        for (const [before, after] of [
          ['Mara flew', 'Mara ran'],
          ['Mara looked', 'Mara looked'],
        ] as const) {
          scriptModel(world, [{ content: content(told(before, after)) }]);
          const { body } = await expectCharged(world, operation(), WRITING_PRICE);
          expect(body.data).toMatchObject({ suggestions: [], dropped: 1 });
        }
      },
    );

    status(200, 'gives no more suggestions than wanted, and says how many there are', async (world) => {
      scriptJson(world, TOLD);
      const { body } = await expectCharged(world, operation({ suggestions_max: 1 }), WRITING_PRICE);
      expect(body.data).toMatchObject({ suggestions: [{ before: 'quiet as the grave' }], more: 1 });
    });

    status(
      200,
      "finds a model's quotes again, mends its answer once, and charges both tries",
      async (world) => {
        const model = scriptModel(world, [
          { content: content(told('The boat sank', 'x')), use: [300, 9] },
          {
            content: content(
              told('The boat was sold in the spring.', 'They sold the boat in spring.'),
              told('quiet as the grave', 'quiet'),
              told('the grave. She walked', 'overlaps'),
              told('an old man with a pole', null),
            ),
            use: [320, 60],
          },
        ]);
        const { body } = await expectCharged(world, operation({ goal: 'tenser' }), WRITING_PRICE);
        const at = (text: string) => ({
          start: DRAFT.indexOf(text),
          end: DRAFT.indexOf(text) + text.length,
          before: text,
        });
        expect(body.data).toMatchObject({
          suggestions: [
            { ...at('quiet as the grave'), after: 'quiet' },
            { ...at('an old man with a pole'), after: null },
            { ...at('The boat was sold in the spring.'), after: 'They sold the boat in spring.' },
          ],
          more: 0,
          model: 'scripted-1',
          usage: { total_tokens: 689 },
        });
        expect(model.shown(0)).toContain('<goal>\ntenser\n</goal>');
      },
    );
  },
);

afterEach(() => {
  jest.restoreAllMocks();
});
