import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { anyWebhook, deliveryRow, storeDelivery, storeWebhook } from '../../support/api/store-webhook';
import type { World } from '../../support/api/world';

describeOperation(
  'retryDelivery',
  async (world) => ({ params: { delivery_id: await storeFailed(world, 'over') } }),
  (status) => {
    status(409, 'refuses what has not failed, and leaves it as it is', async (world) => {
      const webhookId = await storeWebhook(world);
      for (const state of ['pending', 'success'] as const) {
        const id = await storeDelivery(world, { webhookId, status: state, stage: 'over' });
        const before = await deliveryRow(world, id);
        const answer = await callAs('retryDelivery', world, { params: { delivery_id: id } });
        expect([answer.status, answer.body.message]).toEqual([409, 'The delivery has not failed.']);
        expect(await deliveryRow(world, id)).toEqual(before);
      }
    });
    status(409, 'refuses a delivery to a webhook that is switched off', async (world) => {
      const webhookId = await storeWebhook(world);
      const id = await storeDelivery(world, { webhookId, status: 'failed', stage: 'over' });
      await callAs('updateWebhook', world, { params: { webhook_id: webhookId }, body: { is_active: false } });
      const answer = await callAs('retryDelivery', world, { params: { delivery_id: id } });
      expect([answer.status, answer.body.message]).toEqual([409, 'The webhook is switched off.']);
      expect((await deliveryRow(world, id)).stage).toBe('over');
    });

    status(200, 'makes an attempt due now and keeps the schedule', async (world) => {
      const now = world.service.clock.now();
      const scheduledAt = new Date(now.getTime() + 3_600_000);
      const webhookId = await storeWebhook(world);
      const id = await storeDelivery(world, {
        webhookId,
        status: 'failed',
        stage: 'later',
        attemptCount: 6,
        scheduledAt,
        nextAttemptAt: scheduledAt,
      });
      const { body } = await callAs('retryDelivery', world, { params: { delivery_id: id } });
      expect(body).toMatchObject({
        id,
        status: 'failed',
        retry_count: 5,
        next_attempt_at: now.toISOString(),
      });
      expect(await deliveryRow(world, id)).toMatchObject({
        stage: 'due',
        is_manual: true,
        next_attempt_at: now,
        scheduled_at: scheduledAt,
      });
    });
    status(200, 'leaves an abandoned delivery abandoned until the attempt ends', async (world) => {
      const webhookId = await storeWebhook(world);
      const abandonedAt = world.service.clock.now();
      const id = await storeDelivery(world, { webhookId, status: 'failed', stage: 'over', abandonedAt });
      const { body } = await callAs('retryDelivery', world, { params: { delivery_id: id } });
      expect([body.status, body.abandoned_at]).toEqual(['failed', abandonedAt.toISOString()]);
      expect(await deliveryRow(world, id)).toMatchObject({ stage: 'due', scheduled_at: null });
    });
    status(200, 'adds no attempt where one is due or under way, also when ten race', async (world) => {
      for (const stage of ['due', 'handed'] as const) {
        const id = await storeFailed(world, stage);
        const before = await deliveryRow(world, id);
        expect((await callAs('retryDelivery', world, { params: { delivery_id: id } })).status).toBe(200);
        expect(await deliveryRow(world, id)).toEqual(before);
      }
      const id = await storeFailed(world, 'over');
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => callAs('retryDelivery', world, { params: { delivery_id: id } })),
      );
      expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
      expect(await deliveryRow(world, id)).toMatchObject({ stage: 'due', attempt_count: 1 });
    });
    status(200, "goes to the webhook's present receiver", async (world) => {
      const webhookId = await storeWebhook(world);
      const id = await storeDelivery(world, { webhookId, status: 'failed', stage: 'over' });
      const body = { url: 'https://elsewhere.example.com/' };
      await callAs('updateWebhook', world, { params: { webhook_id: webhookId }, body });
      await callAs('retryDelivery', world, { params: { delivery_id: id } });
      expect((await deliveryRow(world, id)).receiver).toBe('elsewhere.example.com:443');
    });
  },
);

async function storeFailed(world: World, stage: 'due' | 'handed' | 'over'): Promise<string> {
  const webhookId = await anyWebhook(world);
  return storeDelivery(world, { webhookId, status: 'failed', stage, attemptCount: 1 });
}
