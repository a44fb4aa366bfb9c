import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import {
  searchItemOf,
  searchItems,
  storedItemIds,
  storeSearchItems,
} from '../../support/api/store-search-items';

describeOperation(
  'deleteSearchItem',
  async (world) => ({ params: { item_id: await searchItemOf(world) } }),
  (status) => {
    status(204, 'deletes this item alone, which is found no more', async (world) => {
      await storeSearchItems(world, [
        { id: 'gone', content: 'matcha powder' },
        { id: 'kept', content: 'green powder' },
      ]);
      const answer = await callAs('deleteSearchItem', world, { params: { item_id: 'gone' } });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(await storedItemIds(world)).toEqual(['kept']);
      expect((await searchItems(world, { query: 'matcha powder' })).results.map(({ id }) => id)).toEqual([
        'kept',
      ]);
    });

    status(204, 'corrects no query by the words of an item that is gone', async (world) => {
      await storeSearchItems(world, [{ id: 'gone', content: 'matcha' }]);
      expect((await searchItems(world, { query: 'mattcha' })).corrected_query).toBe('matcha');
      await callAs('deleteSearchItem', world, { params: { item_id: 'gone' } });
      expect(await searchItems(world, { query: 'mattcha' })).toMatchObject({
        total: 0,
        corrected_query: null,
      });
    });

    status(204, 'deletes once when ten deletions race', async (world) => {
      const params = { item_id: await searchItemOf(world) };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => callAs('deleteSearchItem', world, { params })),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([204, ...Array<number>(9).fill(404)]);
      const [totals]: { items: number }[] = await world.service.database.query(
        'SELECT items FROM search_totals WHERE account_id = $1',
        [world.owner.id],
      );
      expect(totals?.items).toBe(0);
    });
  },
);
