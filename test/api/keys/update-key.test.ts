import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'updateKey',
  ({ owner }) => ({ params: { key_id: owner.keyId }, body: { name: 'other' } }),
  (status) => {
    status(200, 'changes the name and nothing else', async (world) => {
      const params = { key_id: world.owner.keyId };
      const [before] = (await callAs('listKeys', world, {})).body;
      const answer = await callAs('updateKey', world, { params, body: { name: '<b>other</b>' } });
      expect(answer.body).toEqual({ ...before, name: '<b>other</b>' });
      expect((await callAs('listKeys', world, {})).body).toEqual([answer.body]);
    });
  },
);
