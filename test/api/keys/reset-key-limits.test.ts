import { callAs } from '../../support/api/call-as';
import { anyMemory } from '../../support/api/store-memory';
import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { describeOperation } from '../../support/api/describe-operation';
import { expectCapKept } from '../../support/api/playground-cap';
import { holdNextMemory } from '../../support/api/held-call';
import type { World } from '../../support/api/world';

describeOperation(
  'resetKeyLimits',
  ({ owner }) => ({ params: { key_id: owner.keyId } }),
  (status) => {
    status(409, 'leaves a key of the playground its cap', async (world) => {
      await expectCapKept(world, 'resetKeyLimits');
    });
    status(200, 'opens the day and the month again, and keeps the limits', async (world) => {
      await world.setLimits(world.owner, { dailyLimitNano: 100_000n, monthlyLimitNano: 150_000n });
      expect((await callAs('createMemory', world, anyMemory())).status).toBe(201);
      expect((await callAs('createMemory', world, anyMemory())).status).toBe(402);
      const answer = await reset(world);
      expect([answer.status, answer.body]).toMatchObject([
        200,
        {
          daily_limit: 0.0001,
          monthly_limit: 0.00015,
          daily_spent: 0,
          monthly_spent: 0,
          monthly_remaining: 0.00015,
        },
      ]);
      expect((await callAs('createMemory', world, anyMemory())).status).toBe(201);
      expect((await callAs('createMemory', world, anyMemory())).status).toBe(402);
    });
    status(200, 'gives no money back and forgets no charge', async (world) => {
      await callAs('createMemory', world, anyMemory());
      const before = await world.balanceNanoUsd();
      await reset(world);
      expect(await world.balanceNanoUsd()).toBe(before);
      expect(await ledgerFaults(world.service.database)).toEqual([]);
    });
    status(200, 'no longer counts a call under way, whether it is charged or fails', async (world) => {
      for (const failure of [undefined, new Error('the work fails')]) {
        const held = holdNextMemory(world.service);
        const underWay = callAs('createMemory', world, anyMemory());
        await held.entered;
        expect((await reset(world)).body).toMatchObject({ daily_spent: 0, monthly_spent: 0 });
        expect((await callAs('createMemory', world, anyMemory())).status).toBe(201);
        held.letGo(failure);
        expect((await underWay).status).toBe(failure ? 500 : 201);
        const { body } = await callAs('getKeyLimits', world, { params: { key_id: world.owner.keyId } });
        expect(body).toMatchObject({ daily_spent: 0.0001, monthly_spent: 0.0001 });
      }
    });
    status(200, 'touches no other key', async (world) => {
      const other = await callAs('createKey', world, { body: { name: 'other' } });
      await callAs('createMemory', world, { ...anyMemory(), credential: other.body.key_value });
      await reset(world);
      const { body } = await callAs('getKeyLimits', world, { params: { key_id: other.body.id } });
      expect(body.daily_spent).toBe(0.0001);
    });
  },
);

async function reset(world: World) {
  return callAs('resetKeyLimits', world, { params: { key_id: world.owner.keyId } });
}
