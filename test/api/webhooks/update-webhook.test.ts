import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import {
  anyWebhook,
  copyDelivery,
  deliveryRow,
  isSubscribed,
  storeDelivery,
  storeWebhook,
  type StoredDelivery,
} from '../../support/api/store-webhook';
import type { World } from '../../support/api/world';

const STAGES = ['due', 'later', 'handed', 'over'] as const;

describeOperation(
  'updateWebhook',
  async (world) => ({ params: { webhook_id: await anyWebhook(world) }, body: { is_active: true } }),
  (status) => {
    status(422, 'refuses a URL that is not public, and changes nothing else either', async (world) => {
      const id = await storeWebhook(world);
      const answer = await update(world, id, { url: 'https://10.0.0.1/', description: 'new' });
      expect([answer.status, answer.body.error]).toEqual([422, 'Unprocessable']);
      const { body } = await callAs('getWebhook', world, { params: { webhook_id: id } });
      expect([body.url, body.description]).toEqual(['https://hooks.example.com/credits', null]);
    });

    status(200, 'changes what is named and leaves the rest', async (world) => {
      const id = await storeWebhook(world, { events: ['balance.low'] });
      const { body } = await update(world, id, { description: 'new' });
      expect([body.description, body.events, body.is_active]).toEqual(['new', ['balance.low'], true]);
      expect((await update(world, id, { description: null, events: ['*'] })).body).toEqual({
        ...body,
        description: null,
        events: ['*'],
      });
      expect((await callAs('getWebhook', world, { params: { webhook_id: id } })).body.events).toEqual(['*']);
    });
    status(200, 'stores events by what is subscribed to from then on', async (world) => {
      const id = await storeWebhook(world, { events: ['balance.low'] });
      await update(world, id, { events: ['key.revoked'] });
      expect(await isSubscribed(world, 'balance.low')).toBe(false);
      expect(await isSubscribed(world, 'key.revoked')).toBe(true);
      await update(world, id, { is_active: false });
      expect(await isSubscribed(world, 'key.revoked')).toBe(false);
      await update(world, id, { is_active: true });
      expect(await isSubscribed(world, 'key.revoked')).toBe(true);
    });
    status(200, 'sends what waits to the new address', async (world) => {
      const id = await storeWebhook(world);
      const ids = await storeOfEachStage(world, { webhookId: id });
      await update(world, id, { url: 'https://Elsewhere.example.com:8443/new' });
      const receivers = await Promise.all(
        ids.map(async (delivery) => (await deliveryRow(world, delivery)).receiver),
      );
      const moved = 'elsewhere.example.com:8443';
      expect(receivers).toEqual([moved, moved, moved, 'hooks.example.com:443']);
    });
    status(200, 'ends what waits when it is switched off, and says so', async (world) => {
      const id = await storeWebhook(world);
      const earlier = new Date(world.service.clock.now().getTime() - 60_000);
      const [due = '', later = '', handed = '', over = ''] = await storeOfEachStage(world, {
        webhookId: id,
        nextAttemptAt: earlier,
        scheduledAt: earlier,
      });
      const untouched = [await deliveryRow(world, handed), await deliveryRow(world, over)];
      expect((await update(world, id, { is_active: false })).body.is_active).toBe(false);
      const now = world.service.clock.now();
      for (const delivery of [due, later]) {
        expect(await deliveryRow(world, delivery)).toMatchObject({
          stage: 'over',
          status: 'failed',
          error_message: 'The webhook was switched off.',
          failed_at: now,
          abandoned_at: now,
          next_attempt_at: null,
          scheduled_at: null,
        });
      }
      expect([await deliveryRow(world, handed), await deliveryRow(world, over)]).toEqual(untouched);
    });
    status(200, 'is moved and switched off in time, however many deliveries wait', async (world) => {
      const id = await storeWebhook(world);
      const example = await storeDelivery(world, { webhookId: id, stage: 'later' });
      await copyDelivery(world, example, 10_050);
      expect((await update(world, id, { url: 'https://elsewhere.example.com/' })).status).toBe(200);
      expect((await update(world, id, { is_active: false })).status).toBe(200);
      const stages = await world.service.database.query<{ stage: string; count: number }[]>(
        'SELECT stage, count(*)::integer FROM deliveries WHERE webhook_id = $1 GROUP BY stage ORDER BY stage',
        [id],
      );
      expect(stages).toEqual([
        { stage: 'later', count: 51 },
        { stage: 'over', count: 10_000 },
      ]);
    });
    status(200, 'forgets its failures when it is switched on', async (world) => {
      const id = await storeWebhook(world);
      await world.service.database.query(
        `UPDATE webhooks SET is_active = false, disabled_reason = 'It failed.', failing_since = $2 WHERE id = $1`,
        [id, world.service.clock.now()],
      );
      const kept = await update(world, id, { description: 'still off' });
      expect([kept.body.is_active, kept.body.disabled_reason]).toEqual([false, 'It failed.']);
      const { body } = await update(world, id, { is_active: true });
      expect([body.is_active, body.disabled_reason, body.failing_since]).toEqual([true, null, null]);
    });
    status(
      200,
      'forgets its failures when it gets another URL, and where nothing changes does not',
      async (world) => {
        const id = await storeWebhook(world);
        const since = world.service.clock.now();
        await world.service.database.query(`UPDATE webhooks SET failing_since = $2 WHERE id = $1`, [
          id,
          since,
        ]);
        const same = { url: 'https://hooks.example.com/credits', is_active: true };
        const { body: kept } = await update(world, id, same);
        expect(kept.failing_since).toBe(since.toISOString());
        const { body: moved } = await update(world, id, { url: 'https://hooks.example.com/moved' });
        expect(moved.failing_since).toBeNull();
      },
    );
  },
);

async function update(world: World, id: string, body: object) {
  return callAs('updateWebhook', world, { params: { webhook_id: id }, body });
}

async function storeOfEachStage(world: World, fields: StoredDelivery): Promise<string[]> {
  const ids: string[] = [];
  for (const stage of STAGES) {
    ids.push(await storeDelivery(world, { ...fields, stage }));
  }
  return ids;
}
