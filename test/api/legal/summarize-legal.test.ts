import { UpstreamFailed, UpstreamRefused } from '../../../src/models/errors';
import { newId } from '../../../src/runtime/ids';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { expectFreeRefusals } from '../../support/api/free-refusals';
import type { World } from '../../support/api/world';
import { scriptModel } from '../../support/upstream/scripted-model';
import { toldRefusal } from '../../support/upstream/upstream-refusal';

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
    status(400, 'refuses what has not the documented form, free of charge', async (world) => {
      await expectFreeRefusals('summarizeLegal', world, {
        nothing: undefined,
        'a text that is a list': { content: [TEXT] },
        'an empty text': { content: '' },
        'a text of 400,001 characters': { content: 'x'.repeat(400_001) },
        'no sentence': { content: TEXT, sentences: 0 },
        'too many sentences': { content: TEXT, sentences: 21 },
        'an unknown field': { content: TEXT, colour: 'red' },
      });
    });

    status(404, 'refuses a document that is not there, free of charge', async (world) => {
      await expectRefused(world, 404, { document_id: newId() }, 'No such document.');
    });

    status(409, 'runs one call of an Idempotency-Key at a time', async (world) => {
      const headers = { 'idempotency-key': newId() };
      const calls = await Promise.all(
        [1, 2].map(() => callAs('summarizeLegal', world, { headers, body: { content: TEXT } })),
      );
      const statuses = calls.map(({ status: each }) => each).sort();
      expect([
        [200, 200],
        [200, 409],
      ]).toContainEqual(statuses);
    });

    for (const refusal of [413, 422]) {
      status(refusal, "passes on what the model's provider refuses, free of charge", async (world) => {
        const body = '{"error":{"message":"No.","type":"invalid_request_error","param":null,"code":null}}';
        scriptModel(world, [{ fails: new UpstreamRefused('u', refusal, body) }]);
        const before = await world.balanceNanoUsd();
        const answer = await summarize(world, {});
        expect([answer.status, answer.body]).toMatchObject([refusal, toldRefusal(body)]);
        expect(await world.balanceNanoUsd()).toBe(before);
      });
    }

    status(
      422,
      'refuses no source, two sources and a text that says nothing, free of charge',
      async (world) => {
        await expectRefused(world, 422, {}, 'Give either content or document_id.');
        await expectRefused(
          world,
          422,
          { content: TEXT, document_id: newId() },
          'Give either content or document_id.',
        );
        await expectRefused(world, 422, { content: ' … ' }, expect.stringContaining('no letter'));
      },
    );

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

    status(502, 'charges nothing for no JSON or a failed upstream', async (world) => {
      const before = await world.balanceNanoUsd();
      for (const broken of [
        { content: 'A summary without JSON.' },
        { content: '{"summary": 1}' },
        { fails: new UpstreamFailed('u', 'fell') },
      ]) {
        scriptModel(world, [broken]);
        expect((await summarize(world, {})).status).toBe(502);
      }
      expect(await world.balanceNanoUsd()).toBe(before);
    });

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

async function expectRefused(world: World, status: number, body: object, message: unknown): Promise<void> {
  const before = await world.balanceNanoUsd();
  const answer = await callAs('summarizeLegal', world, { body });
  expect(answer).toMatchObject({ status, body: { message } });
  expect(await world.balanceNanoUsd()).toBe(before);
}

afterEach(() => {
  jest.restoreAllMocks();
});
