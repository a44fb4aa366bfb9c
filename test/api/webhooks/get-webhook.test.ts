import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { anyWebhook, storeWebhook } from '../../support/api/store-webhook';

describeOperation(
  'getWebhook',
  async (world) => ({ params: { webhook_id: await anyWebhook(world) } }),
  (status) => {
    status(200, 'tells how its deliveries go and why it was switched off', async (world) => {
      const id = await storeWebhook(world, { events: ['key.revoked', 'balance.low'] });
      const now = world.service.clock.now();
      await world.service.database.query(
        `UPDATE webhooks SET is_active = false, disabled_reason = 'It failed for 5 days.', failing_since = $2,
           last_delivered_at = $2 WHERE id = $1`,
        [id, now],
      );
      const { body } = await callAs('getWebhook', world, { params: { webhook_id: id } });
      expect(body).toEqual({
        id,
        url: 'https://hooks.example.com/credits',
        events: ['key.revoked', 'balance.low'],
        is_active: false,
        disabled_reason: 'It failed for 5 days.',
        description: null,
        failing_since: now.toISOString(),
        last_delivered_at: now.toISOString(),
        created_at: now.toISOString(),
      });
    });
  },
);
