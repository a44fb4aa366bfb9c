import type { TestService } from '../api/service';
import type { EventReceiver } from '../receiver/event-receiver';

/** What was to be told of, and what of it the receiver of all subscriptions knows. */
export interface DeliveredEvents {
  events: number;
  /** The charges of the accounts that subscribe, and those that their events tell of; both in the same order. */
  entries: string[];
  told: (string | null)[];
  /** Events that never arrived. */
  missing: string[];
  /** Events that nobody wrote. */
  unknown: string[];
}

/** To be asked once {@link waitingEvents} is 0. */
export async function deliveredEvents(
  service: TestService,
  receiver: EventReceiver,
): Promise<DeliveredEvents> {
  const events = await eventsOf(service);
  const written = new Set(events.map(({ id }) => id));
  const told = events.filter(({ type }) => type === 'balance.updated').map(({ entry }) => entry);
  return {
    events: events.length,
    entries: (await entriesOfSubscribers(service)).sort(),
    told: told.sort(),
    missing: events.map(({ id }) => id).filter((id) => !receiver.has(id)),
    unknown: receiver.eventIds.filter((id) => !written.has(id)),
  };
}

/** How many events and deliveries are still on their way. */
export async function waitingEvents({ database }: TestService): Promise<number> {
  const [row]: { count: number }[] = await database
    .query(
      `SELECT (SELECT count(*) FROM events WHERE relayed_at IS NULL)::integer
        + (SELECT count(*) FROM deliveries WHERE status <> 'success')::integer AS count`,
    )
    .catch(() => []);
  return row?.count ?? -1;
}

async function eventsOf({
  database,
}: TestService): Promise<{ id: string; type: string; entry: string | null }[]> {
  return database.query(
    `SELECT id, event_type AS type, data ->> 'transaction_id' AS entry FROM events ORDER BY position`,
  );
}

/** The ledger entries of the accounts that subscribe, since they do. */
async function entriesOfSubscribers({ database }: TestService): Promise<string[]> {
  const rows: { id: string }[] = await database.query(
    `SELECT id FROM ledger_entries JOIN event_subscriptions USING (account_id) WHERE type = 'charge'`,
  );
  return rows.map(({ id }) => id);
}
