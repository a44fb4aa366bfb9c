import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storeDelivery, storeWebhook } from '../../support/api/store-webhook';
import type { World } from '../../support/api/world';

describeOperation(
  'listAbandonedDeliveries',
  () => ({}),
  (status) => {
    status(200, 'has what was given up, and nothing else, by when it was', async (world) => {
      const webhookId = await storeWebhook(world);
      const early = await abandon(world, webhookId);
      await storeDelivery(world, { webhookId, stage: 'later', status: 'failed' });
      await storeDelivery(world, { webhookId, stage: 'over', status: 'success' });
      world.service.clock.advance(1);
      const middle = world.service.clock.now().toISOString();
      const late = await abandon(world, webhookId);
      const user_id = world.owner.id;
      expect(await found(world, { user_id })).toEqual([late, early]);
      expect(await found(world, { user_id, order: 'asc' })).toEqual([early, late]);
      expect(await found(world, { user_id, start_date: middle })).toEqual([late]);
      expect(await found(world, { user_id, end_date: middle })).toEqual([early]);
      expect(await found(world, { user_id, limit: 1, offset: 1 })).toEqual([early]);
    });
    status(200, 'finds by account and webhook, each as its owner sees it', async (world) => {
      const webhookId = await storeWebhook(world);
      const other = await storeWebhook(world, {}, world.stranger);
      const [own, foreign] = [await abandon(world, webhookId), await abandon(world, other)];
      expect(await found(world, { webhook_id: webhookId })).toEqual([own]);
      expect(await found(world, { user_id: world.stranger.id })).toEqual([foreign]);
      expect(await found(world, { webhook_id: webhookId, user_id: world.stranger.id })).toEqual([]);
      const list = await callAs('listAbandonedDeliveries', world, { query: { webhook_id: webhookId } });
      const params = { webhook_id: webhookId, delivery_id: own };
      const { request, ...seen } = (await callAs('getDelivery', world, { params })).body;
      expect(request).toBeNull();
      expect(list.body.deliveries).toEqual([{ user_id: world.owner.id, delivery: seen }]);
    });
  },
);

/** Stores a delivery that was given up just now, a second after the one before. */
async function abandon(world: World, webhookId: string): Promise<string> {
  world.service.clock.advance(1000);
  const abandonedAt = world.service.clock.now();
  return storeDelivery(world, { webhookId, stage: 'over', status: 'failed', abandonedAt });
}

async function found(world: World, query: Record<string, unknown>): Promise<string[]> {
  const { body } = await callAs('listAbandonedDeliveries', world, { query });
  return body.deliveries.map(({ delivery }) => delivery.id);
}
