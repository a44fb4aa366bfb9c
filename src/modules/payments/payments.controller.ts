import {
  paymentsApi,
  type AddCreditsCall,
  type GetBalanceCall,
  type GetTransactionCall,
  type GetTransactionStatsCall,
  type ListTransactionsCall,
  type PaymentsApi,
} from '../../../generated/contract';
import type { Balance, Transaction, TransactionList, TransactionStats } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { toBalance, toTransaction, toTransactionStats } from './payments.mapper';
import { PaymentsService } from './payments.service';

@Serves(paymentsApi)
export class PaymentsController implements PaymentsApi {
  constructor(private readonly payments: PaymentsService) {}

  async getBalance({ account }: GetBalanceCall): Promise<Balance> {
    return toBalance(await this.payments.balance(account.id));
  }

  async addCredits({ body, requestId, idempotencyId }: AddCreditsCall): Promise<Transaction> {
    const credit = { accountId: body.user_id, amountUsd: body.amount_usd, reason: body.reason };
    return toTransaction(await this.payments.addCredits({ ...credit, requestId, idempotencyId }));
  }

  async listTransactions({ account, query }: ListTransactionsCall): Promise<TransactionList> {
    const { transactions, total } = await this.payments.list(account.id, query);
    const { limit, offset } = query;
    return { transactions: transactions.map(toTransaction), total, limit, offset };
  }

  async getTransactionStats({ account, query }: GetTransactionStatsCall): Promise<TransactionStats> {
    return toTransactionStats(await this.payments.totals(account.id, query));
  }

  async getTransaction({ account, params }: GetTransactionCall): Promise<Transaction> {
    return toTransaction(await this.payments.get(account.id, params.id));
  }
}
