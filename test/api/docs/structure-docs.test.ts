import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from '../../../src/text/count-tokens';
import { describeOperation } from '../../support/api/describe-operation';
import { expectCharged, WRITING_PRICE } from '../../support/upstream/answered-operation';
import { scriptModel } from '../../support/upstream/scripted-model';

const PAGE = readFileSync(join(__dirname, '../../fixtures/docs/readme.md'), 'utf8');
const operation = (fields: object = {}) => ({
  operationId: 'structureDocs' as const,
  body: { content: PAGE, ...fields },
});

describeOperation(
  'structureDocs',
  (_, variant) => ({ body: { content: `${PAGE}\n## Copy ${variant}\n` } }),
  (status) => {
    status(
      200,
      'finds tree, contents and anchors without asking a model, and charges its tokens',
      async (world) => {
        const model = scriptModel(world, [{ content: '{}' }]);
        const { body } = await expectCharged(world, operation(), WRITING_PRICE);
        const { data } = body;
        expect(model.requests).toEqual([]);
        expect(data.anchors.map(({ anchor }: { anchor: string }) => anchor)).toEqual([
          'tidemark',
          'install',
          'configuration',
          'install-1',
          'sending-warnings',
        ]);
        expect(data.outline).toMatchObject([
          {
            title: 'Tidemark',
            start: 0,
            end: 10,
            children: [{ level: 3 }, { level: 2 }, { level: 2 }, { level: 2 }],
          },
        ]);
        expect(data.table_of_contents).toBe(
          '- [Install](#install)\n- [Configuration](#configuration)\n- [Install](#install-1)\n' +
            '- [Sending warnings](#sending-warnings)',
        );
        expect(data).toMatchObject({ numbering_gaps: [], more: 0, model: 'embedded-outline-1' });
        const { outline, numbering_gaps, more } = data;
        const once = JSON.stringify({ outline, numbering_gaps, more });
        expect(data.usage.output_tokens).toBe(countTokens(once));
      },
    );

    status(200, 'nests headings, and names the numbers that are missing', async (world) => {
      const text = '# Rules\n\n## 1. Scope\n\n### 1.1 Who\n\n### 1.3 When\n\n## 3. Costs\n\nText.\n';
      const { body } = await expectCharged(world, operation({ content: text, depth_max: 1 }), WRITING_PRICE);
      expect(
        body.data.outline[0]?.children[0]?.children.map(({ title }: { title: string }) => title),
      ).toEqual(['1.1 Who', '1.3 When']);
      expect(body.data.numbering_gaps).toMatchObject([
        { number: '1.3', expected: '1.2', start: text.indexOf('### 1.3') },
        { number: '3', expected: '2' },
      ]);
      expect(body.data.table_of_contents).toBe('- [1. Scope](#1-scope)\n- [3. Costs](#3-costs)');
    });
  },
);

afterEach(() => {
  jest.restoreAllMocks();
});
