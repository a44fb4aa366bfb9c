import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { anyWebhook, storeDelivery, storeWebhook } from '../../support/api/store-webhook';

describeOperation(
  'getDelivery',
  async (world) => {
    const webhookId = await anyWebhook(world);
    return { params: { webhook_id: webhookId, delivery_id: await storeDelivery(world, { webhookId }) } };
  },
  (status) => {
    status(404, 'refuses a delivery to another webhook of the account', async (world) => {
      const delivery_id = await storeDelivery(world, { webhookId: await storeWebhook(world) });
      const params = { webhook_id: await storeWebhook(world), delivery_id };
      expect((await callAs('getDelivery', world, { params })).status).toBe(404);
    });
    status(200, 'is the delivery as the list has it', async (world) => {
      const webhookId = await storeWebhook(world);
      const attempt = {
        attempted_at: world.service.clock.now().toISOString(),
        duration_ms: 90,
        response_status: 503,
        response_body: null,
        error_message: 'The receiver answered 503.',
      };
      const delivery_id = await storeDelivery(world, {
        webhookId,
        stage: 'later',
        status: 'failed',
        attemptCount: 1,
        attempts: [attempt],
      });
      const params = { webhook_id: webhookId, delivery_id };
      const { body } = await callAs('getDelivery', world, { params });
      const list = await callAs('listDeliveries', world, { params: { webhook_id: webhookId } });
      expect(list.body.deliveries).toEqual([body]);
      expect(body).toMatchObject({ id: delivery_id, status: 'failed', attempts: [attempt] });
    });
  },
);
