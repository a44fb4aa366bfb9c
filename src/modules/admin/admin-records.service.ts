import { Injectable } from '@nestjs/common';
import type { ListAdminActionsQuery } from '../../../generated/types';
import type { AccessKey } from '../../core/access/access-keys/access-key.entity';
import { AccessKeys } from '../../core/access/access-keys/access-keys.repository';
import type { Account } from '../../core/access/accounts/account.entity';
import { Accounts } from '../../core/access/accounts/accounts.repository';
import { AdminActions, type AdminAction } from '../../core/access/admin-actions/admin-actions.repository';
import { NotFound } from '../../core/errors/request-errors';
import { Transactions, type Transaction } from '../../core/money/ledger/transactions.repository';
import { openPeriod } from '../../core/money/usage/period';
import { UsageLog, type Receipt } from '../../core/money/usage/usage-log.repository';

/** A call with all that it left behind. */
export interface CallStory {
  account: Account;
  /** Null where the call had no key, or the key was deleted since. */
  key: AccessKey | null;
  receipt: Receipt;
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
  ): Promise<{ accountId: string; receipt: Receipt }> {
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
