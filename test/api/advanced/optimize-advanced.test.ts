import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { scriptJson, scriptModel, type ScriptedAnswer } from '../../support/upstream/scripted-model';

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

describeOperation(
  'optimizeAdvanced',
  (world, variant) => {
    scriptJson(world, GOOD);
    return { body: { content: `${TEXT} Copy ${variant}.`, max_tokens: 300 } };
  },
  (status) => {
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

function json(value: object): ScriptedAnswer {
  return { content: JSON.stringify(value) };
}

afterEach(() => {
  jest.restoreAllMocks();
});
