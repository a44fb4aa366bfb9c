import { newId } from '../../../src/runtime/ids';
import { actionsOn } from '../../support/api/admin-actions';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { anyWebhook, isSubscribed, storeWebhook } from '../../support/api/store-webhook';
import { switchOff } from '../../support/api/switched-off-webhook';
import type { World } from '../../support/api/world';

const FAILED = 'It failed for 5 days.';

describeOperation(
  'enableWebhook',
  async (world, variant) => ({
    params: { webhook_id: await switchOff(world, await anyWebhook(world), FAILED) },
    body: { reason: `New certificate ${variant}.` },
  }),
  (status) => {
    status(409, 'refuses one that is on', async (world) => {
      const answer = await enable(world, await storeWebhook(world), {});
      expect([answer.status, answer.body.message]).toEqual([409, 'The webhook is active.']);
      expect(await actionsOn(world)).toEqual([]);
    });
    status(409, 'refuses one that its owner switched off, and leaves it off', async (world) => {
      const id = await switchOff(world, await storeWebhook(world), null);
      const answer = await enable(world, id, {});
      expect([answer.status, answer.body.message]).toEqual([409, 'Its owner switched the webhook off.']);
      expect(await isActive(world, id)).toBe(false);
    });
    status(200, 'switches it on: its events are stored again, and who did it is on record', async (world) => {
      const id = await storeWebhook(world, { events: ['balance.low'] });
      await callAs('updateWebhook', world, { params: { webhook_id: id }, body: { is_active: false } });
      await switchOff(world, id, FAILED);
      expect(await isSubscribed(world, 'balance.low')).toBe(false);
      const { body } = await enable(world, id, { reason: 'New certificate.' });
      expect(body).toMatchObject({
        user_id: world.owner.id,
        webhook: { id, is_active: true, disabled_reason: null, failing_since: null },
      });
      expect(await isSubscribed(world, 'balance.low')).toBe(true);
      expect(await actionsOn(world)).toMatchObject([
        {
          admin_id: world.admin.id,
          operation: 'enableWebhook',
          subject_id: id,
          reason: 'New certificate.',
          before: { is_active: false, disabled_reason: FAILED },
          after: { is_active: true },
        },
      ]);
    });
    status(200, 'is done once when ten admins do it at once, and needs no body', async (world) => {
      const id = await switchOff(world, await storeWebhook(world), FAILED);
      const answers = await Promise.all(Array.from({ length: 10 }, () => enable(world, id, undefined)));
      const statuses = answers.map((answer) => answer.status);
      expect(statuses.sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
      expect(await actionsOn(world)).toHaveLength(1);
    });
    status(200, 'leaves it off when a late retry comes after the owner switched it off', async (world) => {
      const id = await switchOff(world, await storeWebhook(world), FAILED);
      const key = newId();
      await enable(world, id, { reason: 'Yes.' }, key);
      await switchOff(world, id, FAILED);
      await world.service.database.query('DELETE FROM idempotency_claims WHERE account_id = $1', [
        world.admin.id,
      ]);
      const retry = await enable(world, id, { reason: 'Yes.' }, key);
      expect([retry.status, retry.body.webhook.is_active]).toEqual([200, false]);
      expect(await actionsOn(world)).toHaveLength(1);
    });
  },
);

function enable(world: World, id: string, body: unknown, key = newId()) {
  const headers = { 'idempotency-key': key };
  return callAs('enableWebhook', world, { params: { webhook_id: id }, body, headers });
}

async function isActive(world: World, id: string): Promise<boolean> {
  return (await callAs('getWebhook', world, { params: { webhook_id: id } })).body.is_active;
}
