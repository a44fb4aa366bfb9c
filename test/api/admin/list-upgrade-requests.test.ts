import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storeUpgradeRequest } from '../../support/api/store-upgrade-request';

describeOperation(
  'listUpgradeRequests',
  () => ({}),
  (status) => {
    status(200, 'has each request with the account as it now is', async (world) => {
      const { owner, service } = world;
      const id = await storeUpgradeRequest(world);
      const { body } = await callAs('listUpgradeRequests', world, { query: { user_id: owner.id } });
      expect(body).toEqual({
        upgrade_requests: [
          {
            user: { id: owner.id, email: owner.email, username: expect.any(String), tier: 'enterprise' },
            request: {
              id,
              requested_tier: 'pro',
              reason: 'We launch next month.',
              estimated_requests_per_day: 50_000,
              status: 'pending',
              created_at: service.clock.now().toISOString(),
            },
            decided_at: null,
            decided_by: null,
            note: null,
          },
        ],
        total: 1,
        limit: 20,
        offset: 0,
      });
    });
    status(200, 'finds by status and account, each on one page', async (world) => {
      const user_id = world.owner.id;
      const ids = [];
      for (let requests = 0; requests < 5; requests += 1) {
        ids.push(await storeUpgradeRequest(world));
        world.service.clock.advance(1000);
      }
      await storeUpgradeRequest(world, { account: world.stranger });
      const found = async (query: object) =>
        (
          await callAs('listUpgradeRequests', world, { query: { user_id, ...query } })
        ).body.upgrade_requests.map(({ request }) => request.id);
      expect(await found({ order: 'asc' })).toEqual(ids);
      expect(await found({ status: 'pending' })).toEqual(ids.slice(4));
      expect(await found({ status: 'approved' })).toEqual([]);
      const pages = [await found({ limit: 3 }), await found({ limit: 3, offset: 3 })];
      expect(pages.flat()).toEqual(ids.toReversed());
    });
  },
);
