import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { anyWebhook, storeDelivery, storeWebhook } from '../../support/api/store-webhook';

describeOperation(
  'listDeliveries',
  async (world) => ({ params: { webhook_id: await anyWebhook(world) } }),
  (status) => {
    status(200, 'tells of each attempt and of the next one', async (world) => {
      const webhookId = await storeWebhook(world);
      const now = world.service.clock.now();
      const attempt = {
        attempted_at: now.toISOString(),
        duration_ms: 12,
        response_status: 503,
        response_body: null,
        error_message: 'The receiver answered 503.',
      };
      const next = new Date(now.getTime() + 25_000);
      const id = await storeDelivery(world, {
        webhookId,
        stage: 'later',
        status: 'failed',
        attemptCount: 2,
        attempts: [attempt, attempt],
        nextAttemptAt: next,
      });
      const { body } = await callAs('listDeliveries', world, { params: { webhook_id: webhookId } });
      expect(body).toMatchObject({ total: 1, limit: 20, offset: 0 });
      expect(body.deliveries[0]).toEqual({
        id,
        webhook_id: webhookId,
        event_id: expect.any(String) as string,
        event_type: 'balance.low',
        url: 'https://hooks.example.com/credits',
        status: 'failed',
        response_status: null,
        response_body: null,
        error_message: null,
        retry_count: 1,
        next_attempt_at: next.toISOString(),
        delivered_at: null,
        failed_at: now.toISOString(),
        abandoned_at: null,
        created_at: now.toISOString(),
        attempts: [attempt, attempt],
      });
    });
    status(200, 'filters by status, type and time, in pages, and only this webhook’s', async (world) => {
      const webhookId = await storeWebhook(world);
      await storeDelivery(world, { webhookId: await storeWebhook(world) });
      const start = world.service.clock.now().getTime();
      const at = (second: number) => new Date(start + second * 1000);
      const ids: string[] = [];
      for (const [second, fields] of [
        { status: 'failed', eventType: 'key.revoked' } as const,
        { status: 'success', eventType: 'key.revoked' } as const,
        { status: 'pending', eventType: 'balance.low' } as const,
      ].entries()) {
        ids.push(await storeDelivery(world, { webhookId, createdAt: at(second), ...fields }));
      }
      const [failed, success, pending] = ids;
      const idsOf = async (query: Record<string, unknown>) => {
        const { body } = await callAs('listDeliveries', world, { params: { webhook_id: webhookId }, query });
        return [body.total, body.deliveries.map(({ id }) => id)];
      };
      expect(await idsOf({})).toEqual([3, [pending, success, failed]]);
      expect(await idsOf({ status: 'failed' })).toEqual([1, [failed]]);
      expect(await idsOf({ event_type: 'KEY.REVOKED', order: 'asc' })).toEqual([2, [failed, success]]);
      expect(await idsOf({ start_date: at(1).toISOString(), end_date: at(2).toISOString() })).toEqual([
        1,
        [success],
      ]);
      expect(await idsOf({ limit: 1, offset: 1 })).toEqual([3, [success]]);
    });
  },
);
