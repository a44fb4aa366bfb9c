import type { EventType } from '../../../src/events/outbox';

interface Database {
  query(sql: string, parameters: unknown[]): Promise<unknown>;
}

/** An event as the table holds it, before any relay has seen it. */
export interface WrittenEvent {
  type: EventType;
  data: Record<string, unknown>;
  operation: string | null;
  occurredAt: Date;
}

/** An account's events, of some types only where these are named, in the order in which they were written. */
export async function writtenEvents(
  database: Database,
  accountId: string,
  types: readonly EventType[] | null = null,
): Promise<WrittenEvent[]> {
  return (await database.query(
    `SELECT event_type AS type, data, operation, occurred_at AS "occurredAt" FROM events
     WHERE account_id = $1 AND ($2::text[] IS NULL OR event_type = ANY($2)) ORDER BY position`,
    [accountId, types],
  )) as WrittenEvent[];
}
