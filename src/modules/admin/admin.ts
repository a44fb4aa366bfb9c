import { Module } from '@nestjs/common';
import { adminApi, type AdminApi, type Call } from '../../../generated/contract';
import type {
  AdminAction as AdminActionView,
  AdminActionList,
  AdminCall,
  AdminDeliveryList,
  AdminPayment,
  AdminPaymentList,
  AdminUpgradeRequest,
  AdminUpgradeRequestList,
  AdminUser,
  AdminUserDetails,
  AdminUserList,
  AdminWebhook,
  AdminWebhookList,
  PasswordReset,
  Reconciliation,
  UserReference,
  WebhooksHealth,
} from '../../../generated/types';
import { AccessKeys } from '../../accounts/access-keys';
import { type Account, type AccountPrincipal, Accounts } from '../../accounts/accounts';
import {
  type AdminAction,
  AdminActions,
  type AdminOperation,
  type AuditedCall,
} from '../../accounts/admin-actions';
import { type CallContext, Serves } from '../../contract/operation';
import { inPeriod } from '../../database/bounded-statements';
import { Conflict, NotFound } from '../../errors/api-errors';
import { openPeriod } from '../../ledger/period';
import { Ledger } from '../../ledger/ledger';
import { reconciliationRecord, ReconciliationRepository } from '../../ledger/reconciliation';
import { transactionRecord, Transactions } from '../../ledger/transactions';
import { UsageLog } from '../../ledger/usage-log';
import { exactUsdToNano } from '../../ledger/money';
import { inSnakeCase } from '../../runtime/json';
import { BillingModule } from '../billing/billing';
import type { Payment } from '../billing/payment';
import { paymentRecord } from '../billing/payment-record';
import { PaymentReviews, reviewVersionOf } from '../billing/payment-reviews';
import { Payments } from '../billing/payments.repository';
import { receiptRecord } from '../monitoring/monitoring';
import { SupportModule, upgradeRequestRecord } from '../support/support';
import { Deliveries, deliveryRecord } from '../webhooks/deliveries.repository';
import { WebhooksModule } from '../webhooks/webhooks';
import { toWebhook, type Webhook, Webhooks } from '../webhooks/webhooks.repository';
import { AdminService, type JudgedRequest, toAdminUser, UpgradeDecisions } from './admin-users';

function toAdminAction(action: AdminAction): AdminActionView {
  return {
    ...inSnakeCase(action, 'id', 'adminId', 'operation', 'subjectId', 'reason', 'requestId', 'createdAt'),
    user_id: action.accountId,
    before: action.before as AdminActionView['before'],
    after: action.after as AdminActionView['after'],
  };
}

function toAdminWebhook(webhook: Webhook): AdminWebhook {
  return { user_id: webhook.accountId, webhook: toWebhook(webhook) };
}

function toUserReference({ id, email, username, tier }: Account): UserReference {
  return { id, email, username, tier: tier as UserReference['tier'] };
}

function toAdminUpgradeRequest(request: JudgedRequest): AdminUpgradeRequest {
  return {
    user: request.account,
    request: upgradeRequestRecord(request),
    ...inSnakeCase(request, 'decidedAt', 'decidedBy', 'note'),
  };
}

function toAdminPayment(payment: Payment): AdminPayment {
  const { review } = payment;
  return {
    payment: paymentRecord(payment),
    review: {
      needed: review.isNeeded,
      ...inSnakeCase(review, 'reason', 'since', 'resolvedAt', 'resolvedBy', 'note'),
    },
    version: reviewVersionOf(payment),
  };
}

@Serves(adminApi)
class AdminController implements AdminApi {
  constructor(
    private readonly admin: AdminService,
    private readonly payments: Payments,
    private readonly reviews: PaymentReviews,
    private readonly upgrades: UpgradeDecisions,
    private readonly webhooks: Webhooks,
    private readonly deliveries: Deliveries,
    private readonly actions: AdminActions,
    private readonly accounts: Accounts,
    private readonly keys: AccessKeys,
    private readonly usageLog: UsageLog,
    private readonly transactions: Transactions,
    private readonly ledger: Ledger,
    private readonly reconciliation: ReconciliationRepository,
  ) {}

  async listUsers({ query }: Call<'listUsers'>): Promise<AdminUserList> {
    const { items, ...page } = await this.admin.list(query);
    return { users: items.map(toAdminUser), ...page };
  }

  async getUser({ params }: Call<'getUser'>): Promise<AdminUserDetails> {
    return this.admin.details(params.user_id);
  }

  async updateUser(call: Call<'updateUser'>): Promise<AdminUser> {
    return toAdminUser(await this.admin.update(by(call, 'updateUser'), call.params.user_id, call.body));
  }

  async createPasswordReset(call: Call<'createPasswordReset'>): Promise<PasswordReset> {
    const { path, url, expiresAt } = await this.admin.resetPassword(
      by(call, 'createPasswordReset'),
      call.params.user_id,
      call.body?.reason ?? null,
    );
    return { path, url, expires_at: expiresAt.toISOString() };
  }

  async logoutUser(call: Call<'logoutUser'>): Promise<void> {
    await this.admin.logout(by(call, 'logoutUser'), call.params.user_id, call.body?.reason ?? null);
  }

  /** Includes other processes' calls in flight only once they have lasted 200 ms. */
  async getReconciliation(): Promise<Reconciliation> {
    await this.ledger.show(null);
    return reconciliationRecord(await this.reconciliation.reconcile());
  }

  async listUpgradeRequests({ query }: Call<'listUpgradeRequests'>): Promise<AdminUpgradeRequestList> {
    const wanted = {
      'r.status = $': query.status,
      'r.account_id = $': query.user_id,
      ...inPeriod(openPeriod(query), 'r.created_at'),
    };
    const { items, ...page } = await this.upgrades.list(wanted, query);
    return { upgrade_requests: items.map(toAdminUpgradeRequest), ...page };
  }

  async approveUpgradeRequest(call: Call<'approveUpgradeRequest'>): Promise<AdminUpgradeRequest> {
    const { note = null, rate_limits: rateLimits } = call.body ?? {};
    const requestId = call.params.upgrade_request_id;
    const decision = { requestId, note, status: 'approved', rateLimits } as const;
    return toAdminUpgradeRequest(await this.upgrades.decide(by(call, 'approveUpgradeRequest'), decision));
  }

  async rejectUpgradeRequest(call: Call<'rejectUpgradeRequest'>): Promise<AdminUpgradeRequest> {
    const requestId = call.params.upgrade_request_id;
    const decision = { requestId, note: call.body.note, status: 'rejected' } as const;
    return toAdminUpgradeRequest(await this.upgrades.decide(by(call, 'rejectUpgradeRequest'), decision));
  }

  async listAllPayments({ query }: Call<'listAllPayments'>): Promise<AdminPaymentList> {
    const wanted = { accountId: query.user_id ?? null, needsReview: query.needs_review ?? null };
    const { items, ...page } = await this.payments.list(wanted, query);
    return { payments: items.map(toAdminPayment), ...page };
  }

  async getAnyPayment({ params }: Call<'getAnyPayment'>): Promise<AdminPayment> {
    const payment = await this.payments.find(params.payment_id);
    if (payment === null) {
      throw new NotFound('payment');
    }
    return toAdminPayment(payment);
  }

  async resolvePayment(call: Call<'resolvePayment'>): Promise<AdminPayment> {
    const { note, adjust_usd: adjustUsd = 0, expected_version: expectedVersion } = call.body;
    const adjustNanoUsd = exactUsdToNano(adjustUsd, 'adjust_usd');
    const decision = { paymentId: call.params.payment_id, note, expectedVersion, adjustNanoUsd };
    return toAdminPayment(await this.reviews.resolve(by(call, 'resolvePayment'), decision));
  }

  async getWebhooksHealth(): Promise<WebhooksHealth> {
    return this.deliveries.health();
  }

  async listAllWebhooks({ query }: Call<'listAllWebhooks'>): Promise<AdminWebhookList> {
    const { items, total, limit, offset } = await this.webhooks.listOfAll(query);
    return { webhooks: items.map(toAdminWebhook), total, limit, offset };
  }

  /** A webhook that its owner switched off can only be switched on by the owner. */
  async enableWebhook(call: Call<'enableWebhook'>): Promise<AdminWebhook> {
    const reason = call.body?.reason ?? null;
    const audited = by(call, 'enableWebhook');
    const enabled = await this.webhooks.switchOn(call.params.webhook_id, async (manager, webhook) => {
      const { id: subjectId, accountId, disabledReason, failingSince } = webhook;
      const after = { is_active: true };
      if (await this.actions.isDone(manager, audited, { subjectId, reason, after })) {
        return false;
      }
      if (webhook.isActive) {
        throw new Conflict('The webhook is active.');
      }
      if (disabledReason === null) {
        throw new Conflict('Its owner switched the webhook off.');
      }
      const before = { is_active: false, disabled_reason: disabledReason, failing_since: failingSince };
      await this.actions.record(manager, audited, { accountId, subjectId, reason, before, after });
      return true;
    });
    return toAdminWebhook(enabled);
  }

  async listAbandonedDeliveries({ query }: Call<'listAbandonedDeliveries'>): Promise<AdminDeliveryList> {
    const { items, ...page } = await this.deliveries.listAbandoned(query);
    const deliveries = items.map((each) => ({ user_id: each.accountId, delivery: deliveryRecord(each) }));
    return { deliveries, ...page };
  }

  async getCall({ params, query }: Call<'getCall'>): Promise<AdminCall> {
    const { accountId, receipt } = await this.receipt(params.request_id, query.user_id ?? null);
    const { keyId, transactionId } = receipt;
    const account = await this.accounts.get(accountId);
    const key = keyId === null ? null : await this.keys.find(accountId, keyId);
    const transaction = transactionId === null ? null : await this.transactions.get(accountId, transactionId);
    return {
      user: toUserReference(account),
      key: key && {
        ...inSnakeCase(this.keys.asOfNow(key), 'id', 'name', 'isActive'),
        key_value_preview: key.preview,
      },
      receipt: receiptRecord(receipt),
      transactions: transaction === null ? [] : [transactionRecord(transaction)],
    };
  }

  async listAdminActions({ query }: Call<'listAdminActions'>): Promise<AdminActionList> {
    const wanted = {
      'admin_id = $': query.admin_id,
      'operation = $': query.operation,
      'account_id = $': query.user_id,
      ...inPeriod(openPeriod(query)),
    };
    const { items, ...page } = await this.actions.list(wanted, query);
    return { actions: items.map(toAdminAction), ...page };
  }

  private async receipt(requestId: string, accountId: string | null) {
    await this.ledger.show(accountId);
    const found =
      accountId === null
        ? await this.usageLog.receiptOfAnyone(requestId)
        : { accountId, receipt: await this.usageLog.receipt(accountId, requestId) };
    if (found === null || found.receipt === null) {
      throw new NotFound('call');
    }
    return { accountId: found.accountId, receipt: found.receipt };
  }
}

function by(
  { account, requestId, idempotencyId }: CallContext & { account: AccountPrincipal },
  operation: AdminOperation,
): AuditedCall {
  return { adminId: account.id, operation, requestId, idempotencyId };
}

@Module({
  imports: [BillingModule, SupportModule, WebhooksModule],
  controllers: [AdminController],
  providers: [AdminService, UpgradeDecisions],
  exports: [UpgradeDecisions],
})
export class AdminModule {}
