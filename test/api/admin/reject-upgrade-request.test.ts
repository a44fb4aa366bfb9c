import { actionsOn } from '../../support/api/admin-actions';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storeUpgradeRequest } from '../../support/api/store-upgrade-request';

describeOperation(
  'rejectUpgradeRequest',
  async (world, variant) => ({
    params: { upgrade_request_id: await storeUpgradeRequest(world) },
    body: { note: `Not now ${variant}.` },
  }),
  (status) => {
    status(409, 'refuses a request that is decided already', async (world) => {
      const params = { upgrade_request_id: await storeUpgradeRequest(world) };
      expect((await callAs('approveUpgradeRequest', world, { params })).status).toBe(200);
      const answer = await callAs('rejectUpgradeRequest', world, { params, body: { note: 'No.' } });
      expect([answer.status, answer.body.message]).toEqual([409, 'The upgrade request is approved already.']);
    });
    status(200, 'leaves the tier, and the account may ask again', async (world) => {
      const params = { upgrade_request_id: await storeUpgradeRequest(world) };
      const { body } = await callAs('rejectUpgradeRequest', world, { params, body: { note: 'Not now.' } });
      expect(body).toMatchObject({
        user: { tier: 'enterprise' },
        request: { status: 'rejected' },
        decided_by: world.admin.id,
        note: 'Not now.',
      });
      expect(await actionsOn(world)).toMatchObject([
        { reason: 'Not now.', before: { status: 'pending' }, after: { status: 'rejected' } },
      ]);
      const again = { requested_tier: 'pro', reason: 'We have launched.' };
      expect((await callAs('createUpgradeRequest', world, { body: again })).status).toBe(201);
    });
  },
);
