import { Injectable, Module } from '@nestjs/common';
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
  ListAllPaymentsQuery,
  Reconciliation,
  ResolvePaymentRequest,
  WebhooksHealth,
} from '../../../generated/types';
import type { AccountPrincipal } from '../../accounts/accounts';
import type { AdminOperation, AuditedCall } from '../../accounts/admin-actions';
import type { CallContext } from '../../contract/operation';
import { Serves } from '../../contract/serves';
import { NotFound } from '../../errors/api-errors';
import { openPeriod } from '../../ledger/period';
import { exactUsdToNano } from '../../ledger/usd';
import { BillingModule } from '../billing/billing';
import type { Payment } from '../billing/payment';
import { PaymentReviews } from '../billing/payment-reviews';
import { Payments } from '../billing/payments.repository';
import { SupportModule } from '../support/support';
import { WebhooksModule } from '../webhooks/webhooks';
import {
  AdminRecordsService,
  AdminWebhooksService,
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

/** The payments of all accounts, and the decisions about those that a person has to look at. */
@Injectable()
class AdminPaymentsService {
  constructor(
    private readonly payments: Payments,
    private readonly reviews: PaymentReviews,
  ) {}

  /** @throws Unprocessable when the period would end before it starts */
  list(query: ListAllPaymentsQuery): Promise<{ payments: Payment[]; total: number }> {
    const { start, end } = openPeriod(query);
    return this.payments.list(
      {
        accountId: query.user_id ?? null,
        status: query.status ?? null,
        currency: query.currency ?? null,
        needsReview: query.needs_review ?? null,
        createdFrom: start,
        createdBefore: end,
      },
      query,
    );
  }

  /** @throws NotFound */
  async get(paymentId: string): Promise<Payment> {
    const payment = await this.payments.find(paymentId);
    if (payment === null) {
      throw new NotFound('payment');
    }
    return payment;
  }

  /** @throws NotFound, Conflict, Unprocessable */
  resolve(
    call: AuditedCall,
    paymentId: string,
    { note, adjust_usd, expected_version: expectedVersion }: ResolvePaymentRequest,
  ): Promise<Payment> {
    const adjustNanoUsd = exactUsdToNano(adjust_usd ?? 0, 'adjust_usd');
    return this.reviews.resolve(call, { paymentId, note, expectedVersion, adjustNanoUsd });
  }
}

@Serves(adminApi)
class AdminController implements AdminApi {
  constructor(
    private readonly admin: AdminService,
    private readonly payments: AdminPaymentsService,
    private readonly upgrades: AdminUpgradesService,
    private readonly webhooks: AdminWebhooksService,
    private readonly records: AdminRecordsService,
  ) {}

  async listUsers({ query }: ListUsersCall): Promise<AdminUserList> {
    const { users, total } = await this.admin.list(query);
    return { users: users.map(toAdminUser), total, limit: query.limit, offset: query.offset };
  }

  async getUser({ params }: GetUserCall): Promise<AdminUserDetails> {
    return toAdminUserDetails(await this.admin.get(params.user_id));
  }

  async updateUser(call: UpdateUserCall): Promise<AdminUser> {
    return toAdminUser(await this.admin.update(by(call, 'updateUser'), call.params.user_id, call.body));
  }

  async getReconciliation(): Promise<Reconciliation> {
    return toReconciliation(await this.admin.reconcile());
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
    const { payments, total } = await this.payments.list(query);
    return { payments: payments.map(toAdminPayment), total, limit: query.limit, offset: query.offset };
  }

  async getAnyPayment({ params }: GetAnyPaymentCall): Promise<AdminPayment> {
    return toAdminPayment(await this.payments.get(params.payment_id));
  }

  async resolvePayment(call: ResolvePaymentCall): Promise<AdminPayment> {
    const { payment_id: id } = call.params;
    return toAdminPayment(await this.payments.resolve(by(call, 'resolvePayment'), id, call.body));
  }

  async getWebhooksHealth(): Promise<WebhooksHealth> {
    return toWebhooksHealth(await this.webhooks.health());
  }

  async listAllWebhooks({ query }: ListAllWebhooksCall): Promise<AdminWebhookList> {
    const { webhooks, total } = await this.webhooks.list(query);
    return { webhooks: webhooks.map(toAdminWebhook), total, limit: query.limit, offset: query.offset };
  }

  async enableWebhook(call: EnableWebhookCall): Promise<AdminWebhook> {
    const reason = call.body?.reason ?? null;
    return toAdminWebhook(
      await this.webhooks.enable(by(call, 'enableWebhook'), call.params.webhook_id, reason),
    );
  }

  async listAbandonedDeliveries({ query }: ListAbandonedDeliveriesCall): Promise<AdminDeliveryList> {
    const { deliveries, total } = await this.webhooks.listAbandoned(query);
    const { limit, offset } = query;
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
    AdminPaymentsService,
    AdminRecordsService,
    AdminService,
    AdminUpgradesService,
    AdminWebhooksService,
    UpgradeDecisions,
  ],
})
export class AdminModule {}
