import { callAs } from '../../support/api/call-as';
import { anyMemory } from '../../support/api/store-memory';
import { describeOperation } from '../../support/api/describe-operation';
import { expectCapKept } from '../../support/api/playground-cap';
import type { World } from '../../support/api/world';

describeOperation(
  'deleteKeyLimits',
  ({ owner }) => ({ params: { key_id: owner.keyId } }),
  (status) => {
    status(409, 'leaves a key of the playground its cap', async (world) => {
      await expectCapKept(world, 'deleteKeyLimits');
    });
    status(204, 'removes every limit, so that a call that was refused passes', async (world) => {
      await world.setLimits(world.owner, {
        dailyLimitNano: 1n,
        monthlyLimitNano: 1n,
        perRequestLimitNano: 1n,
      });
      expect((await callAs('createMemory', world, anyMemory())).status).toBe(402);
      const answer = await remove(world);
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(await limits(world)).toMatchObject({
        daily_limit: null,
        monthly_limit: null,
        per_request_limit: null,
        daily_remaining: null,
        monthly_remaining: null,
      });
      expect((await callAs('createMemory', world, anyMemory())).status).toBe(201);
    });
    status(204, 'keeps what is spent and the zone: limits set afterwards count it', async (world) => {
      await world.setLimits(world.owner, { dailyLimitNano: 100_000n, timezone: 'Asia/Tokyo' });
      expect((await callAs('createMemory', world, anyMemory())).status).toBe(201);
      await remove(world);
      const expected = { daily_spent: 0.0001, monthly_spent: 0.0001, timezone: 'Asia/Tokyo' };
      expect(await limits(world)).toMatchObject(expected);
      await world.setLimits(world.owner, { dailyLimitNano: 199_999n });
      expect((await callAs('createMemory', world, anyMemory())).body).toMatchObject({
        limit_type: 'daily',
        spent: 0.0001,
      });
    });
    status(204, 'may be repeated, and touches no other key', async (world) => {
      const other = await callAs('createKey', world, { body: { name: 'other' } });
      const params = { key_id: other.body.id };
      await callAs('setKeyLimits', world, { params, body: { daily_limit: 1 } });
      expect([(await remove(world)).status, (await remove(world)).status]).toEqual([204, 204]);
      expect((await callAs('getKeyLimits', world, { params })).body.daily_limit).toBe(1);
    });
  },
);

async function remove(world: World) {
  return callAs('deleteKeyLimits', world, { params: { key_id: world.owner.keyId } });
}

async function limits(world: World) {
  return (await callAs('getKeyLimits', world, { params: { key_id: world.owner.keyId } })).body;
}
