import {
  adminApi,
  type AdminApi,
  type GetUserCall,
  type ListAllPaymentsCall,
  type ListUsersCall,
  type ResolvePaymentCall,
  type UpdateUserCall,
} from '../../../generated/contract';
import type {
  AdminPayment,
  AdminPaymentList,
  AdminUser,
  AdminUserList,
  Reconciliation,
  WebhooksHealth,
} from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { AdminPaymentsService } from './admin-payments.service';
import { toAdminPayment, toAdminUser, toReconciliation, toWebhooksHealth } from './admin.mapper';
import { AdminService } from './admin.service';

@Serves(adminApi)
export class AdminController implements AdminApi {
  constructor(
    private readonly admin: AdminService,
    private readonly payments: AdminPaymentsService,
  ) {}

  async listUsers({ query }: ListUsersCall): Promise<AdminUserList> {
    const { users, total } = await this.admin.list(query);
    return { users: users.map(toAdminUser), total, limit: query.limit, offset: query.offset };
  }

  async getUser({ params }: GetUserCall): Promise<AdminUser> {
    return toAdminUser(await this.admin.get(params.user_id));
  }

  async updateUser({ account, params, body }: UpdateUserCall): Promise<AdminUser> {
    return toAdminUser(await this.admin.update(account.id, params.user_id, body));
  }

  async getReconciliation(): Promise<Reconciliation> {
    return toReconciliation(await this.admin.reconcile());
  }

  async getWebhooksHealth(): Promise<WebhooksHealth> {
    return toWebhooksHealth(await this.admin.webhooksHealth());
  }

  async listAllPayments({ query }: ListAllPaymentsCall): Promise<AdminPaymentList> {
    const { payments, total } = await this.payments.list(query);
    return { payments: payments.map(toAdminPayment), total, limit: query.limit, offset: query.offset };
  }

  async resolvePayment({ account, params, body, requestId }: ResolvePaymentCall): Promise<AdminPayment> {
    return toAdminPayment(await this.payments.resolve(account.id, params.payment_id, body, requestId));
  }
}
