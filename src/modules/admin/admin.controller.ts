import {
  adminApi,
  type AdminApi,
  type GetUserCall,
  type ListUsersCall,
  type UpdateUserCall,
} from '../../../generated/contract';
import type { AdminUser, AdminUserList, Reconciliation, WebhooksHealth } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { toAdminUser, toReconciliation, toWebhooksHealth } from './admin.mapper';
import { AdminService } from './admin.service';

@Serves(adminApi)
export class AdminController implements AdminApi {
  constructor(private readonly admin: AdminService) {}

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
}
