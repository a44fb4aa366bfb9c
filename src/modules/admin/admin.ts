import { Module } from '@nestjs/common';
import {
  adminApi,
  type AdminApi,
  type ApproveUpgradeRequestCall,
  type EnableWebhookCall,
  type GetAnyPaymentCall,
  type GetCallCall,
  type GetUserCall,
  type ListAbandonedDeliveriesCall,
  type ListAdminActionsCall,
  type ListAllPaymentsCall,
  type ListAllWebhooksCall,
  type ListUpgradeRequestsCall,
  type ListUsersCall,
  type RejectUpgradeRequestCall,
  type ResolvePaymentCall,
  type UpdateUserCall,
} from '../../../generated/contract';
import type {
  AdminActionList,
  AdminCall as AdminCallView,
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
  Reconciliation,
  WebhooksHealth,
} from '../../../generated/types';
import { type AccountPrincipal, Accounts } from '../../accounts/accounts';
import type { AdminOperation, AuditedCall } from '../../accounts/admin-actions';
import type { CallContext } from '../../contract/operation';
import { Serves } from '../../contract/serves';
import { NotFound } from '../../errors/api-errors';
import { openPeriod } from '../../ledger/period';
import { exactUsdToNano } from '../../ledger/usd';
import { BillingModule } from '../billing/billing';
import { PaymentReviews } from '../billing/payment-reviews';
import { Payments } from '../billing/payments.repository';
import { SupportModule } from '../support/support';
import { WebhooksModule } from '../webhooks/webhooks';
import {
  AdminRecordsService,
  SwitchedOffWebhooks,
  toAdminAction,
  toAdminCall,
  toAdminDelivery,
  toAdminWebhook,
  toWebhooksHealth,
} from './admin-records';
import { AccountSummaries, AdminService, AdminUpgradesService } from './admin-users';
import {
  toAdminPayment,
  toAdminUpgradeRequest,
  toAdminUser,
  toAdminUserDetails,
  toReconciliation,
} from './admin-views';
import { UpgradeDecisions } from './upgrade-decisions';
import { ReconciliationRepository } from '../../ledger/reconciliation';
import { Webhooks } from '../webhooks/webhooks.repository';
import { Deliveries } from '../webhooks/deliveries.repository';
import { WebhooksHealthRepository } from '../webhooks/webhooks-health';

@Serves(adminApi)
class AdminController implements AdminApi {
  constructor(
    private readonly admin: AdminService,
    private readonly accounts: Accounts,
    private readonly summaries: AccountSummaries,
    private readonly reconciliation: ReconciliationRepository,
    private readonly payments: Payments,
    private readonly reviews: PaymentReviews,
    private readonly upgrades: AdminUpgradesService,
    private readonly webhooks: Webhooks,
    private readonly deliveries: Deliveries,
    private readonly health: WebhooksHealthRepository,
    private readonly switching: SwitchedOffWebhooks,
    private readonly records: AdminRecordsService,
  ) {}

  async listUsers({ query }: ListUsersCall): Promise<AdminUserList> {
    const { users, total } = await this.admin.list(query);
    return { users: users.map(toAdminUser), total, limit: query.limit, offset: query.offset };
  }

  async getUser({ params }: GetUserCall): Promise<AdminUserDetails> {
    return toAdminUserDetails(await this.summaries.of(await this.accounts.get(params.user_id)));
  }

  async updateUser(call: UpdateUserCall): Promise<AdminUser> {
    return toAdminUser(await this.admin.update(by(call, 'updateUser'), call.params.user_id, call.body));
  }

  async getReconciliation(): Promise<Reconciliation> {
    return toReconciliation(await this.reconciliation.reconcile());
  }

  async listUpgradeRequests({ query }: ListUpgradeRequestsCall): Promise<AdminUpgradeRequestList> {
    const { requests, total } = await this.upgrades.list(query);
    const { limit, offset } = query;
    return { upgrade_requests: requests.map(toAdminUpgradeRequest), total, limit, offset };
  }

  async approveUpgradeRequest(call: ApproveUpgradeRequestCall): Promise<AdminUpgradeRequest> {
    const { upgrade_request_id: id } = call.params;
    return toAdminUpgradeRequest(
      await this.upgrades.approve(by(call, 'approveUpgradeRequest'), id, call.body ?? {}),
    );
  }

  async rejectUpgradeRequest(call: RejectUpgradeRequestCall): Promise<AdminUpgradeRequest> {
    const { upgrade_request_id: id } = call.params;
    return toAdminUpgradeRequest(await this.upgrades.reject(by(call, 'rejectUpgradeRequest'), id, call.body));
  }

  async listAllPayments({ query }: ListAllPaymentsCall): Promise<AdminPaymentList> {
    const { start, end } = openPeriod(query);
    const filter = {
      accountId: query.user_id ?? null,
      status: query.status ?? null,
      currency: query.currency ?? null,
      needsReview: query.needs_review ?? null,
      createdFrom: start,
      createdBefore: end,
    };
    const { payments, total } = await this.payments.list(filter, query);
    return { payments: payments.map(toAdminPayment), total, limit: query.limit, offset: query.offset };
  }

  async getAnyPayment({ params }: GetAnyPaymentCall): Promise<AdminPayment> {
    const payment = await this.payments.find(params.payment_id);
    if (payment === null) {
      throw new NotFound('payment');
    }
    return toAdminPayment(payment);
  }

  async resolvePayment(call: ResolvePaymentCall): Promise<AdminPayment> {
    const { note, adjust_usd: adjustUsd = 0, expected_version: expectedVersion } = call.body;
    const adjustNanoUsd = exactUsdToNano(adjustUsd, 'adjust_usd');
    const decision = { paymentId: call.params.payment_id, note, expectedVersion, adjustNanoUsd };
    return toAdminPayment(await this.reviews.resolve(by(call, 'resolvePayment'), decision));
  }

  async getWebhooksHealth(): Promise<WebhooksHealth> {
    return toWebhooksHealth(await this.health.read());
  }

  async listAllWebhooks({ query }: ListAllWebhooksCall): Promise<AdminWebhookList> {
    const { status, user_id: accountId } = query;
    const wanted = { ...query, ...openPeriod(query) };
    const { items, total, limit, offset } = await this.webhooks.listOfAll(wanted, { accountId, status });
    return { webhooks: items.map(toAdminWebhook), total, limit, offset };
  }

  async enableWebhook(call: EnableWebhookCall): Promise<AdminWebhook> {
    const reason = call.body?.reason ?? null;
    return toAdminWebhook(
      await this.switching.enable(by(call, 'enableWebhook'), call.params.webhook_id, reason),
    );
  }

  async listAbandonedDeliveries({ query }: ListAbandonedDeliveriesCall): Promise<AdminDeliveryList> {
    const { start, end } = openPeriod(query);
    const { user_id: accountId = null, webhook_id: webhookId = null, limit, offset } = query;
    const filter = { accountId, webhookId, abandonedFrom: start, abandonedBefore: end };
    const { deliveries, total } = await this.deliveries.listAbandoned(filter, query);
    return { deliveries: deliveries.map(toAdminDelivery), total, limit, offset };
  }

  async getCall({ params, query }: GetCallCall): Promise<AdminCallView> {
    return toAdminCall(await this.records.call(params.request_id, query.user_id ?? null));
  }

  async listAdminActions({ query }: ListAdminActionsCall): Promise<AdminActionList> {
    const { actions, total } = await this.records.actions(query);
    return { actions: actions.map(toAdminAction), total, limit: query.limit, offset: query.offset };
  }
}

/** Who does something by which call. */
function by(
  { account, requestId, idempotencyId }: CallContext & { account: AccountPrincipal },
  operation: AdminOperation,
): AuditedCall {
  return { adminId: account.id, operation, requestId, idempotencyId };
}

/** The operators' view of all features, and so the one module that knows the others. */
@Module({
  imports: [BillingModule, SupportModule, WebhooksModule],
  controllers: [AdminController],
  providers: [
    AccountSummaries,
    AdminRecordsService,
    AdminService,
    AdminUpgradesService,
    SwitchedOffWebhooks,
    UpgradeDecisions,
  ],
})
export class AdminModule {}
