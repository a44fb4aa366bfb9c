import { newId } from '../../../src/runtime/ids';
import type { Subscription } from '../../../src/events/outbox';

interface Database {
  query(sql: string, parameters: unknown[]): Promise<unknown>;
}

/** Gives an account a webhook past all checks. Returns the webhook's id. */
export async function subscribe(
  database: Database,
  accountId: string,
  {
    events,
    isActive = true,
    url = 'https://receiver.example:443/',
  }: { events: readonly Subscription[]; isActive?: boolean; url?: string },
): Promise<string> {
  const id = newId();
  await database.query(
    `INSERT INTO webhooks (id, account_id, url, receiver, events, secret, is_active, created_at)
     VALUES ($1, $2, $5, $6, $3, 'a secret of sixteen', $4, now())`,
    [id, accountId, events, isActive, url, new URL(url).host],
  );
  await database.query('SELECT webhook_subscriptions($1)', [accountId]);
  return id;
}
