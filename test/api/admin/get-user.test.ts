import { AccessKeys } from '../../../src/accounts/access-keys';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { holdNextMemory } from '../../support/api/held-call';
import { recordCall } from '../../support/api/recorded-call';
import { storeUpgradeRequest } from '../../support/api/store-upgrade-request';
import { storeWebhook } from '../../support/api/store-webhook';
import { switchOff } from '../../support/api/switched-off-webhook';
import { paymentInReview } from '../../support/payments/chain-looks';

describeOperation(
  'getUser',
  (world) => ({ params: { user_id: world.owner.id } }),
  (status) => {
    status(200, 'is the account as the list has it, and more', async (world) => {
      const list = await callAs('listUsers', world, { query: { search: world.owner.email } });
      const answer = await callAs('getUser', world, { params: { user_id: world.owner.id } });
      expect(answer.body).toMatchObject(list.body.users[0] ?? {});
    });
    status(200, 'sums up what belongs to the account', async (world) => {
      const { owner, service } = world;
      await world.setRates(owner, { requests_per_day: 7 });
      await service.app.get(AccessKeys).revoke(owner.id, owner.keyId);
      const created = await callAs('createKey', world, { body: { name: 'second' } });
      const upgrade = await storeUpgradeRequest(world);
      await storeWebhook(world);
      await switchOff(world, await storeWebhook(world), 'It failed for 5 days.');
      await switchOff(world, await storeWebhook(world), null);
      await paymentInReview(world);
      const { body } = await callAs('getUser', world, { params: { user_id: owner.id } });
      expect(created.status).toBe(201);
      expect(body).toMatchObject({
        balance: 60,
        reserved: 0,
        available: 60,
        rates: { requests_per_second: null, requests_per_day: 7 },
        keys: { active: 1, expired: 0, revoked: 1, last_used_at: null },
        webhooks: { active: 1, inactive: 2, switched_off: 1 },
        payments_in_review: 1,
        pending_upgrade_request_id: upgrade,
      });
    });
    status(200, 'tells what a call in flight holds', async (world) => {
      const held = holdNextMemory(world.service);
      const call = callAs('createMemory', world, { body: { key: 'k', value: 'v' } });
      await held.entered;
      const { body } = await callAs('getUser', world, { params: { user_id: world.owner.id } });
      expect(body).toMatchObject({ balance: 10, reserved: 0.0001, available: 9.9999 });
      held.letGo();
      expect((await call).status).toBe(201);
    });
    status(200, 'tells the balance to the nano-dollar', async (world) => {
      await recordCall(world.service, world.owner, { charge: '0.000000001' });
      const { body } = await callAs('getUser', world, { params: { user_id: world.owner.id } });
      expect(body.balance).toBe(9.999999999);
    });
  },
);
