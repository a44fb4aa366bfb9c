import { Injectable } from '@nestjs/common';
import type {
  CreateWebhookRequest,
  ListDeliveriesQuery,
  ListWebhooksQuery,
  RotateWebhookSecretRequest,
  UpdateWebhookRequest,
} from '../../../generated/types';
import type { EventType } from '../../events/outbox';
import { openPeriod } from '../../ledger/period';
import { readIsoTime } from '../../runtime/clock';
import { Deliveries, type Delivery } from './deliveries.repository';
import type { Webhook } from './webhook';
import { Webhooks } from './webhooks.repository';

/** An account's webhooks and the deliveries to them, as its owner manages them. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly deliveries: Deliveries,
  ) {}

  /** @throws Unprocessable for a URL or secret that can't be used, Conflict beyond the most that an account may have */
  async create(accountId: string, request: CreateWebhookRequest): Promise<Webhook> {
    const { url, events, description = null, secret = null } = request;
    return this.webhooks.create({ accountId, url, events, description, secret });
  }

  /** @throws Unprocessable when the period would end before it starts */
  async list(accountId: string, query: ListWebhooksQuery): Promise<{ webhooks: Webhook[]; total: number }> {
    const { start, end } = openPeriod(query);
    const isActive = query.status === undefined ? null : query.status === 'active';
    return this.webhooks.list(accountId, { isActive, createdFrom: start, createdBefore: end }, query);
  }

  /** @throws NotFound */
  async get(accountId: string, webhookId: string): Promise<Webhook> {
    return this.webhooks.get(accountId, webhookId);
  }

  /** @throws NotFound, and Unprocessable for a URL that can't be used */
  async update(accountId: string, webhookId: string, request: UpdateWebhookRequest): Promise<Webhook> {
    const { url, events, description, is_active: isActive } = request;
    return this.webhooks.update(accountId, webhookId, { url, events, description, isActive });
  }

  /** @throws NotFound */
  async remove(accountId: string, webhookId: string): Promise<void> {
    await this.webhooks.remove(accountId, webhookId);
  }

  /** @throws NotFound, Unprocessable for a secret that can't be used, Conflict while an overlap runs */
  async rotate(accountId: string, webhookId: string, request: RotateWebhookSecretRequest): Promise<Webhook> {
    const { overlap_seconds: overlapSeconds, secret = null } = request;
    return this.webhooks.rotate({ accountId, id: webhookId, overlapSeconds, secret });
  }

  /** @throws NotFound, and Unprocessable when the period would end before it starts */
  async listDeliveries(
    accountId: string,
    webhookId: string,
    query: ListDeliveriesQuery,
  ): Promise<{ deliveries: Delivery[]; total: number }> {
    const { start, end } = openPeriod(query);
    const { status = null, event_type: eventType = null } = query;
    const filter = { status, eventType, createdFrom: start, createdBefore: end };
    return this.deliveries.list(accountId, webhookId, filter, query);
  }

  /** @throws NotFound */
  async getDelivery(accountId: string, webhookId: string, deliveryId: string): Promise<Delivery> {
    return this.deliveries.get(accountId, webhookId, deliveryId);
  }

  /** @throws NotFound, and Conflict for a webhook that is switched off */
  async test(accountId: string, webhookId: string, type: EventType): Promise<Delivery> {
    return this.deliveries.test(accountId, webhookId, type);
  }

  /**
   * Returns of how many deliveries an attempt is now due.
   * @throws NotFound, and Conflict for a webhook that is switched off
   */
  async replay(accountId: string, webhookId: string, since: string): Promise<number> {
    const from = readIsoTime(since);
    if (!from) {
      throw new Error('a time reached the service without having been validated');
    }
    return this.deliveries.replay(accountId, webhookId, from.time);
  }

  /** @throws NotFound, and Conflict for what has not failed or whose webhook is switched off */
  async retry(accountId: string, deliveryId: string): Promise<Delivery> {
    return this.deliveries.retry(accountId, deliveryId);
  }
}
