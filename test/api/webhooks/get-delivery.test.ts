import { createHmac } from 'node:crypto';
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
      const { request, ...delivery } = (await callAs('getDelivery', world, { params })).body;
      const list = await callAs('listDeliveries', world, { params: { webhook_id: webhookId } });
      expect(list.body.deliveries).toEqual([delivery]);
      expect(delivery).toMatchObject({ id: delivery_id, status: 'failed', attempts: [attempt] });
      // Its event is not stored.
      expect(request).toBeNull();
    });
    status(
      200,
      'shows what is sent, signed as the receiver checks it, and never the secret',
      async (world) => {
        const secret = 'a secret of a receiver';
        const webhook_id = await storeWebhook(world, { secret });
        const body = { event_type: 'balance.low' as const };
        const test = await callAs('testWebhook', world, { params: { webhook_id }, body });
        const params = { webhook_id, delivery_id: test.body.id };
        const { request } = (await callAs('getDelivery', world, { params })).body;
        const signature = createHmac('sha256', secret)
          .update(request?.body ?? '')
          .digest('hex');
        expect(request?.headers).toMatchObject({
          'Content-Type': 'application/json',
          'webhook-id': test.body.event_id,
          'X-Service-Signature': `sha256=${signature}`,
        });
        expect(JSON.parse(request?.body ?? '')).toMatchObject({
          event_id: test.body.event_id,
          event_type: 'balance.low',
          data: { test: true },
        });
        expect(JSON.stringify(request)).not.toContain(secret);
      },
    );
  },
);
