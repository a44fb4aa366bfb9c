import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { scriptModel } from '../../support/upstream/scripted-model';

const TEXT =
  'This Agreement is made between Acme Ltd and Blue GmbH. Acme Ltd shall deliver the machine by 1 March 2027. ' +
  "Blue GmbH shall pay EUR 12,500.00 within 30 days. Either party may terminate this Agreement with 60 days' notice.";
const BASE_NANO_USD = 5_000_000n;
const TOKEN_NANO_USD = 30_000n;
const GOOD = {
  summary: 'Acme sells Blue a machine.',
  key_points: ['Blue GmbH shall pay EUR 12,500.00 within 30 days.'],
};

describeOperation(
  'summarizeLegal',
  (_, variant) => ({ body: { content: `${TEXT} Copy ${variant}.`, max_tokens: 200 } }),
  (status) => {
    status(
      200,
      'leaves out and counts the quotes that a model invents, once it could not mend them',
      async (world) => {
        const invented = { ...GOOD, key_points: ['Blue GmbH shall sing.'] };
        const model = scriptModel(world, [{ content: JSON.stringify(invented) }]);
        const { body } = await summarize(world, {});
        expect(body.data).toMatchObject({ key_points: [], dropped: 1, truncated: false });
        expect(model.requests).toHaveLength(2);
        expect(model.shown(1)).toContain('Blue GmbH shall sing.');
      },
    );

    status(
      200,
      'quotes the most central sentences without an upstream, and charges its tokens',
      async (world) => {
        const before = await world.balanceNanoUsd();
        const { body, headers } = await summarize(world, { sentences: 2 });
        const { data, metadata } = body;
        expect(data.key_points).toHaveLength(2);
        for (const { text, start, end } of data.key_points) {
          expect(TEXT.slice(start, end)).toBe(text);
        }
        expect(data.summary).toBe(data.key_points.map(({ text }) => text).join(' '));
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
        key_points: [{ text: GOOD.key_points[0], start: 107, end: 156 }],
        model: 'scripted-1',
        usage: { input_tokens: 160, output_tokens: 33, total_tokens: 193 },
      });
      expect(model.shown(0)).toContain(`<text>\n${TEXT}\n</text>`);
      expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD + TOKEN_NANO_USD * 193n);
    });
  },
);

function summarize(world: World, fields: object) {
  return callAs('summarizeLegal', world, { body: { content: TEXT, ...fields } });
}

afterEach(() => {
  jest.restoreAllMocks();
});
