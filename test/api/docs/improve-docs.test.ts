import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeOperation } from '../../support/api/describe-operation';
import { expectCharged, WRITING_PRICE } from '../../support/upstream/answered-operation';
import { scriptModel } from '../../support/upstream/scripted-model';

const PAGE = readFileSync(join(__dirname, '../../fixtures/docs/readme.md'), 'utf8');
const operation = (fields: object = {}) => ({
  operationId: 'improveDocs' as const,
  body: { content: PAGE, ...fields },
});
const told = (quote: string, replacement: string | null) => ({
  quote,
  replacement,
  reason: 'It is clearer.',
});
const content = (...suggestions: object[]) => JSON.stringify({ suggestions });
const RULES = [
  'missing_alt_text',
  'broken_anchor',
  'heading_level_skipped',
  'fence_without_language',
  'bare_url',
  'trailing_spaces',
  'list_number_skipped',
  'bare_url',
  'list_markers_differ',
  'unfinished',
  'empty_link',
];

describeOperation(
  'improveDocs',
  (_, variant) => ({ body: { content: `${PAGE}\nCopy ${variant}.\n`, max_tokens: 200 } }),
  (status) => {
    status(200, 'leaves out and counts quotes that are not in the page', async (world) => {
      scriptModel(world, [{ content: content(told('npm uninstall', 'x')) }]);
      const { body } = await expectCharged(world, operation(), WRITING_PRICE);
      expect(body.data).toMatchObject({ suggestions: [], dropped: 1 });
    });

    status(200, 'lints a page without an upstream, and charges its tokens', async (world) => {
      const { body } = await expectCharged(world, operation(), WRITING_PRICE);
      const { data } = body;
      expect(data).toMatchObject({
        more_lint: 0,
        suggestions: [],
        more_suggestions: 0,
        model: 'embedded-markdown-lint-1',
      });
      expect(data.lint.map(({ rule }: { rule: string }) => rule)).toEqual(RULES);
      for (const { line, start } of data.lint) {
        expect(PAGE.slice(0, start).split('\n')).toHaveLength(line);
      }
    });

    status(
      200,
      "finds a model's quotes again beside the same lint, and charges both tries",
      async (world) => {
        const model = scriptModel(world, [
          { content: content(told('npm uninstall', 'x')), use: [300, 9] },
          { content: content(told('a siren that nobody heard', 'a siren')), use: [320, 40] },
        ]);
        const { body } = await expectCharged(world, operation({ audience: 'volunteers' }), WRITING_PRICE);
        const start = PAGE.indexOf('a siren that');
        expect(body.data).toMatchObject({
          suggestions: [{ start, end: start + 25, before: 'a siren that nobody heard', after: 'a siren' }],
          ...{ model: 'scripted-1', usage: { total_tokens: 669 } },
        });
        expect(body.data.lint.map(({ rule }: { rule: string }) => rule)).toEqual(RULES);
        expect(model.shown(0)).toContain('<audience>\nvolunteers\n</audience>');
      },
    );
  },
);

afterEach(() => {
  jest.restoreAllMocks();
});
