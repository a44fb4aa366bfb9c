import type { EventType } from '../outbox/event-types';

export type DeliveryStatus = 'pending' | 'success' | 'failed';

/** One attempt to deliver, as it is stored: times are ISO 8601. */
export interface DeliveryAttempt {
  attempted_at: string;
  duration_ms: number;
  response_status: number | null;
  response_body: string | null;
  error_message: string | null;
}

/** An event on its way to one webhook. */
export interface Delivery {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: EventType;
  /** Where the last attempt went. */
  url: string;
  /** Pending until the first attempt has ended, then how the last one ended. */
  status: DeliveryStatus;
  attemptCount: number;
  /** The last 20 attempts, in their order. */
  attempts: DeliveryAttempt[];
  responseStatus: number | null;
  responseBody: string | null;
  errorMessage: string | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
  deliveredAt: Date | null;
  failedAt: Date | null;
  abandonedAt: Date | null;
}

/** The columns of `deliveries` that a delivery is read from. */
export const DELIVERY_COLUMNS = `id, webhook_id, event_id, event_type, url, status, attempt_count, attempts, response_status,
  response_body, error_message, next_attempt_at, created_at, delivered_at, failed_at, abandoned_at`;

export interface DeliveryRow {
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: EventType;
  url: string;
  status: DeliveryStatus;
  attempt_count: number;
  attempts: DeliveryAttempt[];
  response_status: number | null;
  response_body: string | null;
  error_message: string | null;
  next_attempt_at: Date | null;
  created_at: Date;
  delivered_at: Date | null;
  failed_at: Date | null;
  abandoned_at: Date | null;
}

export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    eventType: row.event_type,
    url: row.url,
    status: row.status,
    attemptCount: row.attempt_count,
    attempts: row.attempts,
    responseStatus: row.response_status,
    responseBody: row.response_body,
    errorMessage: row.error_message,
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
    deliveredAt: row.delivered_at,
    failedAt: row.failed_at,
    abandonedAt: row.abandoned_at,
  };
}
