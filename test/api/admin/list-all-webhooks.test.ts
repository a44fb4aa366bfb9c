import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storeWebhook } from '../../support/api/store-webhook';
import { switchOff } from '../../support/api/switched-off-webhook';

describeOperation(
  'listAllWebhooks',
  () => ({}),
  (status) => {
    status(
      200,
      'has the webhooks of all accounts as their owners see them, without secrets',
      async (world) => {
        const own = await storeWebhook(world);
        const foreign = await storeWebhook(world, {}, world.stranger);
        const list = await callAs('listAllWebhooks', world, { query: { limit: 100 } });
        const found = list.body.webhooks.filter(({ webhook }) => [own, foreign].includes(webhook.id));
        const seen = await callAs('getWebhook', world, { params: { webhook_id: own } });
        expect(found).toHaveLength(2);
        expect(found).toContainEqual({ user_id: world.owner.id, webhook: seen.body });
        expect(list.text).not.toContain('whsec_');
      },
    );
    status(200, 'tells what the service switched off from what its owner did', async (world) => {
      const active = await storeWebhook(world);
      const failed = await switchOff(world, await storeWebhook(world), 'It failed for 5 days.');
      const left = await switchOff(world, await storeWebhook(world), null);
      const found = async (query: object) =>
        (
          await callAs('listAllWebhooks', world, { query: { user_id: world.owner.id, ...query } })
        ).body.webhooks.map(({ webhook }) => webhook.id);
      expect((await found({})).sort()).toEqual([active, failed, left].sort());
      expect(await found({ status: 'active' })).toEqual([active]);
      expect((await found({ status: 'inactive' })).sort()).toEqual([failed, left].sort());
      expect(await found({ status: 'switched_off' })).toEqual([failed]);
    });
  },
);
