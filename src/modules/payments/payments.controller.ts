import {
  paymentsApi,
  type AddCreditsCall,
  type ConfirmPaymentCall,
  type CreatePaymentCall,
  type GetBalanceCall,
  type GetPaymentCall,
  type GetPaymentQrCall,
  type GetTransactionCall,
  type GetTransactionStatsCall,
  type ListPaymentsCall,
  type ListTransactionsCall,
  type PaymentsApi,
} from '../../../generated/contract';
import type {
  Balance,
  Payment,
  PaymentList,
  PaymentMethodList,
  Transaction,
  TransactionList,
  TransactionStats,
} from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { transactionRecord } from '../../core/money/ledger/transaction-record';
import { paymentRecord } from '../../core/money/payments/payment-record';
import { CryptoPaymentsService } from './crypto-payments.service';
import { toBalance, toPaymentMethod, toTransactionStats } from './payments.mapper';
import { PaymentsService } from './payments.service';

@Serves(paymentsApi)
export class PaymentsController implements PaymentsApi {
  constructor(
    private readonly payments: PaymentsService,
    private readonly crypto: CryptoPaymentsService,
  ) {}

  async getBalance({ account }: GetBalanceCall): Promise<Balance> {
    return toBalance(await this.payments.balance(account.id));
  }

  async addCredits({ account, body, requestId, idempotencyId }: AddCreditsCall): Promise<Transaction> {
    const credit = { accountId: body.user_id, amountUsd: body.amount_usd, reason: body.reason };
    const call = { adminId: account.id, requestId, idempotencyId };
    return transactionRecord(await this.payments.addCredits({ ...credit, ...call }));
  }

  async listTransactions({ account, query }: ListTransactionsCall): Promise<TransactionList> {
    const { transactions, total } = await this.payments.list(account.id, query);
    const { limit, offset } = query;
    return { transactions: transactions.map(transactionRecord), total, limit, offset };
  }

  async getTransactionStats({ account, query }: GetTransactionStatsCall): Promise<TransactionStats> {
    return toTransactionStats(await this.payments.totals(account.id, query));
  }

  async getTransaction({ account, params }: GetTransactionCall): Promise<Transaction> {
    return transactionRecord(await this.payments.get(account.id, params.id));
  }

  async listPaymentMethods(): Promise<PaymentMethodList> {
    return { methods: (await this.crypto.methods()).map(toPaymentMethod) };
  }

  async createPayment({ account, body, requestId, idempotencyId }: CreatePaymentCall): Promise<Payment> {
    return paymentRecord(await this.crypto.create(account.id, body, { requestId, idempotencyId }));
  }

  async listPayments({ account, query }: ListPaymentsCall): Promise<PaymentList> {
    const { payments, total } = await this.crypto.list(account.id, query);
    return { payments: payments.map(paymentRecord), total, limit: query.limit, offset: query.offset };
  }

  async getPayment({ account, params }: GetPaymentCall): Promise<Payment> {
    return paymentRecord(await this.crypto.get(account.id, params.payment_id));
  }

  async confirmPayment({ account, params }: ConfirmPaymentCall): Promise<Payment> {
    return paymentRecord(await this.crypto.confirm(account.id, params.payment_id));
  }

  async getPaymentQr({ account, params }: GetPaymentQrCall): Promise<string> {
    return this.crypto.qr(account.id, params.payment_id);
  }
}
