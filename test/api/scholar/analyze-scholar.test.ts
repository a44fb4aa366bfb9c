import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { scriptModel } from '../../support/upstream/scripted-model';

const ENTRY = 'Okafor, N. (2018). Lit evenings. Northern Press.';
const TEXT = `# Results

Gardeners slept longer (Okafor, 2018; Marsh, 2003), t(238) = 4.12, p < .001.

# References

${ENTRY}
`;
const BASE_NANO_USD = 4_000_000n;
const TOKEN_NANO_USD = 20_000n;
const GOOD = {
  sections: [
    { heading: 'Results', kind: 'discussion' },
    { heading: 'References', kind: 'references' },
  ],
  references: [
    { raw: ENTRY, authors: ['Okafor, N.'], year: '2018', title: 'Lit evenings', doi: null, url: null },
  ],
};

describeOperation(
  'analyzeScholar',
  (_, variant) => ({ body: { content: `${TEXT} Copy ${variant}.`, max_tokens: 200 } }),
  (status) => {
    status(200, 'leaves out what a model invents of a reference', async (world) => {
      const invented = { ...GOOD, references: [{ ...GOOD.references[0], year: '1999' }] };
      scriptModel(world, [{ content: JSON.stringify(invented) }]);
      const { body } = await analyze(world, {});
      expect(body.data.references).toMatchObject([{ year: null }]);
    });

    status(200, 'finds everything by rule without an upstream, and charges its tokens', async (world) => {
      const before = await world.balanceNanoUsd();
      const { body, headers } = await analyze(world, {});
      const { data, metadata } = body;
      const cited = TEXT.indexOf('(Okafor');
      const entry = TEXT.indexOf(ENTRY);
      expect(data).toMatchObject({
        sections: [
          { kind: 'results', heading: 'Results', level: 1, start: 0, end: TEXT.indexOf('# References') },
          { kind: 'references', heading: 'References', end: TEXT.length },
        ],
        references: [
          {
            index: 0,
            number: null,
            raw: ENTRY,
            authors: ['Okafor, N.'],
            year: '2018',
            title: 'Lit evenings',
            citations: 1,
            start: entry,
            end: entry + ENTRY.length,
          },
        ],
        citations: {
          total: 1,
          numeric: 0,
          author_year: 1,
          places: [{ start: cited, end: cited + 27, references: [0], unmatched: ['Marsh, 2003'] }],
          unmatched: ['Marsh, 2003'],
          uncited: [],
        },
        statistics: [
          { kind: 't', text: 't(238) = 4.12', degrees_of_freedom: [238], value: 4.12, comparison: '=' },
          { kind: 'p_value', text: 'p < .001', value: 0.001, comparison: '<' },
        ],
      });
      expect([data.model, headers['x-model-used']]).toEqual([
        'embedded-paper-rules-1',
        'embedded-paper-rules-1',
      ]);
      expect(metadata.engine).toEqual({ provider: 'embedded', method: 'paper-rules', quality: 'basic' });
      const cost = BASE_NANO_USD + TOKEN_NANO_USD * BigInt(data.usage.total_tokens);
      expect([before - (await world.balanceNanoUsd()), data.usage.input_tokens > 30]).toEqual([cost, true]);
    });

    status(
      200,
      'answers on hostile texts within its deadline, and says that a text has nothing',
      async (world) => {
        await world.setBalanceUsd(world.owner, '1000');
        for (const unit of ['[1]', 'of (a, 2020) ', '1']) {
          const content = `a ${unit.repeat(Math.floor(399_000 / unit.length))}`;
          const { status: answered, body } = await analyze(world, { content });
          expect([answered, body.data.references]).toEqual([200, []]);
          expect(body.data.citations.places.length).toBeLessThanOrEqual(5_000);
        }
      },
    );

    status(
      200,
      'has a model read the paper, mends its answer once, and charges both tries',
      async (world) => {
        const model = scriptModel(world, [
          { content: 'Gladly!', use: [70, 3] },
          { content: `\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``, use: [90, 30] },
        ]);
        const before = await world.balanceNanoUsd();
        const { body } = await analyze(world, { max_tokens: 300 });
        expect(body.data).toMatchObject({
          sections: [
            { kind: 'discussion', heading: 'Results', start: 0 },
            { kind: 'references', heading: 'References' },
          ],
          references: [{ raw: ENTRY, year: '2018', citations: 1, start: TEXT.indexOf(ENTRY) }],
          citations: { total: 1, unmatched: ['Marsh, 2003'] },
          statistics: [{ kind: 't' }, { kind: 'p_value' }],
          model: 'scripted-1',
          usage: { input_tokens: 160, output_tokens: 33, total_tokens: 193 },
        });
        expect(model.shown(0)).toContain(`<text>\n${TEXT}\n</text>`);
        expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD + TOKEN_NANO_USD * 193n);
      },
    );
  },
);

function analyze(world: World, fields: object) {
  return callAs('analyzeScholar', world, { body: { content: TEXT, ...fields } });
}

afterEach(() => {
  jest.restoreAllMocks();
});
