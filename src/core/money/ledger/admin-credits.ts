import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AdminActions, type AdminCall } from '../../access/admin-actions/admin-actions.repository';
import { nanoToUsd } from '../pricing/usd';
import { Ledger, type CreditOrder } from './ledger';
import { Transactions, type Transaction } from './transactions.repository';

/** Credit that an admin gives by hand. */
@Injectable()
export class AdminCredits {
  constructor(
    private readonly database: DataSource,
    private readonly ledger: Ledger,
    private readonly transactions: Transactions,
    private readonly actions: AdminActions,
  ) {}

  /**
   * Gives the credit once for each reference, and notes in the same transaction who gave it.
   * @returns the credit's entry, also where an earlier call wrote it; null where the account does not exist
   */
  async give(order: CreditOrder, call: AdminCall): Promise<Transaction | null> {
    return this.database.transaction(async (manager) => {
      const entryId = await this.ledger.creditWithin(manager, order);
      if (entryId === null) {
        return null;
      }
      const credited = await this.transactions.get(order.accountId, entryId, manager);
      // An entry of another call was noted by that one.
      if (credited.requestId === call.requestId) {
        await this.actions.record(manager, call, changeOf(order.accountId, credited));
      }
      return credited;
    });
  }
}

function changeOf(accountId: string, { id, amountNanoUsd, balanceAfterNanoUsd, description }: Transaction) {
  return {
    accountId,
    subjectId: id,
    reason: description,
    before: { balance: nanoToUsd(balanceAfterNanoUsd - amountNanoUsd) },
    after: { balance: nanoToUsd(balanceAfterNanoUsd), amount_usd: nanoToUsd(amountNanoUsd) },
  };
}
