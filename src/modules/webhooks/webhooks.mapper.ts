import type { WebhookSecret } from '../../../generated/types';
import { webhookRecord } from '../../core/events/webhooks/webhook-record';
import type { Webhook } from '../../core/events/webhooks/webhook.entity';

export function toWebhookSecret(webhook: Webhook): WebhookSecret {
  const { secret, previousSecretUntil } = webhook;
  return {
    ...webhookRecord(webhook),
    secret,
    previous_secret_until: previousSecretUntil?.toISOString() ?? null,
  };
}
