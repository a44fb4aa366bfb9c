import type { Subscription } from '../../../src/core/events/outbox/event-types';
import { newId } from '../../../src/infrastructure/ids/ids';
import type { TestService } from '../api/service';

/** Gives an account an active webhook for these types of events. */
export async function subscribe(
  service: TestService,
  accountId: string,
  types: readonly Subscription[],
): Promise<void> {
  await service.database.transaction(async (manager) => {
    await manager.query(
      `INSERT INTO webhooks (id, account_id, url, receiver, events, secret, is_active, created_at)
       VALUES ($1, $2, 'https://receiver.example/hook', 'receiver.example:443', $3, 'a secret for tests', true, $4)`,
      [newId(), accountId, types, service.clock.now()],
    );
    await manager.query('SELECT webhook_subscriptions($1)', [accountId]);
  });
}
