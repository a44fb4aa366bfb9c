import { Injectable } from '@nestjs/common';
import type { ListAbandonedDeliveriesQuery, ListAllWebhooksQuery } from '../../../generated/types';
import { AdminActions, type AdminCall } from '../../core/access/admin-actions/admin-actions.repository';
import { Conflict } from '../../core/errors/request-errors';
import { Deliveries } from '../../core/events/deliveries/deliveries.repository';
import type { Delivery } from '../../core/events/deliveries/delivery';
import {
  WebhooksHealthRepository,
  type WebhooksHealth,
} from '../../core/events/deliveries/webhooks-health.repository';
import type { Webhook } from '../../core/events/webhooks/webhook.entity';
import { Webhooks } from '../../core/events/webhooks/webhooks.repository';
import { openPeriod } from '../../core/money/usage/period';

/** The webhooks of all accounts: whether events arrive, and what was given up. */
@Injectable()
export class AdminWebhooksService {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly deliveries: Deliveries,
    private readonly actions: AdminActions,
    private readonly healthOfAll: WebhooksHealthRepository,
  ) {}

  async health(): Promise<WebhooksHealth> {
    return this.healthOfAll.read();
  }

  /** @throws Unprocessable when the period would end before it starts */
  async list(query: ListAllWebhooksQuery): Promise<{ webhooks: Webhook[]; total: number }> {
    const { start, end } = openPeriod(query);
    const { status, user_id: accountId = null } = query;
    const isActive = status === undefined ? null : status === 'active';
    const isSwitchedOff = status === 'switched_off';
    const filter = { isActive, isSwitchedOff, createdFrom: start, createdBefore: end };
    return this.webhooks.list(accountId, filter, query);
  }

  /** @throws Unprocessable when the period would end before it starts */
  async listAbandoned(
    query: ListAbandonedDeliveriesQuery,
  ): Promise<{ deliveries: { accountId: string; delivery: Delivery }[]; total: number }> {
    const { start, end } = openPeriod(query);
    const { user_id: accountId = null, webhook_id: webhookId = null } = query;
    return this.deliveries.listAbandoned(
      { accountId, webhookId, abandonedFrom: start, abandonedBefore: end },
      query,
    );
  }

  /**
   * Switches a webhook on that the service switched off. What its owner switched off is the owner's to switch on.
   * @throws NotFound, and Conflict for any other webhook
   */
  async enable(call: AdminCall, webhookId: string, reason: string | null): Promise<Webhook> {
    return this.webhooks.switchOn(webhookId, async (manager, webhook) => {
      const { id: subjectId, accountId, disabledReason, failingSince } = webhook;
      const after = { is_active: true };
      if (await this.actions.isDone(manager, call, { subjectId, reason, after })) {
        return false;
      }
      if (webhook.isActive) {
        throw new Conflict('The webhook is active.');
      }
      if (disabledReason === null) {
        throw new Conflict('Its owner switched the webhook off.');
      }
      const before = { is_active: false, disabled_reason: disabledReason, failing_since: failingSince };
      await this.actions.record(manager, call, { accountId, subjectId, reason, before, after });
      return true;
    });
  }
}
