import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { holdNextMemory } from '../../support/api/held-call';
import { recordCall } from '../../support/api/recorded-call';

describeOperation(
  'getBalance',
  () => ({}),
  (status) => {
    status(200, 'is what was added less what was charged, to the nano-dollar', async (world) => {
      await recordCall(world.service, world.owner, { charge: '0.000000001' });
      await recordCall(world.service, world.owner, { charge: '0.1' });
      await recordCall(world.service, world.owner, { charge: '0.2' });
      const { body } = await callAs('getBalance', world, {});
      expect(body).toEqual({ balance: 9.699999999, reserved: 0, available: 9.699999999 });
    });
    status(200, 'tells what a call in flight holds, until the call has ended', async (world) => {
      const held = holdNextMemory(world.service);
      const call = callAs('createMemory', world, { body: { key: 'k', value: 'v' } });
      await held.entered;
      const during = await callAs('getBalance', world, {});
      expect(during.body).toEqual({ balance: 10, reserved: 0.0001, available: 9.9999 });
      held.letGo();
      expect((await call).status).toBe(201);
      const after = await callAs('getBalance', world, {});
      expect(after.body).toEqual({ balance: 9.9999, reserved: 0, available: 9.9999 });
    });
    status(200, "is nobody else's", async (world) => {
      await recordCall(world.service, world.owner, { charge: '4' });
      const { body } = await callAs('getBalance', world, {}, world.stranger);
      expect(body).toEqual({ balance: 10, reserved: 0, available: 10 });
    });
    status(200, 'tells the last nano-dollar, and zero', async (world) => {
      await world.setBalanceUsd(world.owner, '0.000000001');
      expect((await callAs('getBalance', world, {})).body.available).toBe(1e-9);
      await world.setBalanceUsd(world.owner, '0');
      expect((await callAs('getBalance', world, {})).body).toEqual({ balance: 0, reserved: 0, available: 0 });
    });
  },
);
