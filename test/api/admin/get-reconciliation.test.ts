import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { holdNextMemory } from '../../support/api/held-call';
import { recordCall } from '../../support/api/recorded-call';
import type { World } from '../../support/api/world';

describeOperation(
  'getReconciliation',
  () => ({}),
  (status) => {
    status(200, 'finds balances and ledger equal after calls of every outcome', async (world) => {
      const before = await callAs('getReconciliation', world, {});
      await callAs('createMemory', world, { body: { key: 'k', value: 'v' } });
      await callAs('getMemory', world, { params: { memory_id: 'unknown' } });
      await recordCall(world.service, world.owner, { charge: '0.000000001' });
      await recordCall(world.service, world.owner, { charge: '1', status: 500 });
      const { body } = await callAs('getReconciliation', world, {});
      expect(body).toEqual({
        accounts: before.body.accounts,
        balance_usd: body.ledger_usd,
        ledger_usd: Number((before.body.ledger_usd - 0.000100001).toFixed(9)),
        difference_usd: 0,
        open_reservations: 0,
        mismatches: [],
        checked_at: world.service.clock.now().toISOString(),
      });
    });
    status(200, 'counts a call in flight, which is not charged yet', async (world) => {
      const before = await callAs('getReconciliation', world, {});
      const held = holdNextMemory(world.service);
      const call = callAs('createMemory', world, { body: { key: 'k', value: 'v' } });
      await held.entered;
      const during = await callAs('getReconciliation', world, {});
      expect(during.body).toEqual({ ...before.body, open_reservations: 1 });
      held.letGo();
      expect((await call).status).toBe(201);
      expect((await callAs('getReconciliation', world, {})).body.open_reservations).toBe(0);
    });
    status(200, 'names the account whose balance is off by a nano-dollar', async (world) => {
      await shiftBalance(world, 1);
      try {
        const { body } = await callAs('getReconciliation', world, {});
        expect(body.difference_usd).toBe(1e-9);
        expect(body.mismatches).toEqual([
          { user_id: world.owner.id, balance_usd: 10.000000001, ledger_usd: 10, difference_usd: 1e-9 },
        ]);
      } finally {
        await shiftBalance(world, -1);
      }
      expect((await callAs('getReconciliation', world, {})).body.mismatches).toEqual([]);
    });
  },
);

/** What no code path of the service does. */
async function shiftBalance({ service, owner }: World, nanoUsd: number): Promise<void> {
  await service.database.query('UPDATE balances SET balance_nano = balance_nano + $2 WHERE account_id = $1', [
    owner.id,
    nanoUsd,
  ]);
}
