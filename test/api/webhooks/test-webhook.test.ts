import { eventExamples } from '../../../generated/events';
import { EVENT_TYPES } from '../../../src/events/outbox';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { anyWebhook, deliveryRow, storeWebhook } from '../../support/api/store-webhook';
import type { World } from '../../support/api/world';

const BODY = { event_type: 'balance.low' };

describeOperation(
  'testWebhook',
  async (world, variant) => ({
    params: { webhook_id: await anyWebhook(world) },
    body: variant === 0 ? BODY : { event_type: 'balance.depleted' },
  }),
  (status) => {
    status(409, 'refuses a webhook that is switched off, and stores no event', async (world) => {
      const params = { webhook_id: await storeWebhook(world) };
      await callAs('updateWebhook', world, { params, body: { is_active: false } });
      const answer = await callAs('testWebhook', world, { params, body: BODY });
      expect([answer.status, answer.body.message]).toEqual([409, 'The webhook is switched off.']);
      expect(await eventsOf(world)).toEqual([]);
    });

    status(200, 'makes a delivery due at once that is tried once, subscribed or not', async (world) => {
      const id = await storeWebhook(world, { events: ['key.revoked'] });
      await storeWebhook(world);
      const { body } = await callAs('testWebhook', world, { params: { webhook_id: id }, body: BODY });
      const now = world.service.clock.now();
      expect(body).toMatchObject({
        webhook_id: id,
        event_type: 'balance.low',
        status: 'pending',
        retry_count: 0,
        next_attempt_at: now.toISOString(),
        attempts: [],
      });
      expect(await deliveryRow(world, body.id)).toMatchObject({
        stage: 'due',
        attempts_max: 1,
        is_manual: false,
        receiver: 'hooks.example.com:443',
        next_attempt_at: now,
        scheduled_at: now,
      });
      // The event is relayed already: no other webhook gets it, and this one does not get it twice.
      const events = await eventsOf(world);
      expect(events).toEqual([
        expect.objectContaining({ id: body.event_id, webhook_id: id, relayed_at: now }),
      ]);
    });
    status(200, "sends the document's example of each type, marked as a test", async (world) => {
      const params = { webhook_id: await storeWebhook(world) };
      for (const type of EVENT_TYPES) {
        await callAs('testWebhook', world, { params, body: { event_type: type } });
      }
      const events = await eventsOf(world);
      expect(events.map(({ event_type: type, data }) => [type, data])).toEqual(
        EVENT_TYPES.map((type) => [type, { ...eventExamples[type], test: true }]),
      );
    });
  },
);

interface EventRow {
  id: string;
  event_type: string;
  data: object;
  webhook_id: string;
  relayed_at: Date;
}

/** The account's events in the order in which they were stored. */
async function eventsOf({ service, owner }: World): Promise<EventRow[]> {
  return service.database.query('SELECT * FROM events WHERE account_id = $1 ORDER BY position', [owner.id]);
}
