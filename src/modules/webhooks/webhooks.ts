import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
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
  webhooksApi,
  type WebhooksApi,
} from '../../../generated/contract';
import type {
  DeliveryList,
  ReplayedDeliveries,
  Webhook as WebhookView,
  WebhookDelivery,
  WebhookList,
  WebhookSecret,
} from '../../../generated/types';
import { Serves } from '../../contract/serves';
import { Deliveries, deliveryRecord } from './deliveries.repository';
import {
  DeliveryClaims,
  DeliveryDispatcher,
  DeliveryQueues,
  FAST_QUEUE,
  SLOW_QUEUE,
} from './delivery-dispatcher';
import { DeliveryFigures, DeliveryMetrics } from './delivery.metrics';
import { toWebhookSecret, Webhook, WebhookAddresses, webhookRecord } from './webhook';
import { WebhooksHealthRepository } from './webhooks-health';
import { Webhooks } from './webhooks.repository';
import { WebhooksService } from './webhooks.service';

@Serves(webhooksApi)
class WebhooksController implements WebhooksApi {
  constructor(private readonly webhooks: WebhooksService) {}

  async createWebhook({ account, body }: CreateWebhookCall): Promise<WebhookSecret> {
    return toWebhookSecret(await this.webhooks.create(account.id, body));
  }

  async listWebhooks({ account, query }: ListWebhooksCall): Promise<WebhookList> {
    const { webhooks, total } = await this.webhooks.list(account.id, query);
    return { webhooks: webhooks.map(webhookRecord), total, limit: query.limit, offset: query.offset };
  }

  async getWebhook({ account, params }: GetWebhookCall): Promise<WebhookView> {
    return webhookRecord(await this.webhooks.get(account.id, params.webhook_id));
  }

  async updateWebhook({ account, params, body }: UpdateWebhookCall): Promise<WebhookView> {
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

const SERVICES = [
  Deliveries,
  DeliveryClaims,
  DeliveryDispatcher,
  DeliveryFigures,
  DeliveryMetrics,
  DeliveryQueues,
  WebhookAddresses,
  Webhooks,
  WebhooksHealthRepository,
];

/** Webhooks, and what puts their deliveries in the queue. What makes the attempts is DeliveryWorkersModule. */
@Module({
  imports: [
    BullModule.registerQueue({ name: FAST_QUEUE }, { name: SLOW_QUEUE }),
    TypeOrmModule.forFeature([Webhook]),
  ],
  controllers: [WebhooksController],
  providers: [...SERVICES, WebhooksService],
  exports: SERVICES,
})
export class WebhooksModule {}
