import type { Webhook } from './webhook.entity';

/** A webhook as its owner and operators see it: without its secret. */
export function webhookRecord(webhook: Webhook) {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    is_active: webhook.isActive,
    disabled_reason: webhook.disabledReason,
    description: webhook.description,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    last_delivered_at: webhook.lastDeliveredAt?.toISOString() ?? null,
    created_at: webhook.createdAt.toISOString(),
  };
}
