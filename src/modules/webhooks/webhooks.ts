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
import { Serves } from '../../contract/operation';
import { openPeriod } from '../../ledger/period';
import { readIsoTime } from '../../runtime/clock';
import { Deliveries, deliveryRecord } from './deliveries.repository';
import {
  DeliveryClaims,
  DeliveryDispatcher,
  DeliveryQueues,
  FAST_QUEUE,
  SLOW_QUEUE,
} from './delivery-dispatcher';
import { DeliveryFigures, DeliveryMetrics } from './delivery.metrics';
import { toWebhook, toWebhookSecret, Webhook, WebhookAddresses } from './webhook';
import { WebhooksHealthRepository } from './webhooks-health';
import { Webhooks } from './webhooks.repository';

@Serves(webhooksApi)
class WebhooksController implements WebhooksApi {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly deliveries: Deliveries,
  ) {}

  async createWebhook({ account, body, idempotencyId }: CreateWebhookCall): Promise<WebhookSecret> {
    const { url, events, description = null, secret = null } = body;
    const fields = { accountId: account.id, url, events, description, secret, idempotencyId };
    return toWebhookSecret(await this.webhooks.create(fields));
  }

  async listWebhooks({ account, query }: ListWebhooksCall): Promise<WebhookList> {
    const { items, total, limit, offset } = await this.webhooks.list(
      account.id,
      { ...query, ...openPeriod(query) },
      { 'is_active = $': query.status && query.status === 'active' },
    );
    return { webhooks: items.map(toWebhook), total, limit, offset };
  }

  async getWebhook({ account, params }: GetWebhookCall): Promise<WebhookView> {
    return toWebhook(await this.webhooks.get(account.id, params.webhook_id));
  }

  async updateWebhook({ account, params, body }: UpdateWebhookCall): Promise<WebhookView> {
    const { url, events, description, is_active: isActive } = body;
    const change = { url, events, description, isActive };
    return toWebhook(await this.webhooks.change(account.id, params.webhook_id, change));
  }

  async deleteWebhook({ account, params }: DeleteWebhookCall): Promise<void> {
    await this.webhooks.remove(account.id, params.webhook_id);
  }

  async rotateWebhookSecret({ account, params, body }: RotateWebhookSecretCall): Promise<WebhookSecret> {
    const { overlap_seconds: overlapSeconds, secret = null } = body;
    const rotation = { accountId: account.id, id: params.webhook_id, overlapSeconds, secret };
    return toWebhookSecret(await this.webhooks.rotate(rotation));
  }

  async listDeliveries({ account, params, query }: ListDeliveriesCall): Promise<DeliveryList> {
    const { start, end } = openPeriod(query);
    const { status = null, event_type: eventType = null, limit, offset } = query;
    const filter = { status, eventType, createdFrom: start, createdBefore: end };
    const { deliveries, total } = await this.deliveries.list(account.id, params.webhook_id, filter, query);
    return { deliveries: deliveries.map(deliveryRecord), total, limit, offset };
  }

  async getDelivery({ account, params }: GetDeliveryCall): Promise<WebhookDelivery> {
    return deliveryRecord(await this.deliveries.get(account.id, params.webhook_id, params.delivery_id));
  }

  async testWebhook({ account, params, body }: TestWebhookCall): Promise<WebhookDelivery> {
    return deliveryRecord(await this.deliveries.test(account.id, params.webhook_id, body.event_type));
  }

  /** Says of how many deliveries an attempt is now due. */
  async replayDeliveries({ account, params, body }: ReplayDeliveriesCall): Promise<ReplayedDeliveries> {
    const since = readIsoTime(body.since);
    if (!since) {
      throw new Error('a time reached the service without having been validated');
    }
    return { replayed: await this.deliveries.replay(account.id, params.webhook_id, since.time) };
  }

  async retryDelivery({ account, params }: RetryDeliveryCall): Promise<WebhookDelivery> {
    return deliveryRecord(await this.deliveries.retry(account.id, params.delivery_id));
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
  providers: SERVICES,
  exports: SERVICES,
})
export class WebhooksModule {}
