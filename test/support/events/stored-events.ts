import type { EventType } from '../../../src/events/outbox';
import type { TestService } from '../api/service';

export interface StoredEvent {
  type: EventType;
  data: Record<string, unknown>;
  operation: string | null;
  at: Date;
}

/** The events of an account, the first first. */
export async function storedEvents({ database }: TestService, accountId: string): Promise<StoredEvent[]> {
  return database.query(
    `SELECT event_type AS type, data, operation, occurred_at AS at FROM events WHERE account_id = $1 ORDER BY position`,
    [accountId],
  );
}
