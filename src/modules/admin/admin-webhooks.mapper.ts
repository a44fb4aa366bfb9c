import type {
  AdminDelivery,
  AdminWebhook,
  WebhooksHealth as WebhooksHealthView,
} from '../../../generated/types';
import type { Delivery } from '../../core/events/deliveries/delivery';
import { deliveryRecord } from '../../core/events/deliveries/delivery-record';
import type { WebhooksHealth } from '../../core/events/deliveries/webhooks-health.repository';
import { webhookRecord } from '../../core/events/webhooks/webhook-record';
import type { Webhook } from '../../core/events/webhooks/webhook.entity';

export function toAdminWebhook(webhook: Webhook): AdminWebhook {
  return { user_id: webhook.accountId, webhook: webhookRecord(webhook) };
}

export function toAdminDelivery({
  accountId,
  delivery,
}: {
  accountId: string;
  delivery: Delivery;
}): AdminDelivery {
  return { user_id: accountId, delivery: deliveryRecord(delivery) };
}

export function toWebhooksHealth(health: WebhooksHealth): WebhooksHealthView {
  const { checkedAt, oldestEventAt } = health;
  return {
    events_waiting: health.eventsWaiting,
    oldest_event_age_seconds: oldestEventAt && (checkedAt.getTime() - oldestEventAt.getTime()) / 1000,
    deliveries_due: health.due,
    deliveries_handed: health.handed,
    deliveries_later: health.later,
    failed_last_24h: health.failedLastDay,
    abandoned_last_24h: health.abandonedLastDay,
    switched_off_webhooks: health.switchedOff,
    receivers: health.receivers.map(({ receiver, waiting, oldestDueAt, slowSince }) => ({
      receiver,
      waiting,
      oldest_due_at: oldestDueAt.toISOString(),
      slow_since: slowSince?.toISOString() ?? null,
    })),
    checked_at: checkedAt.toISOString(),
  };
}
