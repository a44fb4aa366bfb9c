import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { ledgerEntries } from '../../support/ledger/ledger-entries';
import { recordCall } from '../../support/api/recorded-call';
import type { World } from '../../support/api/world';

describeOperation(
  'getTransaction',
  async (world) => ({ params: { id: await newestId(world) } }),
  (status) => {
    status(404, 'refuses the id of a call that was charged nothing', async (world) => {
      await recordCall(world.service, world.owner, { charge: '0' });
      const [call]: { id: string }[] = await world.service.database.query(
        'SELECT id FROM calls WHERE account_id = $1',
        [world.owner.id],
      );
      const answer = await callAs('getTransaction', world, { params: { id: call?.id ?? '' } });
      expect([answer.status, answer.body.error]).toEqual([404, 'Not Found']);
    });
    status(200, 'is the transaction as the list has it', async (world) => {
      await recordCall(world.service, world.owner, { charge: '0.000000001' });
      const list = await callAs('listTransactions', world, {});
      for (const transaction of list.body.transactions) {
        const answer = await callAs('getTransaction', world, { params: { id: transaction.id } });
        expect(answer.body).toEqual(transaction);
      }
      expect(list.body.transactions.map(({ amount }) => amount)).toEqual([-0.000000001, 10]);
    });
    status(200, 'stays as it was posted, whatever is posted after it', async (world) => {
      const params = { id: await newestId(world) };
      const before = await callAs('getTransaction', world, { params });
      await recordCall(world.service, world.owner, { charge: '9' });
      expect((await callAs('getTransaction', world, { params })).text).toBe(before.text);
    });
    status(200, 'outlives the key that it was made with', async (world) => {
      await recordCall(world.service, world.owner);
      const params = { id: await newestId(world) };
      const deleted = await callAs('deleteKey', world, { params: { key_id: world.owner.keyId } });
      expect(deleted.status).toBe(204);
      const { body } = await callAs('getTransaction', world, { params });
      expect(body).toMatchObject({ amount: -0.0001, key_id: world.owner.keyId });
    });
  },
);

async function newestId({ service, owner }: World): Promise<string> {
  return (await ledgerEntries(service, owner)).at(-1)?.id ?? '';
}
