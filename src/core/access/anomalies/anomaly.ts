import type { NewEvent } from '../../events/outbox/outbox';
import type { KeyPrincipal } from '../access-keys/key-principal';

export const ANOMALY = 'anomaly.detected';

export const HOUR_MS = 60 * 60 * 1000;

export interface Anomaly {
  kind: 'invalid_credentials' | 'many_addresses';
  key: KeyPrincipal;
  /** Calls with wrong secrets, or addresses, in the hour so far. */
  count: number;
  hour: Date;
  detectedAt: Date;
}

/** The full hour (UTC) to which a time belongs. What is unusual is counted by these. */
export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
}

/**
 * The event of an anomaly, once for each key, kind and hour. The mark is held for longer than the hour, because a replica
 * may count the last calls of the hour when it is over.
 */
export function anomalyDetected({ kind, key, count, hour, detectedAt }: Anomaly): NewEvent {
  return {
    accountId: key.accountId,
    type: ANOMALY,
    data: { user_id: key.accountId, access_key_id: key.id, kind, count, since: hour.toISOString() },
    operation: null,
    occurredAt: detectedAt,
    once: {
      mark: `${ANOMALY}:${kind}:${key.id}:${hour.toISOString()}`,
      heldUntil: new Date(hour.getTime() + 2 * HOUR_MS),
    },
  };
}
