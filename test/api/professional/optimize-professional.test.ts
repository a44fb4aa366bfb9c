import { describeInvention, expectCharged } from '../../support/upstream/answered-operation';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { scriptJson, scriptModel } from '../../support/upstream/scripted-model';

const TEXT = 'In order to win, we need  a plan. We need the the money by 1 May 2027.';
const PRICE = { baseNanoUsd: 4_000_000n, tokenNanoUsd: 20_000n };
const TOLD = { changes: [{ before: 'In order to win', after: 'To win', reason: 'Shorter.' }] };
const OPERATION = {
  operationId: 'optimizeProfessional',
  body: { content: TEXT },
  told: TOLD,
  invented: { changes: [{ before: 'a blue elephant', after: '', reason: 'Blue.' }] },
} as const;

describeOperation(
  'optimizeProfessional',
  (world, variant) => {
    scriptJson(world, TOLD);
    return { body: { content: `${TEXT} Copy ${variant}.`, max_tokens: 200 } };
  },
  (status) => {
    describeInvention(status, OPERATION);

    status(200, 'leaves out and counts changes that overlap', async (world) => {
      const changes = [...TOLD.changes, { before: 'to win', after: 'for victory', reason: 'Nicer.' }];
      scriptModel(world, [{ content: JSON.stringify({ changes }) }]);
      const { body } = await callAs('optimizeProfessional', world, { body: OPERATION.body });
      expect(body.data).toMatchObject({ changes: [TOLD.changes[0]], dropped: 1 });
    });

    status(
      200,
      'makes the changes that a model proposes and no others, and charges both tries',
      async (world) => {
        scriptModel(world, [
          { content: JSON.stringify(OPERATION.invented), use: [100, 20] },
          { content: JSON.stringify(TOLD), use: [130, 20] },
        ]);
        const { body } = await expectCharged(world, OPERATION, PRICE);
        expect(body).toMatchObject({
          data: {
            text: TEXT.replace('In order to win', 'To win'),
            changes: [{ start: 0, end: 15, ...TOLD.changes[0] }],
            metrics: { before: { characters: 70 }, after: { characters: 61 } },
            usage: { total_tokens: 270 },
          },
        });
      },
    );
  },
);

afterEach(() => {
  jest.restoreAllMocks();
});
