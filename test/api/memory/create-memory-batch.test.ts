import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storedKeys, storeMemory } from '../../support/api/store-memory';
import type { World } from '../../support/api/world';

describeOperation(
  'createMemoryBatch',
  (_, variant) => ({
    body: {
      items: [
        { key: 'a', value: `a ${variant}` },
        { key: 'b', value: 'b' },
      ],
    },
  }),
  (status) => {
    status(402, 'stores nothing when the balance does not cover it', async (world) => {
      await world.setBalanceUsd(world.owner, '0');
      expect((await store(world, [{ key: 'a', value: 'a' }])).status).toBe(402);
      expect(await storedKeys(world)).toEqual([]);
    });

    status(400, 'says which item has too much metadata', async (world) => {
      const metadata = { a: 'x'.repeat(16_384) };
      const answer = await store(world, [
        { key: 'a', value: 'v' },
        { key: 'b', value: 'v', metadata },
      ]);
      expect(answer.body.details).toMatchObject([{ field: 'items[1].metadata' }]);
    });

    status(
      201,
      'stores all items, in the order of the request, for the price of one operation',
      async (world) => {
        const items = ['c', 'a', 'b'].map((key) => ({ key, value: key, namespace: 'n', ttl_seconds: 60 }));
        const before = await world.balanceNanoUsd();
        const answer = await store(world, items);
        expect(answer.body.data).toMatchObject({
          count: 3,
          memories: items.map(({ key, value }) => ({ key, value })),
        });
        expect(before - (await world.balanceNanoUsd())).toBe(100_000n);
        expect(answer.body.metadata.cost).toBe(0.0001);
        expect(await storedKeys(world)).toEqual(['a', 'b', 'c']);
      },
    );

    status(201, 'lists the items of a batch in their order', async (world) => {
      const keys = ['c', 'a', 'b'];
      await store(
        world,
        keys.map((key) => ({ key, value: 'v' })),
      );
      const listed = await callAs('queryMemories', world, { body: { order: 'asc' } });
      expect(listed.body.data.memories.map(({ key }) => key)).toEqual(keys);
    });

    status(201, 'stores the last of several items of one name, and returns it for each', async (world) => {
      const answer = await store(world, [
        { key: 'a', value: 'first' },
        { key: 'b', value: 'b' },
        { key: 'a', value: 'last' },
        { key: 'a', value: 'elsewhere', namespace: 'other' },
      ]);
      const { memories, count } = answer.body.data;
      expect([count, memories.map(({ value }) => value)]).toEqual([4, ['last', 'b', 'last', 'elsewhere']]);
      expect(memories[0]).toEqual(memories[2]);
      expect(await storedKeys(world)).toEqual(['a', 'b', 'a']);
    });

    status(201, 'returns no more than two mebibytes, however often an item is repeated', async (world) => {
      const large = { key: 'a', value: 'v'.repeat(400_000) };
      const items = [...Array.from({ length: 98 }, () => ({ key: 'a', value: 'v' })), large];
      const { memories, count, truncated } = (await store(world, items)).body.data;
      expect([memories.length, count, truncated]).toEqual([5, 99, true]);
      expect(await storedKeys(world)).toEqual(['a']);
    });

    status(201, 'returns all of the largest batch without repetitions', async (world) => {
      const items = Array.from({ length: 100 }, (_, index) => ({
        key: `k${index}`,
        value: 'v'.repeat(10_450),
      }));
      expect(JSON.stringify({ items }).length).toBeGreaterThan(0.995 * 1024 * 1024);
      const { memories, truncated } = (await store(world, items)).body.data;
      expect([memories.length, truncated]).toEqual([100, false]);
    });

    status(200, 'replaces what is there where that is all', async (world) => {
      const { id } = await storeMemory(world, { key: 'a' });
      const answer = await store(world, [{ key: 'a', value: 'new' }]);
      expect([answer.status, answer.body.data.memories]).toMatchObject([200, [{ id, value: 'new' }]]);
    });

    status(201, 'replaces what is there and adds the rest', async (world) => {
      const old = await storeMemory(world, { key: 'a' });
      const answer = await store(world, [
        { key: 'b', value: 'b' },
        { key: 'a', value: 'new' },
      ]);
      expect(answer.body.data.memories[1]).toMatchObject({
        id: old.id,
        value: 'new',
        created_at: old.created_at,
      });
      expect(await storedKeys(world)).toEqual(['a', 'b']);
    });

    status(201, 'stores a hundred items', async (world) => {
      const items = Array.from({ length: 100 }, (_, index) => ({
        key: `k${index}`,
        value: '語'.repeat(3000),
      }));
      expect((await store(world, items)).body.data.count).toBe(100);
      expect(await storedKeys(world)).toHaveLength(100);
    });

    status(
      201,
      'ends batches that race over the same names in opposite orders, all of them',
      async (world) => {
        const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
        const batches = Array.from({ length: 16 }, (_, batch) => {
          const order = batch % 2 === 0 ? keys : keys.toReversed();
          return store(
            world,
            order.map((key) => ({ key, value: `batch ${batch}`, ttl_seconds: batch + 1 })),
          );
        });
        const answers = await Promise.all(batches);
        expect(answers.filter(({ status: each }) => each === 201)).toHaveLength(1);
        expect(answers.filter(({ status: each }) => each === 200)).toHaveLength(15);
        const values: { value: string }[] = await world.service.database.query(
          'SELECT DISTINCT value FROM memories WHERE account_id = $1',
          [world.owner.id],
        );
        // Each batch took all rows in one statement: whichever came last, it is the last of every name.
        expect(values).toHaveLength(1);
        expect(await storedKeys(world)).toHaveLength(40);
        expect(await ledgerFaults(world.service.database)).toEqual([]);
      },
    );
  },
);

function store(world: World, items: object[]) {
  return callAs('createMemoryBatch', world, { body: { items } });
}
