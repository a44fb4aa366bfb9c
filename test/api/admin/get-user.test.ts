import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { recordCall } from '../../support/api/recorded-call';

describeOperation(
  'getUser',
  (world) => ({ params: { user_id: world.owner.id } }),
  (status) => {
    status(404, 'refuses an address in place of an id', async (world) => {
      const answer = await callAs('getUser', world, { params: { user_id: world.owner.email } });
      expect([answer.status, answer.body.error]).toEqual([404, 'Not Found']);
    });
    status(200, 'is the account as the list has it', async (world) => {
      const list = await callAs('listUsers', world, { query: { search: world.owner.email } });
      const answer = await callAs('getUser', world, { params: { user_id: world.owner.id } });
      expect(answer.body).toEqual(list.body.users[0]);
    });
    status(200, 'tells the balance to the nano-dollar', async (world) => {
      await recordCall(world.service, world.owner, { charge: '0.000000001' });
      const { body } = await callAs('getUser', world, { params: { user_id: world.owner.id } });
      expect(body.balance).toBe(9.999999999);
    });
  },
);
