import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storeMemory } from '../../support/api/store-memory';
import type { World } from '../../support/api/world';

const MEBIBYTE = 1024 * 1024;

describeOperation(
  'queryMemories',
  (_, variant) => ({ body: { namespace: `n${variant}` } }),
  (status) => {
    status(200, 'lists all memories, newest first, by pages', async (world) => {
      for (const key of ['a', 'b', 'c']) {
        await storeMemory(world, { key });
        world.service.clock.advance(1);
      }
      await storeMemory(world, { key: 'b', value: 'replaced' });
      expect(await keysOf(world, {})).toEqual(['c', 'b', 'a']);
      expect(await keysOf(world, { order: 'asc' })).toEqual(['a', 'b', 'c']);
      const answer = await callAs('queryMemories', world, { body: { limit: 1, offset: 1 } });
      expect(answer.body.data).toMatchObject({
        total: 3,
        limit: 1,
        offset: 1,
        memories: [{ value: 'replaced' }],
      });
      expect(await keysOf(world, { offset: 100_000 })).toEqual([]);
    });

    status(200, 'passes over no memory and repeats none, though all are of one moment', async (world) => {
      const items = Array.from({ length: 30 }, (_, index) => ({ key: `k${index}`, value: 'v' }));
      await callAs('createMemoryBatch', world, { body: { items } });
      const pages = await Promise.all(
        [0, 7, 14, 21, 28].map((offset) => keysOf(world, { offset, limit: 7 })),
      );
      expect(pages.flat().sort()).toEqual(items.map(({ key }) => key).sort());
    });

    status(200, 'charges the fixed price and takes no body for no filter', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await callAs('queryMemories', world, { body: {} });
      expect(answer.body.data).toEqual({
        memories: [],
        total: 0,
        limit: 20,
        offset: 0,
        truncated: false,
      });
      expect(answer.headers).toMatchObject({ 'x-request-cost': '0.0001', 'x-tokens-used': '0' });
      expect(before - (await world.balanceNanoUsd())).toBe(100_000n);
    });

    status(
      200,
      'finds by namespace, by keys and by the beginning of a key, all at once too',
      async (world) => {
        await storeMemory(world, { key: 'user:1', namespace: 'a' });
        await storeMemory(world, { key: 'user:2', namespace: 'a' });
        await storeMemory(world, { key: 'user:1', namespace: 'b' });
        await storeMemory(world, { key: 'USER:1', namespace: 'a' });
        expect(await keysOf(world, { namespace: 'b' })).toEqual(['user:1']);
        expect(await keysOf(world, { namespace: 'c' })).toEqual([]);
        expect(await keysOf(world, { keys: ['user:2', 'nothing', 'user:2'] })).toEqual(['user:2']);
        expect(await keysOf(world, { key_prefix: 'user:', order: 'asc' })).toEqual([
          'user:1',
          'user:2',
          'user:1',
        ]);
        expect(await keysOf(world, { namespace: 'a', keys: ['user:1'], key_prefix: 'user' })).toEqual([
          'user:1',
        ]);
      },
    );

    status(200, 'takes every character of a prefix and of a key for itself', async (world) => {
      const keys = ['%a', '_a', '\\a', "'a", '{a}', '"a', 'a', 'NULL', 'x,y'];
      for (const key of keys) {
        await storeMemory(world, { key });
      }
      for (const key of keys) {
        expect(await keysOf(world, { key_prefix: key })).toEqual([key]);
        expect(await keysOf(world, { keys: [key] })).toEqual([key]);
      }
    });

    status(200, 'finds what contains all of the metadata', async (world) => {
      await storeMemory(world, {
        key: 'a',
        metadata: { customer: 'c-1', tags: ['red', 'blue'], deep: { n: 1.5, x: null } },
      });
      await storeMemory(world, { key: 'b', metadata: { customer: 'c-2', tags: ['red'] } });
      await storeMemory(world, { key: 'c' });
      const found = (metadata: object) => keysOf(world, { metadata, order: 'asc' });
      expect(await found({})).toEqual(['a', 'b', 'c']);
      expect(await found({ tags: ['red'] })).toEqual(['a', 'b']);
      expect(await found({ tags: ['blue', 'red'] })).toEqual(['a']);
      expect(await found({ deep: { n: 1.5 } })).toEqual(['a']);
      expect(await found({ deep: { x: null } })).toEqual(['a']);
      expect(await found({ customer: 'c-1', tags: ['green'] })).toEqual([]);
      expect(await found({ customer: 'C-1' })).toEqual([]);
      expect(await found({ n: 1.5 })).toEqual([]);
    });

    status(200, 'finds what was created in a period, and sorts by another field', async (world) => {
      for (const key of ['b', 'c', 'a']) {
        world.service.clock.advance(1000);
        await storeMemory(world, { key });
      }
      const now = world.service.clock.now().getTime();
      const period = {
        start_date: new Date(now - 1000).toISOString(),
        end_date: new Date(now).toISOString(),
      };
      expect(await keysOf(world, period)).toEqual(['c']);
      expect(await keysOf(world, { sort: 'key', order: 'asc' })).toEqual(['a', 'b', 'c']);
      expect(await keysOf(world, { sort: 'KEY', order: null })).toEqual(['c', 'b', 'a']);
    });
    status(200, 'finds nothing of another account and nothing that has expired', async (world) => {
      await storeMemory(world, { key: 'theirs' }, world.stranger);
      await storeMemory(world, { key: 'short', ttl_seconds: 1 });
      await storeMemory(world, { key: 'long', ttl_seconds: 2 });
      world.service.clock.advance(1000);
      const answer = await callAs('queryMemories', world, { body: { keys: ['theirs', 'short', 'long'] } });
      expect([answer.body.data.total, answer.body.data.memories.map(({ key }) => key)]).toEqual([
        1,
        ['long'],
      ]);
    });

    status(200, 'ends a page before a mebibyte of JSON, says so, and goes on behind it', async (world) => {
      const metadata = { note: '\n'.repeat(8_000) };
      // One character of a value may take six bytes of JSON, and metadata are as much of the page as values are.
      const values = ['v'.repeat(400_000), '\u0001'.repeat(60_000), '語"'.repeat(70_000), 'v'];
      for (let index = 0; index < 12; index += 1) {
        await storeMemory(world, { key: `k${index}`, value: values[index % 4], metadata });
      }
      const keys: string[] = [];
      const counts: number[] = [];
      let isTruncated = true;
      while (isTruncated) {
        const body = { order: 'asc' as const, limit: 100, offset: keys.length };
        const { data } = (await callAs('queryMemories', world, { body })).body;
        expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(MEBIBYTE);
        isTruncated = data.truncated;
        expect([data.total, data.limit]).toEqual([12, isTruncated ? data.memories.length : 100]);
        keys.push(...data.memories.map(({ key }) => key));
        counts.push(data.memories.length);
      }
      expect(keys).toEqual(Array.from({ length: 12 }, (_, index) => `k${index}`));
      expect(counts).toEqual([2, 3, 3, 2, 2]);
    });

    status(200, 'shows a memory that is larger than a page by itself', async (world) => {
      for (const key of ['before', 'large', 'after']) {
        await storeMemory(world, { key, value: key === 'large' ? '\u0001'.repeat(174_720) : 'v' });
      }
      const pages = await Promise.all(
        [0, 1, 2].map(async (offset) => {
          const body = { order: 'asc' as const, offset };
          const { memories, truncated } = (await callAs('queryMemories', world, { body })).body.data;
          return [...memories.map(({ key }) => key), truncated];
        }),
      );
      expect(pages).toEqual([
        ['before', true],
        ['large', true],
        ['after', false],
      ]);
    });
  },
);

async function keysOf(world: World, body: object): Promise<string[]> {
  const answer = await callAs('queryMemories', world, { body });
  expect(answer.status).toBe(200);
  return answer.body.data.memories.map(({ key }) => key);
}
