import type { Webhook as WebhookView, WebhookDelivery, WebhookSecret } from '../../../generated/types';
import type { Delivery } from '../../core/events/deliveries/delivery';
import type { Webhook } from '../../core/events/webhooks/webhook.entity';

export function toWebhook(webhook: Webhook): WebhookView {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    is_active: webhook.isActive,
    disabled_reason: webhook.disabledReason,
    description: webhook.description,
    failing_since: textOf(webhook.failingSince),
    last_delivered_at: textOf(webhook.lastDeliveredAt),
    created_at: webhook.createdAt.toISOString(),
  };
}

export function toWebhookSecret(webhook: Webhook): WebhookSecret {
  const { secret, previousSecretUntil } = webhook;
  return { ...toWebhook(webhook), secret, previous_secret_until: textOf(previousSecretUntil) };
}

export function toDelivery(delivery: Delivery): WebhookDelivery {
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
