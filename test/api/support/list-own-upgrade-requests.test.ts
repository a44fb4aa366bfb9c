import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'listOwnUpgradeRequests',
  () => ({}),
  (status) => {
    status(200, 'gives a page, the newest first, and tells how many there are', async (world) => {
      const ids: string[] = [];
      for (const reason of ['First', 'Second', 'Third']) {
        const body = { requested_tier: 'pro', reason, estimated_requests_per_day: 500_000 };
        const made = (await callAs('createUpgradeRequest', world, { body })).body.id;
        ids.unshift(made);
        world.service.clock.advance(1);
        await callAs('rejectUpgradeRequest', world, {
          params: { upgrade_request_id: made },
          body: { note: 'No.' },
        });
      }
      const query = { limit: 2, offset: 1 };
      const { upgrade_requests, ...page } = (await callAs('listOwnUpgradeRequests', world, { query })).body;
      expect(upgrade_requests.map(({ id }) => id)).toEqual(ids.slice(1));
      expect(page).toEqual({ total: 3, limit: 2, offset: 1 });
    });

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
