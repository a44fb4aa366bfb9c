import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storeDelivery, storeWebhook } from '../../support/api/store-webhook';
import { switchOff } from '../../support/api/switched-off-webhook';

describeOperation(
  'getWebhooksHealth',
  () => ({}),
  (status) => {
    status(200, 'tells that nothing waits where nothing does', async (world) => {
      expect((await callAs('getWebhooksHealth', world, {})).body).toEqual({
        events_waiting: 0,
        oldest_event_age_seconds: null,
        deliveries_due: 0,
        deliveries_handed: 0,
        deliveries_later: 0,
        failed_last_24h: 0,
        abandoned_last_24h: 0,
        switched_off_webhooks: 0,
        receivers: [],
        checked_at: world.service.clock.now().toISOString(),
      });
    });
    status(200, 'counts what waits, what failed and where', async (world) => {
      const { service, owner } = world;
      const now = service.clock.now();
      const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
      const webhookId = await storeWebhook(world);
      const other = await storeWebhook(world, { url: 'https://slow.example.com:8443/' });
      await storeDelivery(world, { webhookId, stage: 'due', nextAttemptAt: before(1) });
      await storeDelivery(world, { webhookId, stage: 'later', status: 'failed', failedAt: before(23) });
      await storeDelivery(world, {
        webhookId,
        stage: 'over',
        status: 'failed',
        failedAt: before(2),
        abandonedAt: before(2),
      });
      const longAgo = { failedAt: before(25), abandonedAt: before(25) };
      await storeDelivery(world, { webhookId, stage: 'over', status: 'failed', ...longAgo });
      for (const stage of ['due', 'handed'] as const) {
        await storeDelivery(world, { webhookId: other, stage, nextAttemptAt: before(2) });
      }
      await service.database.query(
        `INSERT INTO slow_receivers (receiver, since) VALUES ('slow.example.com:8443', $1)`,
        [before(3)],
      );
      await service.database.query(
        `INSERT INTO events (id, account_id, event_type, data, occurred_at)
         VALUES (gen_random_uuid(), $1, 'balance.low', '{}', $2)`,
        [owner.id, before(0.5)],
      );
      await switchOff(world, await storeWebhook(world), 'It failed for 5 days.');
      await switchOff(world, await storeWebhook(world), null);
      expect((await callAs('getWebhooksHealth', world, {})).body).toEqual({
        events_waiting: 1,
        oldest_event_age_seconds: 1800,
        deliveries_due: 2,
        deliveries_handed: 1,
        deliveries_later: 1,
        failed_last_24h: 2,
        abandoned_last_24h: 1,
        switched_off_webhooks: 1,
        receivers: [
          {
            receiver: 'slow.example.com:8443',
            waiting: 2,
            oldest_due_at: before(2).toISOString(),
            slow_since: before(3).toISOString(),
          },
          {
            receiver: 'hooks.example.com:443',
            waiting: 1,
            oldest_due_at: before(1).toISOString(),
            slow_since: null,
          },
        ],
        checked_at: now.toISOString(),
      });
    });
  },
);
