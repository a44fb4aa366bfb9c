import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import {
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
  paymentsApi,
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
import { Serves } from '../../contract/serves';
import { transactionRecord } from '../../ledger/transactions';
import { ChainWatches, PaymentMetrics } from './billing.metrics';
import {
  CryptoPaymentsService,
  PaymentsService,
  toBalance,
  toPaymentMethod,
  toTransactionStats,
} from './billing.service';
import { NewPayments } from './new-payments';
import { NetworkCheck } from './payment-chains';
import { PaymentEvents } from './payment-events';
import { PaymentMethods } from './payment-methods';
import { paymentRecord } from './payment-record';
import { PaymentReviews } from './payment-reviews';
import { DesertedPayments, PaymentSettlement } from './payment-settlement';
import { PAYMENT_QUEUE, PaymentChecks, PaymentQueue, PaymentWatch } from './payment-watch';
import { Payments } from './payments.repository';
import { PaymentQuotes, PriceSources } from './price-sources';

@Serves(paymentsApi)
class PaymentsController implements PaymentsApi {
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

const SERVICES = [
  ChainWatches,
  DesertedPayments,
  NetworkCheck,
  NewPayments,
  PaymentChecks,
  PaymentEvents,
  PaymentMethods,
  PaymentMetrics,
  PaymentQueue,
  PaymentQuotes,
  PaymentReviews,
  Payments,
  PaymentSettlement,
  PaymentWatch,
  PriceSources,
];

/** The balance, and the payments that buy credit. What looks at the chains is PaymentWorkersModule. */
@Module({
  imports: [BullModule.registerQueue({ name: PAYMENT_QUEUE })],
  controllers: [PaymentsController],
  providers: [...SERVICES, CryptoPaymentsService, PaymentsService],
  exports: SERVICES,
})
export class BillingModule {}
