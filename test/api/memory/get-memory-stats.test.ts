import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storeMemory } from '../../support/api/store-memory';

const NOTHING = { memories: 0, bytes: 0, namespaces: [], oldest_at: null, newest_at: null };

describeOperation(
  'getMemoryStats',
  () => ({}),
  (status) => {
    status(
      200,
      'counts nothing of another account and nothing that has expired, and charges for it',
      async (world) => {
        await storeMemory(world, {}, world.stranger);
        await storeMemory(world, { ttl_seconds: 1 });
        world.service.clock.advance(1000);
        const before = await world.balanceNanoUsd();
        const answer = await callAs('getMemoryStats', world, {});
        expect(answer.body.data).toEqual(NOTHING);
        expect(answer.headers).toMatchObject({ 'x-request-cost': '0.0001', 'x-tokens-used': '0' });
        expect(before - (await world.balanceNanoUsd())).toBe(100_000n);
      },
    );

    status(200, 'counts memories, bytes and namespaces, and says of which time they are', async (world) => {
      const { clock } = world.service;
      const oldestAt = clock.now().toISOString();
      await storeMemory(world, { namespace: 'b', key: 'x', value: 'ü' });
      await storeMemory(world, { namespace: 'b', key: 'y', value: '語😀' });
      clock.advance(1000);
      await storeMemory(world, { namespace: 'a', key: 'x', value: 'plain' });
      clock.advance(1000);
      await storeMemory(world, { namespace: 'b', key: 'x', value: 'üü' });
      const answer = await callAs('getMemoryStats', world, {});
      expect(answer.body.data).toEqual({
        memories: 3,
        bytes: 4 + 7 + 5,
        namespaces: [
          { namespace: 'b', memories: 2, bytes: 11 },
          { namespace: 'a', memories: 1, bytes: 5 },
        ],
        oldest_at: oldestAt,
        newest_at: clock.now().toISOString(),
      });
    });

    status(200, 'counts all of more namespaces than it lists', async (world) => {
      // No statement may run longer than four seconds, and with several schemas each row takes milliseconds.
      for (const first of [1, 401, 801]) {
        await world.service.database.query(
          `INSERT INTO memories (id, account_id, namespace, key, value, metadata, created_at, updated_at)
           SELECT gen_random_uuid(), $1, 'n' || n, 'k', 'v', '{}', $2, $2 FROM generate_series($3::int, $3 + 399) AS n`,
          [world.owner.id, world.service.clock.now(), first],
        );
      }
      const { data } = (await callAs('getMemoryStats', world, {})).body;
      expect([data.memories, data.bytes, data.namespaces.length]).toEqual([1200, 1200, 1000]);
    });
  },
);
