import { Injectable } from '@nestjs/common';
import type {
  AdminAction as AdminActionView,
  AdminCall,
  AdminDelivery,
  AdminWebhook,
  ListAdminActionsQuery,
  WebhooksHealth as WebhooksHealthView,
} from '../../../generated/types';
import { type AccessKeyEntity, AccessKeys } from '../../accounts/access-keys';
import { type Account, Accounts } from '../../accounts/accounts';
import { type AdminAction, AdminActions, type AuditedCall } from '../../accounts/admin-actions';
import { Conflict, NotFound } from '../../errors/api-errors';
import { openPeriod } from '../../ledger/period';
import { type Transaction, transactionRecord, Transactions } from '../../ledger/transactions';
import { type CallReceipt, UsageLog } from '../../ledger/usage-log';
import { receiptRecord } from '../monitoring/monitoring';
import { type Delivery, deliveryRecord } from '../webhooks/deliveries.repository';
import { type Webhook, toWebhook } from '../webhooks/webhook';
import { type WebhooksHealth } from '../webhooks/webhooks-health';
import { Webhooks } from '../webhooks/webhooks.repository';
import { toUserReference } from './admin-views';

/** A call with all that it left behind. */
interface CallStory {
  account: Account;
  /** Null where the call had no key, or the key was deleted since. */
  key: AccessKeyEntity | null;
  receipt: CallReceipt;
  transactions: Transaction[];
}

/** What is on record: single calls of any account, and what admins did. */
@Injectable()
export class AdminRecordsService {
  constructor(
    private readonly accounts: Accounts,
    private readonly keys: AccessKeys,
    private readonly usageLog: UsageLog,
    private readonly transactions: Transactions,
    private readonly adminActions: AdminActions,
  ) {}

  /**
   * @param ofAccountId only among the calls of this account; null for all
   * @throws NotFound when no call has this id, Conflict when callers of several accounts gave it and none is named
   */
  async call(requestId: string, ofAccountId: string | null): Promise<CallStory> {
    const { accountId, receipt } = await this.receipt(requestId, ofAccountId);
    const { keyId, transactionId } = receipt;
    return {
      account: await this.accounts.get(accountId),
      key: keyId === null ? null : await this.keys.find(accountId, keyId),
      receipt,
      transactions: transactionId === null ? [] : [await this.transactions.get(accountId, transactionId)],
    };
  }

  private async receipt(
    requestId: string,
    accountId: string | null,
  ): Promise<{ accountId: string; receipt: CallReceipt }> {
    if (accountId === null) {
      const found = await this.usageLog.receiptOfAnyone(requestId);
      if (found === null) {
        throw new NotFound('call');
      }
      return found;
    }
    const receipt = await this.usageLog.receipt(accountId, requestId);
    if (receipt === null) {
      throw new NotFound('call');
    }
    return { accountId, receipt };
  }

  /** @throws Unprocessable when the period would end before it starts */
  async actions(query: ListAdminActionsQuery): Promise<{ actions: AdminAction[]; total: number }> {
    const { start, end } = openPeriod(query);
    const { admin_id: adminId = null, operation = null, user_id: accountId = null } = query;
    const filter = { adminId, operation, accountId, createdFrom: start, createdBefore: end };
    return this.adminActions.list(filter, query);
  }
}

export function toAdminCall({ account, key, receipt, transactions }: CallStory): AdminCall {
  return {
    user: toUserReference(account),
    key: key && { id: key.id, name: key.name, key_value_preview: key.preview, is_active: key.isActive },
    receipt: receiptRecord(receipt),
    transactions: transactions.map(transactionRecord),
  };
}

export function toAdminAction(action: AdminAction): AdminActionView {
  return {
    id: action.id,
    admin_id: action.adminId,
    operation: action.operation,
    user_id: action.accountId,
    subject_id: action.subjectId,
    reason: action.reason,
    before: action.before as AdminActionView['before'],
    after: action.after as AdminActionView['after'],
    request_id: action.requestId,
    created_at: action.createdAt.toISOString(),
  };
}

/** The webhooks that the service switched off. */
@Injectable()
export class SwitchedOffWebhooks {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly actions: AdminActions,
  ) {}

  /**
   * Switches a webhook on that the service switched off. What its owner switched off is the owner's to switch on.
   * @throws NotFound, and Conflict for any other webhook
   */
  async enable(call: AuditedCall, webhookId: string, reason: string | null): Promise<Webhook> {
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

export function toAdminWebhook(webhook: Webhook): AdminWebhook {
  return { user_id: webhook.accountId, webhook: toWebhook(webhook) };
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
