import { UpstreamFailed, UpstreamRefused } from '../../../src/models/errors';
import { newId } from '../../../src/runtime/ids';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { expectFreeRefusals } from '../../support/api/free-refusals';
import type { World } from '../../support/api/world';
import { describeNoModel, describeRace } from '../../support/upstream/answered-operation';
import { scriptJson, scriptModel, type ScriptedAnswer } from '../../support/upstream/scripted-model';
import { toldRefusal } from '../../support/upstream/upstream-refusal';

const TEXT =
  'In order to win, we we utilize it.  It is fast.  It is very fast due to the fact that it is new.';
const BASE_NANO_USD = 4_000_000n;
const TOKEN_NANO_USD = 20_000n;
const GOOD = {
  changes: [
    {
      before: 'It is very fast due to the fact that it is new.',
      after: 'It is fast because it is new.',
      reason: 'Shorter.',
    },
    { before: 'In order to', after: 'To', reason: 'Shorter.' },
  ],
};

const OPERATION = { operationId: 'optimizeAdvanced', body: { content: TEXT }, told: GOOD } as const;

describeOperation(
  'optimizeAdvanced',
  (world, variant) => {
    scriptJson(world, GOOD);
    return { body: { content: `${TEXT} Copy ${variant}.`, max_tokens: 300 } };
  },
  (status) => {
    status(400, 'refuses what has not the documented form, free of charge', async (world) => {
      await expectFreeRefusals('optimizeAdvanced', world, {
        nothing: undefined,
        'an empty text': { content: '' },
        'a text of 400,001 characters': { content: 'x'.repeat(400_001) },
        'no goal': { content: TEXT, goals: [] },
        'an unknown goal': { content: TEXT, goals: ['beauty'] },
        'an unknown field': { content: TEXT, colour: 'red' },
      });
    });

    status(404, 'refuses a document that is not there, free of charge', async (world) => {
      await expectRefused(world, 404, { document_id: newId() }, 'No such document.');
    });

    status(
      422,
      'refuses no source, two sources and a text that says nothing, free of charge',
      async (world) => {
        const either = 'Give either content or document_id.';
        await expectRefused(world, 422, {}, either);
        await expectRefused(world, 422, { content: TEXT, document_id: newId() }, either);
        await expectRefused(world, 422, { content: ' … ' }, expect.stringContaining('no letter'));
      },
    );

    describeRace(status, OPERATION);
    describeNoModel(status, OPERATION);

    for (const refusal of [413, 422]) {
      status(refusal, "passes on what the model's provider refuses, free of charge", async (world) => {
        const body = '{"error":{"message":"No.","type":"invalid_request_error","param":null,"code":null}}';
        scriptModel(world, [{ fails: new UpstreamRefused('u', refusal, body) }]);
        const before = await world.balanceNanoUsd();
        const answer = await optimize(world, {});
        expect([answer.status, answer.body]).toMatchObject([refusal, toldRefusal(body)]);
        expect(await world.balanceNanoUsd()).toBe(before);
      });
    }

    status(502, 'charges nothing for answers that are broken', async (world) => {
      const broken: ScriptedAnswer[] = [
        { content: 'No JSON.' },
        { fails: new UpstreamFailed('u', 'fell') },
        json({ changes: [{ before: 'fast' }] }),
      ];
      const before = await world.balanceNanoUsd();
      for (const answer of broken) {
        const model = scriptModel(world, [answer]);
        expect((await optimize(world, {})).status).toBe(502);
        expect(model.requests).toHaveLength(answer.fails ? 1 : 2);
      }
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(
      200,
      'makes the changes that a model names, mends its answer once, and charges both tries',
      async (world) => {
        scriptModel(world, [
          { content: 'Gladly!', use: [70, 3] },
          { ...json(GOOD), use: [90, 30] },
        ]);
        const before = await world.balanceNanoUsd();
        const { body } = await optimize(world, { goals: ['clarity'] });
        expect(body.data).toMatchObject({
          text: 'To win, we we utilize it.  It is fast.  It is fast because it is new.',
          changes: [
            { start: 0, end: 11, before: 'In order to', after: 'To', reason: 'Shorter.' },
            { start: 49, end: 96, after: 'It is fast because it is new.' },
          ],
          metrics: { before: { statistics: { words: 23 } }, after: { statistics: { words: 16 } } },
          model: 'scripted-1',
          usage: { total_tokens: 193 },
        });
        expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD + TOKEN_NANO_USD * 193n);
      },
    );
  },
);

function optimize(world: World, fields: object) {
  return callAs('optimizeAdvanced', world, { body: { content: TEXT, ...fields } });
}

async function expectRefused(world: World, status: number, body: object, message: unknown): Promise<void> {
  const before = await world.balanceNanoUsd();
  const answer = await callAs('optimizeAdvanced', world, { body });
  expect(answer).toMatchObject({ status, body: { message } });
  expect(await world.balanceNanoUsd()).toBe(before);
}

function json(value: object): ScriptedAnswer {
  return { content: JSON.stringify(value) };
}

afterEach(() => {
  jest.restoreAllMocks();
});
