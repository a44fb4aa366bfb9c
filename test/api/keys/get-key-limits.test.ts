import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { holdNextMemory } from '../../support/api/held-call';
import type { World } from '../../support/api/world';

const MEMORY = { body: { key: 'k', value: 'v' } };

describeOperation(
  'getKeyLimits',
  ({ owner }) => ({ params: { key_id: owner.keyId } }),
  (status) => {
    status(200, 'shows a new key without limits, and when the UTC day and month end', async (world) => {
      const now = world.service.clock.now();
      const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
      expect(await limits(world)).toEqual({
        daily_limit: null,
        monthly_limit: null,
        per_request_limit: null,
        timezone: 'UTC',
        daily_spent: 0,
        monthly_spent: 0,
        daily_remaining: null,
        monthly_remaining: null,
        daily_resets_at: new Date(Date.UTC(year, month, day + 1)).toISOString(),
        monthly_resets_at: new Date(Date.UTC(year, month + 1, 1)).toISOString(),
      });
    });
    status(
      200,
      'counts every charge of the key, with or without limits, to the nano-dollar',
      async (world) => {
        await callAs('createMemory', world, MEMORY);
        expect(await limits(world)).toMatchObject({ daily_spent: 0.0001, monthly_spent: 0.0001 });
        await world.setLimits(world.owner, {
          dailyLimitNano: 1_000_000_001n,
          monthlyLimitNano: 2_000_000_000n,
        });
        await callAs('createMemory', world, MEMORY);
        expect(await limits(world)).toMatchObject({
          daily_spent: 0.0002,
          monthly_spent: 0.0002,
          daily_remaining: 0.999800001,
          monthly_remaining: 1.9998,
        });
      },
    );
    status(200, 'counts a call under way, and no longer once it failed', async (world) => {
      await world.setLimits(world.owner, { dailyLimitNano: 300_000n });
      const held = holdNextMemory(world.service);
      const underWay = callAs('createMemory', world, MEMORY);
      await held.entered;
      expect(await limits(world)).toMatchObject({ daily_spent: 0.0001, daily_remaining: 0.0002 });
      held.letGo(new Error('the work fails'));
      expect((await underWay).status).toBe(500);
      expect(await limits(world)).toMatchObject({
        daily_spent: 0,
        monthly_spent: 0,
        daily_remaining: 0.0003,
      });
    });
    status(200, 'does not count refused calls, free calls and those of other keys', async (world) => {
      await callAs('createMemory', world, { body: {} });
      await callAs('listModels', world, {});
      const other = await callAs('createKey', world, { body: { name: 'other' } });
      await callAs('createMemory', world, { ...MEMORY, credential: other.body.key_value });
      expect(await limits(world)).toMatchObject({ daily_spent: 0, monthly_spent: 0 });
      expect(await limits(world, other.body.id)).toMatchObject({
        daily_spent: 0.0001,
        monthly_spent: 0.0001,
      });
    });
    status(
      200,
      'has nothing left, not less than nothing, where a limit was lowered below what is spent',
      async (world) => {
        await callAs('createMemory', world, MEMORY);
        await world.setLimits(world.owner, { dailyLimitNano: 40_000n, monthlyLimitNano: 50_000n });
        expect(await limits(world)).toMatchObject({
          daily_limit: 0.00004,
          daily_spent: 0.0001,
          daily_remaining: 0,
          monthly_remaining: 0,
        });
      },
    );
    status(200, 'knows a key by its id in capitals too', async (world) => {
      await callAs('createMemory', world, MEMORY);
      const params = { key_id: world.owner.keyId.toUpperCase() };
      const { body } = await callAs('getKeyLimits', world, { params });
      expect(body).toEqual(await limits(world));
      const changed = await callAs('setKeyLimits', world, { params, body: { daily_limit: 1 } });
      expect(changed.body).toMatchObject({ daily_limit: 1, daily_spent: 0.0001 });
    });
    status(200, 'still answers for a revoked key', async (world) => {
      await callAs('createMemory', world, MEMORY);
      await callAs('revokeKey', world, { params: { key_id: world.owner.keyId } });
      expect(await limits(world)).toMatchObject({ daily_spent: 0.0001 });
    });
  },
);

async function limits(world: World, keyId = world.owner.keyId) {
  const { status, body } = await callAs('getKeyLimits', world, { params: { key_id: keyId } });
  expect(status).toBe(200);
  return body;
}
