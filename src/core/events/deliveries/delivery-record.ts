import type { Delivery } from './delivery';

/** A delivery as the owner of its webhook and operators see it. */
export function deliveryRecord(delivery: Delivery) {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    url: delivery.url,
    status: delivery.status,
    response_status: delivery.responseStatus,
    response_body: delivery.responseBody,
    error_message: delivery.errorMessage,
    retry_count: Math.max(0, delivery.attemptCount - 1),
    next_attempt_at: textOf(delivery.nextAttemptAt),
    delivered_at: textOf(delivery.deliveredAt),
    failed_at: textOf(delivery.failedAt),
    abandoned_at: textOf(delivery.abandonedAt),
    created_at: delivery.createdAt.toISOString(),
    attempts: delivery.attempts,
  };
}

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
