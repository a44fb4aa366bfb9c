import { describeInvention, expectCharged, expectRefused } from '../../support/upstream/answered-operation';
import { describeOperation } from '../../support/api/describe-operation';
import { LEGAL_PRICE, NDA_FIRST, NDA_SECOND } from '../../support/legal/contract-fixtures';
import { scriptModel } from '../../support/upstream/scripted-model';

const BODY = { before: { content: NDA_FIRST }, after: { content: NDA_SECOND } };
const PENALTY = 'The receiving party shall pay a penalty of USD 250,000 for each breach.';
const OPERATION = {
  operationId: 'compareLegal',
  body: BODY,
  invented: { summary: 'It has changed.', quotes: ['The receiving party shall sing.'] },
} as const;

describeOperation(
  'compareLegal',
  (_, variant) => ({
    body: { ...BODY, after: { content: `${NDA_SECOND} Copy ${variant}.` }, max_tokens: 200 },
  }),
  (status) => {
    describeInvention(status, OPERATION);

    status(502, 'wants a model to quote what it summarizes', async (world) => {
      scriptModel(world, [{ content: JSON.stringify({ summary: 'Things changed.', quotes: [] }) }]);
      await expectRefused(world, OPERATION, 502, expect.any(String));
    });

    status(
      200,
      'names each changed sentence with its places, and charges the tokens of both texts',
      async (world) => {
        const { body } = await expectCharged(world, OPERATION, LEGAL_PRICE);
        const { data } = body as unknown as {
          data: { changes: Record<string, string & number>[]; summary: string; similarity: number };
        };
        expect(data.changes).toHaveLength(8);
        for (const change of data.changes) {
          expect(NDA_FIRST.slice(change.before_start, change.before_end)).toBe(change.before ?? '');
          expect(NDA_SECOND.slice(change.after_start, change.after_end)).toBe(change.after ?? '');
        }
        expect(data).toMatchObject({
          summary: '5 sentences were changed, 1 added and 2 removed.',
          model: 'embedded-sentence-diff-1',
        });
      },
    );

    status(200, 'says that texts are the same in any language', async (world) => {
      const same = { content: 'Der Vertrag gilt.\nEr endet nie.' };
      const body = { before: same, after: { content: 'Der Vertrag gilt. Er endet nie.' } };
      const answer = await expectCharged(world, { operationId: 'compareLegal', body }, LEGAL_PRICE);
      expect(answer.body).toMatchObject({ data: { similarity: 1, changes: [] } });
    });

    status(200, 'wants no quote of a model where only white space differs', async (world) => {
      scriptModel(world, [{ content: JSON.stringify({ summary: 'Nothing has changed.', quotes: [] }) }]);
      const after = { content: NDA_FIRST.replaceAll('\n', '\r\n') };
      const body = { before: BODY.before, after };
      const answer = await expectCharged(world, { operationId: 'compareLegal', body }, LEGAL_PRICE);
      expect(answer.body).toMatchObject({ data: { summary: 'Nothing has changed.', changes: [] } });
    });

    status(200, 'has a model write the summary, and finds the changes itself', async (world) => {
      scriptModel(world, [
        {
          content: JSON.stringify({ summary: 'There is a penalty now.', quotes: [PENALTY] }),
          use: [800, 50],
        },
      ]);
      const { body } = await expectCharged(world, OPERATION, LEGAL_PRICE);
      const { data } = body as unknown as { data: { changes: object[] } };
      expect(data).toMatchObject({ summary: 'There is a penalty now.', usage: { total_tokens: 850 } });
      expect(data.changes).toContainEqual(expect.objectContaining({ kind: 'added', after: PENALTY }));
      expect(data.changes).toHaveLength(8);
    });
  },
);

afterEach(() => {
  jest.restoreAllMocks();
});
