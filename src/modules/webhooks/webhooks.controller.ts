import {
  webhooksApi,
  type CreateWebhookCall,
  type DeleteWebhookCall,
  type GetDeliveryCall,
  type GetWebhookCall,
  type ListDeliveriesCall,
  type ListWebhooksCall,
  type ReplayDeliveriesCall,
  type RetryDeliveryCall,
  type RotateWebhookSecretCall,
  type TestWebhookCall,
  type UpdateWebhookCall,
  type WebhooksApi,
} from '../../../generated/contract';
import type {
  DeliveryList,
  ReplayedDeliveries,
  Webhook,
  WebhookDelivery,
  WebhookList,
  WebhookSecret,
} from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { deliveryRecord } from '../../core/events/deliveries/delivery-record';
import { webhookRecord } from '../../core/events/webhooks/webhook-record';
import { toWebhookSecret } from './webhooks.mapper';
import { WebhooksService } from './webhooks.service';

@Serves(webhooksApi)
export class WebhooksController implements WebhooksApi {
  constructor(private readonly webhooks: WebhooksService) {}

  async createWebhook({ account, body }: CreateWebhookCall): Promise<WebhookSecret> {
    return toWebhookSecret(await this.webhooks.create(account.id, body));
  }

  async listWebhooks({ account, query }: ListWebhooksCall): Promise<WebhookList> {
    const { webhooks, total } = await this.webhooks.list(account.id, query);
    return { webhooks: webhooks.map(webhookRecord), total, limit: query.limit, offset: query.offset };
  }

  async getWebhook({ account, params }: GetWebhookCall): Promise<Webhook> {
    return webhookRecord(await this.webhooks.get(account.id, params.webhook_id));
  }

  async updateWebhook({ account, params, body }: UpdateWebhookCall): Promise<Webhook> {
    return webhookRecord(await this.webhooks.update(account.id, params.webhook_id, body));
  }

  async deleteWebhook({ account, params }: DeleteWebhookCall): Promise<void> {
    await this.webhooks.remove(account.id, params.webhook_id);
  }

  async rotateWebhookSecret({ account, params, body }: RotateWebhookSecretCall): Promise<WebhookSecret> {
    return toWebhookSecret(await this.webhooks.rotate(account.id, params.webhook_id, body));
  }

  async listDeliveries({ account, params, query }: ListDeliveriesCall): Promise<DeliveryList> {
    const { deliveries, total } = await this.webhooks.listDeliveries(account.id, params.webhook_id, query);
    return { deliveries: deliveries.map(deliveryRecord), total, limit: query.limit, offset: query.offset };
  }

  async getDelivery({ account, params }: GetDeliveryCall): Promise<WebhookDelivery> {
    return deliveryRecord(await this.webhooks.getDelivery(account.id, params.webhook_id, params.delivery_id));
  }

  async testWebhook({ account, params, body }: TestWebhookCall): Promise<WebhookDelivery> {
    return deliveryRecord(await this.webhooks.test(account.id, params.webhook_id, body.event_type));
  }

  async replayDeliveries({ account, params, body }: ReplayDeliveriesCall): Promise<ReplayedDeliveries> {
    return { replayed: await this.webhooks.replay(account.id, params.webhook_id, body.since) };
  }

  async retryDelivery({ account, params }: RetryDeliveryCall): Promise<WebhookDelivery> {
    return deliveryRecord(await this.webhooks.retry(account.id, params.delivery_id));
  }
}
