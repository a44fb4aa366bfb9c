import { MemoriesRepository } from '../../../src/retrieval/memories.repository';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storedKeys, storeMemory } from '../../support/api/store-memory';

describeOperation(
  'getMemory',
  async (world, variant) => {
    // Past the API: the call that is tested has to be the first that counts.
    const fields = { namespace: 'n', key: `k${variant}`, value: 'v', metadata: {}, ttlSeconds: null };
    const memories = world.service.app.get(MemoriesRepository);
    const [memory] = await memories.upsert(world.owner.id, [fields], world.service.clock.now());
    return { params: { memory_id: memory?.id ?? '' } };
  },
  (status) => {
    status(404, 'hides a memory from the moment that it expires, and charges nothing', async (world) => {
      const { id } = await storeMemory(world, { ttl_seconds: 60 });
      world.service.clock.advance(59_999);
      expect((await callAs('getMemory', world, { params: { memory_id: id } })).status).toBe(200);
      world.service.clock.advance(1);
      const before = await world.balanceNanoUsd();
      const answer = await callAs('getMemory', world, { params: { memory_id: id } });
      expect([answer.status, answer.body.message]).toEqual([404, 'No such memory.']);
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(404, 'takes no key for an id', async (world) => {
      await storeMemory(world, { key: 'stats%00' });
      const ids = ['stats%00', '../stats', '00000000000000000000000000000000', ' ', '\0', 'ü'.repeat(50)];
      for (const memory_id of ids) {
        expect((await callAs('getMemory', world, { params: { memory_id } })).status).toBe(404);
      }
      expect(await storedKeys(world)).toEqual(['stats%00']);
    });

    status(200, 'returns what was stored, whatever the case of the id, and charges for it', async (world) => {
      const stored = await storeMemory(world, { metadata: { a: { b: ['ü'] } }, ttl_seconds: 60 });
      const before = await world.balanceNanoUsd();
      const answer = await callAs('getMemory', world, { params: { memory_id: stored.id.toUpperCase() } });
      expect(answer.body.data).toEqual(stored);
      expect(answer.headers).toMatchObject({ 'x-request-cost': '0.0001', 'x-tokens-used': '0' });
      expect(before - (await world.balanceNanoUsd())).toBe(100_000n);
    });

    status(200, 'returns the newest value', async (world) => {
      const { id } = await storeMemory(world, { value: 'old', ttl_seconds: 60 });
      await storeMemory(world, { value: 'new' });
      world.service.clock.advance(60_000);
      const answer = await callAs('getMemory', world, { params: { memory_id: id } });
      expect(answer.body.data).toMatchObject({ value: 'new', expires_at: null });
    });

    status(200, 'takes the key as a bearer token too', async (world) => {
      const { id } = await storeMemory(world);
      const headers = { authorization: `Bearer ${world.owner.key}` };
      const answer = await world.service.call('getMemory', { params: { memory_id: id }, headers });
      expect(answer.body.data.id).toBe(id);
    });
  },
);
