import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { searchItemOf, storeSearchItems } from '../../support/api/store-search-items';

describeOperation(
  'getSearchItem',
  async (world) => ({ params: { item_id: await searchItemOf(world) } }),
  (status) => {
    status(404, 'refuses an id with a NUL, and one that is too long', async (world) => {
      for (const item_id of ['a\0', 'x'.repeat(129)]) {
        expect((await callAs('getSearchItem', world, { params: { item_id } })).status).toBe(404);
      }
    });

    status(200, 'returns the item as it was stored, free of charge', async (world) => {
      const item = {
        id: 'a.b:c@d~e_f-1',
        title: 'Grüner Tee',
        content: ' As it came: \n🙂 ',
        url: 'https://shop.example.com/tea',
        metadata: { a: [null, { b: 1 }] },
      };
      await storeSearchItems(world, [item]);
      const now = world.service.clock.now().toISOString();
      const before = await world.balanceNanoUsd();
      const answer = await callAs('getSearchItem', world, { params: { item_id: item.id } });
      expect(answer.body.data).toEqual({ ...item, created_at: now, updated_at: now });
      expect(answer.body.metadata.cost).toBe(0);
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(200, 'fills what was left out', async (world) => {
      await storeSearchItems(world, [{ id: 'bare', content: 'x' }]);
      const answer = await callAs('getSearchItem', world, { params: { item_id: 'bare' } });
      expect(answer.body.data).toMatchObject({ title: null, url: null, metadata: {} });
    });
  },
);
