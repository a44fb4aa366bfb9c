import type { SearchItemInput } from '../../../generated/types';
import { RETRIED_FOR_MS } from '../../../src/accounts/account-rows';
import { newId } from '../../../src/runtime/ids';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { searchItems, storedItemIds, storeSearchItems } from '../../support/api/store-search-items';
import type { World } from '../../support/api/world';
import { eventLoopMsOf, processorMsOf } from '../../support/processor-time';
import { ledgerFaults } from '../../support/ledger/ledger-faults';

const EXAMPLE = {
  id: 'tea-42',
  title: 'Green tea',
  content: 'A mild green tea from Uji, picked in May.',
  url: 'https://shop.example.com/tea-42',
  metadata: { stock: 12 },
};

describeOperation(
  'indexSearchItems',
  (_, variant) => ({ body: { items: [{ id: 'a', content: `tea ${variant}` }] } }),
  (status) => {
    status(409, 'refuses items beyond 100,000 of an account, stores and charges nothing', async (world) => {
      await storeSearchItems(world, [{ id: 'a', content: 'x' }]);
      await world.service.database.query('UPDATE search_totals SET items = 99999 WHERE account_id = $1', [
        world.owner.id,
      ]);
      const before = await world.balanceNanoUsd();
      const answer = await store(world, [
        { id: 'b', content: 'x' },
        { id: 'c', content: 'x' },
      ]);
      expect([answer.status, answer.body.error]).toEqual([409, 'Conflict']);
      expect(await world.balanceNanoUsd()).toBe(before);
      expect(await storedItemIds(world)).toEqual(['a']);
      const replaced = await store(world, [
        { id: 'a', content: 'y' },
        { id: 'b', content: 'x' },
      ]);
      expect(replaced.status).toBe(201);
    });

    status(402, 'stores nothing when the balance does not cover it', async (world) => {
      await world.setBalanceUsd(world.owner, '0');
      expect((await store(world, [EXAMPLE])).status).toBe(402);
      expect(await storedItemIds(world)).toEqual([]);
    });

    status(400, 'says which item has too much metadata', async (world) => {
      const answer = await store(world, [EXAMPLE, { content: 'x', metadata: { a: 'x'.repeat(16_384) } }]);
      expect(answer.body.details).toMatchObject([{ field: 'items[1].metadata' }]);
    });

    status(422, 'refuses an item without a word, free of charge, and stores none', async (world) => {
      const before = await world.balanceNanoUsd();
      const items = [{ id: 'told', content: 'A word.' }, { content: ' …!' }];
      const answer = await callAs('indexSearchItems', world, { body: { items } });
      expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining('items[1]') } });
      expect(await callAs('getSearchItem', world, { params: { item_id: 'told' } })).toMatchObject({
        status: 404,
      });
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(201, "stores the document's example for the price of its tokens", async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await store(world, [EXAMPLE]);
      expect(answer.body.data).toEqual({ items: [{ id: 'tea-42', created: true }], count: 1, tokens: 14 });
      expect(answer.body.metadata.cost).toBe(0.000514);
      expect(before - (await world.balanceNanoUsd())).toBe(514_000n);
      expect(await ledgerFaults(world.service.database)).toEqual([]);
    });

    status(201, 'replaces an item with its id, and keeps when it was created', async (world) => {
      await storeSearchItems(world, [EXAMPLE]);
      const created = world.service.clock.now().toISOString();
      world.service.clock.advance(1000);
      const answer = await store(world, [
        { id: 'tea-42', content: 'Black tea.' },
        { id: 'new', content: 'x' },
      ]);
      expect(answer.body.data.items).toEqual([
        { id: 'tea-42', created: false },
        { id: 'new', created: true },
      ]);
      const stored = await callAs('getSearchItem', world, { params: { item_id: 'tea-42' } });
      expect(stored.body.data).toEqual({
        id: 'tea-42',
        title: null,
        content: 'Black tea.',
        url: null,
        metadata: {},
        created_at: created,
        updated_at: world.service.clock.now().toISOString(),
      });
      expect((await searchItems(world, { query: 'Uji' })).total).toBe(0);
    });

    status(
      201,
      'stores the last of several items of one id, and makes ids where there are none',
      async (world) => {
        const answer = await store(world, [
          { id: 'a', content: 'first' },
          { content: 'nameless' },
          { id: 'a', content: 'last' },
        ]);
        const { items, count } = answer.body.data;
        expect([count, items.length, items[0], items[2]]).toEqual([
          3,
          3,
          { id: 'a', created: true },
          { id: 'a', created: true },
        ]);
        expect((await storedItemIds(world)).sort()).toEqual([items[0]?.id, items[1]?.id].sort());
        expect((await searchItems(world, { query: 'first' })).total).toBe(0);
        expect((await searchItems(world, { query: 'last' })).total).toBe(1);
      },
    );

    status(201, 'stores items without ids once where the first try stored them and died', async (world) => {
      const request = {
        body: { items: [{ content: 'first' }, { id: 'own', content: 'second' }, { content: 'third' }] },
        headers: { 'idempotency-key': newId() },
      };
      const again = async () => {
        await world.service.database.query('DELETE FROM idempotency_claims');
        return (await callAs('indexSearchItems', world, request)).body.data;
      };
      const first = await again();
      expect((await again()).items.map(({ id }) => id)).toEqual(first.items.map(({ id }) => id));
      expect(await storedItemIds(world)).toHaveLength(3);
      // From then on the key means another call.
      world.service.clock.advance(RETRIED_FOR_MS);
      expect((await again()).items.map(({ created }) => created)).toEqual([true, false, true]);
      expect(await storedItemIds(world)).toHaveLength(5);
    });

    status(201, 'ends batches that race over the same ids in opposite orders, all of them', async (world) => {
      const ids = Array.from({ length: 20 }, (_, index) => `i${index}`);
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, batch) =>
          store(
            world,
            (batch % 2 === 0 ? ids : ids.toReversed()).map((id) => ({ id, content: `common batch${batch}` })),
          ),
        ),
      );
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201));
      const created = answers.flatMap((answer) => answer.body.data.items.filter((item) => item.created));
      expect(created).toHaveLength(20);
      const contents: unknown[] = await world.service.database.query(
        'SELECT DISTINCT content FROM search_items WHERE account_id = $1',
        [world.owner.id],
      );
      expect(contents).toHaveLength(1);
      const words: { items: number }[] = await world.service.database.query(
        'SELECT items FROM search_words WHERE account_id = $1',
        [world.owner.id],
      );
      expect(words.map(({ items }) => items)).toEqual([20, 20]);
      expect(await ledgerFaults(world.service.database)).toEqual([]);
    });

    status(201, 'leaves most of its work on a megabyte of text to threads', async (world) => {
      const word = (index: number) => (index * 7919).toString(36);
      const items = Array.from({ length: 100 }, (_, item) => ({
        content: Array.from({ length: 1_600 }, (__, index) => word(item * 1_600 + index))
          .join(' ')
          .slice(0, 10_000),
      }));
      await store(world, [{ content: items[0]?.content ?? '' }]);
      let processMs = 0;
      const loopMs = await eventLoopMsOf(async () => {
        processMs = await processorMsOf(async () => {
          expect((await store(world, items)).status).toBe(201);
        });
      });
      expect(loopMs).toBeLessThan(processMs / 2);
    });
  },
);

function store(world: World, items: SearchItemInput[]) {
  return callAs('indexSearchItems', world, { body: { items } });
}
