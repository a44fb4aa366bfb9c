import { AccountDatabases } from '../../../src/database/account-databases';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import {
  copyDelivery,
  deliveryRow,
  isSubscribed,
  storeDelivery,
  storeWebhook,
} from '../../support/api/store-webhook';

describeOperation(
  'deleteWebhook',
  async (world) => ({ params: { webhook_id: await storeWebhook(world) } }),
  (status) => {
    status(404, 'refuses a second deletion, also when ten of them race', async (world) => {
      const request = { params: { webhook_id: await storeWebhook(world) } };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => callAs('deleteWebhook', world, request)),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([204, ...Array<number>(9).fill(404)]);
    });

    status(204, 'deletes the deliveries with it, ends the subscription and leaves others', async (world) => {
      const id = await storeWebhook(world, { events: ['balance.low', 'key.revoked'] });
      const other = await storeWebhook(world, { events: ['key.revoked'] });
      const delivery = await storeDelivery(world, { webhookId: id });
      const kept = await storeDelivery(world, { webhookId: other });
      const answer = await callAs('deleteWebhook', world, { params: { webhook_id: id } });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(await deliveryRow(world, delivery)).toEqual({});
      expect((await deliveryRow(world, kept)).id).toBe(kept);
      expect(await isSubscribed(world, 'balance.low')).toBe(false);
      expect(await isSubscribed(world, 'key.revoked')).toBe(true);
      const { body } = await callAs('listWebhooks', world, {});
      expect(body.webhooks.map((webhook) => webhook.id)).toEqual([other]);
    });

    status(204, 'deletes very many deliveries in statements that each end in time', async (world) => {
      const database = world.service.app.get(AccountDatabases).of(world.owner.id);
      const id = await storeWebhook(world);
      const delivery = await storeDelivery(world, { webhookId: id, stage: 'over' });
      await copyDelivery(world, delivery, 5_050);
      await database.query(REFUSE_LARGE_DELETIONS);
      const answer = await callAs('deleteWebhook', world, { params: { webhook_id: id } });
      await database.query('DROP FUNCTION refuse_large_deletion CASCADE');
      expect(answer.status).toBe(204);
      expect(await database.query('SELECT FROM deliveries WHERE webhook_id = $1 LIMIT 1', [id])).toEqual([]);
    });
  },
);

const REFUSE_LARGE_DELETIONS = `
  CREATE FUNCTION refuse_large_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF (SELECT count(*) FROM gone) > 5000 THEN
      RAISE 'too many rows for one statement';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER refuse_large_deletion AFTER DELETE ON deliveries REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_large_deletion()`;
