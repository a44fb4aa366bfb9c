import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { scriptModel } from '../../support/upstream/scripted-model';

const ABSTRACT = 'Gardeners slept 31 minutes longer than their neighbours on three islands.';
const RESULT = 'Participants who tended tidal gardens for twelve weeks slept longer than the others.';
const TEXT = `# Tidal gardens

## Abstract

${ABSTRACT}

## Methods

We recruited 240 adults on three islands and gave them sensors for the wrist.

## Results

${RESULT} Hours outdoors and hours of sleep were closely related.

## References

Okafor, N. (2018). Lit evenings shorten the sleep of gardeners on islands. Northern Press.`;
const BASE_NANO_USD = 4_000_000n;
const TOKEN_NANO_USD = 20_000n;
const GOOD = {
  summary: 'Tidal gardens lengthen sleep.',
  key_points: [RESULT],
};

describeOperation(
  'summarizeScholar',
  (_, variant) => ({ body: { content: `${TEXT} Copy ${variant}.`, max_tokens: 200 } }),
  (status) => {
    status(
      200,
      'leaves out and counts the quotes that a model invents, once it could not mend them',
      async (world) => {
        const invented = { ...GOOD, key_points: ['Gardeners shall sing.'] };
        const model = scriptModel(world, [{ content: JSON.stringify(invented) }]);
        const { body } = await summarize(world, {});
        expect(body.data).toMatchObject({ key_points: [], dropped: 1, truncated: false });
        expect(model.requests).toHaveLength(2);
        expect(model.shown(1)).toContain('Gardeners shall sing.');
      },
    );

    status(
      200,
      'quotes the most central sentences without an upstream, and charges its tokens',
      async (world) => {
        const before = await world.balanceNanoUsd();
        const { body, headers } = await summarize(world, { sentences: 2 });
        const { data, metadata } = body;
        const start = TEXT.indexOf(ABSTRACT);
        expect(data.abstract).toEqual({ text: ABSTRACT, start, end: start + ABSTRACT.length });
        expect(data.key_points.map(({ heading, kind }) => [heading, kind])).toEqual([
          ['Methods', 'methods'],
          ['Results', 'results'],
        ]);
        for (const point of data.key_points.flatMap(({ points }) => points)) {
          expect(TEXT.slice(point.start, point.end)).toBe(point.text);
        }
        expect(data.summary).not.toMatch(/Okafor|neighbours/);
        expect(data.summary.length).toBeGreaterThan(50);
        expect([data.model, headers['x-model-used']]).toEqual([
          'embedded-text-rank-1',
          'embedded-text-rank-1',
        ]);
        expect(metadata.engine).toEqual({ provider: 'embedded', method: 'text-rank', quality: 'basic' });
        const cost = BASE_NANO_USD + TOKEN_NANO_USD * BigInt(data.usage.total_tokens);
        expect([before - (await world.balanceNanoUsd()), data.usage.input_tokens > 40]).toEqual([cost, true]);
      },
    );

    status(200, 'has a model summarize, mends its answer once, and charges both tries', async (world) => {
      const model = scriptModel(world, [
        { content: 'Gladly!', use: [70, 3] },
        { content: `\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``, use: [90, 30] },
      ]);
      const before = await world.balanceNanoUsd();
      const { body } = await summarize(world, { max_tokens: 300 });
      expect(body.data).toMatchObject({
        summary: GOOD.summary,
        abstract: { text: ABSTRACT },
        key_points: [
          {
            heading: 'Results',
            kind: 'results',
            points: [
              { text: RESULT, start: TEXT.indexOf(RESULT), end: TEXT.indexOf(RESULT) + RESULT.length },
            ],
          },
        ],
        model: 'scripted-1',
        usage: { input_tokens: 160, output_tokens: 33, total_tokens: 193 },
      });
      expect(model.shown(0)).toContain(`<text>\n${TEXT}\n</text>`);
      expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD + TOKEN_NANO_USD * 193n);
    });
  },
);

function summarize(world: World, fields: object) {
  return callAs('summarizeScholar', world, { body: { content: TEXT, ...fields } });
}

afterEach(() => {
  jest.restoreAllMocks();
});
