import { accountApi, type AccountApi, type GetAccountLimitsCall } from '../../../generated/contract';
import type { AccountLimits } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { toAccountLimits } from './account.mapper';
import { AccountService } from './account.service';

@Serves(accountApi)
export class AccountController implements AccountApi {
  constructor(private readonly accounts: AccountService) {}

  async getAccountLimits({ account }: GetAccountLimitsCall): Promise<AccountLimits> {
    return toAccountLimits(await this.accounts.limits(account.id));
  }
}
