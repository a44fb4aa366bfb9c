import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storeWebhook } from '../../support/api/store-webhook';
import type { World } from '../../support/api/world';

describeOperation(
  'listWebhooks',
  () => ({}),
  (status) => {
    status(200, "lists the account's own, the newest first, in pages", async (world) => {
      const ids = await storeThree(world);
      await storeWebhook(world, {}, world.stranger);
      const { body } = await callAs('listWebhooks', world, {});
      expect(body.webhooks.map(({ id }) => id)).toEqual([...ids].reverse());
      expect([body.total, body.limit, body.offset]).toEqual([3, 20, 0]);
      const page = await callAs('listWebhooks', world, { query: { limit: 2, offset: 2, order: 'asc' } });
      expect(page.body.webhooks.map(({ id }) => id)).toEqual([ids[2]]);
      expect(page.body.total).toBe(3);
    });
    status(200, 'lists those of one state and of one period', async (world) => {
      const [first = '', second = '', third = ''] = await storeThree(world);
      await callAs('updateWebhook', world, { params: { webhook_id: second }, body: { is_active: false } });
      const idsOf = async (query: Record<string, unknown>) =>
        (await callAs('listWebhooks', world, { query })).body.webhooks.map(({ id }) => id);
      expect(await idsOf({ status: 'active' })).toEqual([third, first]);
      expect(await idsOf({ status: 'INACTIVE' })).toEqual([second]);
      const { body } = await callAs('getWebhook', world, { params: { webhook_id: second } });
      expect(await idsOf({ start_date: body.created_at })).toEqual([third, second]);
      expect(await idsOf({ end_date: body.created_at })).toEqual([first]);
    });
  },
);

/** Creates webhooks a second apart and returns their ids. */
async function storeThree(world: World): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    ids.push(await storeWebhook(world));
    world.service.clock.advance(1000);
  }
  return ids;
}
