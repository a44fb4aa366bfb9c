import type { Subscription } from '../../../src/events/outbox';
import { Webhooks } from '../../../src/modules/webhooks/webhooks.repository';
import type { TestAccount, World } from './world';

/** Stores a webhook of an account, by no call that would count among those of a test, and returns its id. */
export async function storeWebhook(
  { service, owner }: World,
  fields: { url?: string; events?: Subscription[]; secret?: string } = {},
  account: TestAccount = owner,
): Promise<string> {
  const { url = 'https://hooks.example.com/credits', events = ['*'], secret = null } = fields;
  const webhooks = service.app.get(Webhooks);
  return (await webhooks.create({ accountId: account.id, url, events, secret, description: null })).id;
}

/** A webhook of the owner: one for all calls of a test, because an account has only 20. */
export async function anyWebhook(world: World): Promise<string> {
  const page = { start: null, end: null, limit: 1, offset: 0, order: 'asc' } as const;
  const webhooks = world.service.app.get(Webhooks);
  const { items } = await webhooks.list(world.owner.id, page, { 'is_active = $': true });
  return items[0]?.id ?? storeWebhook(world);
}

/** What a delivery is to be like; all but its webhook may be left to chance. */
export interface StoredDelivery {
  webhookId: string;
  stage?: 'due' | 'handed' | 'later' | 'over';
  status?: 'pending' | 'success' | 'failed';
  eventType?: string;
  attemptCount?: number;
  attempts?: object[];
  scheduledAt?: Date | null;
  nextAttemptAt?: Date | null;
  createdAt?: Date;
  failedAt?: Date | null;
  abandonedAt?: Date | null;
}

/** Stores a delivery as attempts would have left it, and returns its id. */
export async function storeDelivery({ service }: World, fields: StoredDelivery): Promise<string> {
  const now = service.clock.now();
  const { status = 'pending', stage = 'due', failedAt = status === 'failed' ? now : null } = fields;
  const [row]: { id: string }[] = await service.database.query(
    `INSERT INTO deliveries (id, account_id, webhook_id, event_id, event_type, url, receiver, stage, status, attempts_max,
       attempt_count, attempts, next_attempt_at, scheduled_at, occurred_at, created_at, failed_at, abandoned_at)
     SELECT gen_random_uuid(), account_id, id, gen_random_uuid(), $2, url, receiver, $3, $4, 8, $5, $6, $7, $8, $9, $9,
       $10, $11
     FROM webhooks WHERE id = $1 RETURNING id`,
    [
      fields.webhookId,
      fields.eventType ?? 'balance.low',
      stage,
      status,
      fields.attemptCount ?? 0,
      JSON.stringify(fields.attempts ?? []),
      fields.nextAttemptAt ?? null,
      fields.scheduledAt ?? null,
      fields.createdAt ?? now,
      failedAt,
      fields.abandonedAt ?? null,
    ],
  );
  expect(row?.id).toEqual(expect.any(String));
  return row?.id ?? '';
}

/** The row of a delivery, as the relay and the processor see it. */
export async function deliveryRow({ service }: World, id: string): Promise<Record<string, unknown>> {
  const [row]: Record<string, unknown>[] = await service.database.query(
    'SELECT * FROM deliveries WHERE id = $1',
    [id],
  );
  return row ?? {};
}

/** Whether events of a type are stored for an account: a webhook subscribes to them. */
export async function isSubscribed({ service, owner }: World, type: string): Promise<boolean> {
  const [row]: { subscribed: boolean }[] = await service.database.query(
    `SELECT EXISTS (SELECT FROM event_subscriptions WHERE account_id = $1 AND event_types & event_bit($2) <> 0)
       AS subscribed`,
    [owner.id, type],
  );
  return row?.subscribed === true;
}

/** What a busy machine stores within the time of one statement. */
const COPIES_AT_ONCE = 1_000;

/** Stores so many more deliveries that are like one. */
export async function copyDelivery(world: World, id: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= COPIES_AT_ONCE) {
    await world.service.database.query(
      `INSERT INTO deliveries SELECT (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
       FROM deliveries d, generate_series(1, $2) WHERE d.id = $1`,
      [id, Math.min(left, COPIES_AT_ONCE)],
    );
  }
}
