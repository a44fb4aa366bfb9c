import { AccountDatabases } from '../../../src/database/account-databases';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { anyWebhook, deliveryRow, storeDelivery, storeWebhook } from '../../support/api/store-webhook';

const BODY = { since: '2026-01-01' };

describeOperation(
  'replayDeliveries',
  async (world) => ({ params: { webhook_id: await anyWebhook(world) }, body: BODY }),
  (status) => {
    status(409, 'refuses a webhook that is switched off, and makes nothing due', async (world) => {
      const webhookId = await storeWebhook(world);
      const id = await storeDelivery(world, { webhookId, status: 'failed', stage: 'over' });
      const params = { webhook_id: webhookId };
      await callAs('updateWebhook', world, { params, body: { is_active: false } });
      expect((await callAs('replayDeliveries', world, { params, body: BODY })).status).toBe(409);
      expect((await deliveryRow(world, id)).stage).toBe('over');
    });

    status(200, 'makes due what failed since then, and nothing else', async (world) => {
      const webhookId = await storeWebhook(world);
      const since = world.service.clock.now();
      const store = (fields: object) =>
        storeDelivery(world, { webhookId, status: 'failed', stage: 'over', failedAt: since, ...fields });
      const replayed = [await store({}), await store({ stage: 'later', scheduledAt: since })];
      const left = [
        await store({ failedAt: new Date(since.getTime() - 1) }),
        await store({ status: 'success' }),
        await store({ stage: 'handed' }),
        await store({ webhookId: await storeWebhook(world) }),
      ];
      const before = await Promise.all(left.map((id) => deliveryRow(world, id)));
      const request = { params: { webhook_id: webhookId }, body: { since: since.toISOString() } };
      expect((await callAs('replayDeliveries', world, request)).body).toEqual({ replayed: 2 });
      for (const id of replayed) {
        expect(await deliveryRow(world, id)).toMatchObject({
          stage: 'due',
          is_manual: true,
          next_attempt_at: since,
        });
      }
      expect(await Promise.all(left.map((id) => deliveryRow(world, id)))).toEqual(before);
      expect((await callAs('replayDeliveries', world, request)).body).toEqual({ replayed: 0 });
    });
    status(200, 'takes 10,000 a call, those first that failed first', async (world) => {
      const webhookId = await storeWebhook(world);
      const now = world.service.clock.now();
      const database = world.service.app.get(AccountDatabases).of(world.owner.id);
      await database.query(
        `INSERT INTO deliveries (id, account_id, webhook_id, event_id, event_type, url, receiver, stage, status,
           attempts_max, occurred_at, created_at, failed_at)
         SELECT gen_random_uuid(), account_id, id, gen_random_uuid(), 'balance.low', url, receiver, 'over', 'failed', 8,
           $2, $2, $2::timestamptz + n * interval '1 millisecond'
         FROM webhooks, generate_series(1, 10001) AS n WHERE id = $1`,
        [webhookId, now],
      );
      const request = { params: { webhook_id: webhookId }, body: BODY };
      expect((await callAs('replayDeliveries', world, request)).body).toEqual({ replayed: 10_000 });
      const rest: { failed_at: Date }[] = await world.service.database.query(
        `SELECT failed_at FROM deliveries WHERE webhook_id = $1 AND stage = 'over'`,
        [webhookId],
      );
      expect(rest.map(({ failed_at: time }) => time.getTime() - now.getTime())).toEqual([10_001]);
    });
  },
);
