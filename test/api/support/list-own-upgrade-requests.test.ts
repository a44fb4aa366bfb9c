import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'listOwnUpgradeRequests',
  () => ({}),
  (status) => {
    status(200, "has the account's own, with what was decided", async (world) => {
      const body = { requested_tier: 'pro', reason: 'Growth', estimated_requests_per_day: 500_000 };
      const { body: made } = await callAs('createUpgradeRequest', world, { body });
      await callAs('createUpgradeRequest', world, { body }, world.stranger);
      const own = async () => (await callAs('listOwnUpgradeRequests', world, {})).body.upgrade_requests;
      expect(await own()).toEqual([made]);
      const decision = { params: { upgrade_request_id: made.id }, body: { note: 'Later.' } };
      expect((await callAs('rejectUpgradeRequest', world, decision)).status).toBe(200);
      expect(await own()).toMatchObject([{ id: made.id, status: 'rejected' }]);
    });
  },
);
