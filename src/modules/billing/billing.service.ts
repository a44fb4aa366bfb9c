import { Injectable } from '@nestjs/common';
import type {
  Balance as BalanceView,
  CreatePaymentRequest,
  GetTransactionStatsQuery,
  ListPaymentsQuery,
  ListTransactionsQuery,
  PaymentMethod as PaymentMethodView,
  TransactionStats,
} from '../../../generated/types';
import { NotFound, Unprocessable } from '../../errors/api-errors';
import { type Balance, type CreditOrder, Ledger } from '../../ledger/ledger';
import { openPeriod } from '../../ledger/period';
import {
  AdminCredits,
  type Transaction,
  Transactions,
  type TransactionType,
  type TransactionTypeTotal,
} from '../../ledger/transactions';
import { exactUsdToNano, nanoToUsd } from '../../ledger/usd';
import { Clock } from '../../runtime/clock';
import { NewPayments } from './new-payments';
import type { Payment } from './payment';
import { type PaymentMethod, PaymentMethods } from './payment-methods';
import { paymentQr, uriOf } from './payment-record';
import { PaymentChecks } from './payment-watch';
import { Payments } from './payments.repository';

export function toBalance({ balanceNanoUsd, reservedNanoUsd }: Balance): BalanceView {
  return {
    balance: nanoToUsd(balanceNanoUsd),
    reserved: nanoToUsd(reservedNanoUsd),
    available: nanoToUsd(balanceNanoUsd - reservedNanoUsd),
  };
}

/** Summed as nano-USD: a sum of rounded USD numbers would not be the ledger's. */
export function toTransactionStats(totals: TransactionTypeTotal[]): TransactionStats {
  const nanoOf = (type: TransactionType): bigint =>
    totals.find((total) => total.type === type)?.amountNanoUsd ?? 0n;
  return {
    total_deposited: nanoToUsd(nanoOf('deposit')),
    total_charged: nanoToUsd(-nanoOf('charge')),
    total_refunded: nanoToUsd(nanoOf('refund')),
    total_adjusted: nanoToUsd(nanoOf('adjustment')),
    total_bonus: nanoToUsd(nanoOf('bonus')),
    net: nanoToUsd(totals.reduce((sum, total) => sum + total.amountNanoUsd, 0n)),
    count: totals.reduce((sum, total) => sum + total.count, 0),
    by_type: totals.map(({ type, count, amountNanoUsd }) => ({
      type,
      count,
      amount: nanoToUsd(amountNanoUsd),
    })),
  };
}

const COIN_NAMES = { BTC: 'Bitcoin', ETH: 'Ether', SOL: 'Solana' };

export function toPaymentMethod(method: PaymentMethod): PaymentMethodView {
  return {
    currency: method.currency,
    name: COIN_NAMES[method.currency],
    network: method.network,
    is_sandbox: method.isSandbox,
    minimum_usd: nanoToUsd(method.minimumNanoUsd),
    maximum_usd: nanoToUsd(method.maximumNanoUsd),
    confirmations: method.confirmations,
    expiry_minutes: method.expiryMinutes,
    available: method.unavailableReason === null,
    unavailable_reason: method.unavailableReason,
    rate: method.rateNanoUsd === null ? null : nanoToUsd(method.rateNanoUsd),
  };
}

/** As long as an Idempotency-Key is remembered; after that the same key means another call. */
const RETRIED_FOR_MS = 24 * 60 * 60 * 1000;

export interface CreditFields {
  adminId: string;
  accountId: string;
  amountUsd: number;
  reason: string;
  requestId: string;
  /** The same for every try of one call; null where the caller sent no Idempotency-Key. */
  idempotencyId: string | null;
}

/** The balance of an account, and the transactions that made it. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly ledger: Ledger,
    private readonly transactions: Transactions,
    private readonly credits: AdminCredits,
    private readonly clock: Clock,
  ) {}

  async balance(accountId: string): Promise<Balance> {
    return this.ledger.balance(accountId);
  }

  /**
   * Adds credit and returns its transaction. A retry with the same Idempotency-Key gets the transaction of the first
   * try, even when that one died before it could store its answer.
   * @throws NotFound for an unknown account, Unprocessable for an amount that the ledger cannot hold
   */
  async addCredits(fields: CreditFields): Promise<Transaction> {
    const amountNanoUsd = exactUsdToNano(fields.amountUsd, 'amount_usd');
    const reference = fields.idempotencyId && `credit:${fields.idempotencyId}`;
    const earlier = reference && (await this.transactions.newestDeposit(fields.accountId, reference));
    const now = this.clock.now();
    if (earlier && now.getTime() - earlier.createdAt.getTime() < RETRIED_FOR_MS) {
      return sameCredit(earlier, amountNanoUsd, fields.reason);
    }
    const operation = 'addCredits';
    const order: CreditOrder = {
      accountId: fields.accountId,
      type: 'deposit',
      amountNanoUsd,
      description: fields.reason,
      // A key that is used anew after it was forgotten asks for another credit. With the plain reference the ledger
      // would take it for the earlier one and give nothing.
      referenceId: earlier ? `${reference}:${earlier.id}` : reference,
      requestId: fields.requestId,
      now,
      operation,
    };
    const { adminId, requestId, idempotencyId } = fields;
    const credited = await this.credits.give(order, { adminId, operation, requestId, idempotencyId });
    if (credited === null) {
      throw new NotFound('user');
    }
    return sameCredit(credited, amountNanoUsd, fields.reason);
  }

  /** @throws Unprocessable when the period would end before it starts */
  async list(
    accountId: string,
    query: ListTransactionsQuery,
  ): Promise<{ transactions: Transaction[]; total: number }> {
    return this.transactions.list({ accountId, period: openPeriod(query), type: query.type }, query);
  }

  /** @throws NotFound */
  async get(accountId: string, id: string): Promise<Transaction> {
    return this.transactions.get(accountId, id);
  }

  /** @throws Unprocessable when the period would end before it starts */
  async totals(accountId: string, query: GetTransactionStatsQuery): Promise<TransactionTypeTotal[]> {
    return this.transactions.totals({ accountId, period: openPeriod(query) });
  }
}

/**
 * A call that failed after it gave its credit has freed its Idempotency-Key. A next call with that key that asks for
 * another amount or reason is a different request, and must not be answered with the earlier credit.
 */
function sameCredit(credited: Transaction, amountNanoUsd: bigint, reason: string): Transaction {
  if (credited.amountNanoUsd !== amountNanoUsd || credited.description !== reason) {
    throw new Unprocessable('This Idempotency-Key was used for another request.');
  }
  return credited;
}

/** Credit that an account buys with a cryptocurrency. */
@Injectable()
export class CryptoPaymentsService {
  constructor(
    private readonly payments: Payments,
    private readonly newPayments: NewPayments,
    private readonly checks: PaymentChecks,
    private readonly paymentMethods: PaymentMethods,
  ) {}

  methods(): Promise<PaymentMethod[]> {
    return this.paymentMethods.list();
  }

  /** @throws Unprocessable, Conflict, PaymentUnavailable */
  create(
    accountId: string,
    { amount_usd, currency }: CreatePaymentRequest,
    call: { requestId: string; idempotencyId: string | null },
  ): Promise<Payment> {
    const amountNanoUsd = exactUsdToNano(amount_usd, 'amount_usd');
    return this.newPayments.create({
      accountId,
      currency,
      amountNanoUsd,
      ...call,
      operation: 'createPayment',
    });
  }

  /** @throws Unprocessable when the period would end before it starts */
  list(accountId: string, query: ListPaymentsQuery): Promise<{ payments: Payment[]; total: number }> {
    const { start, end } = openPeriod(query);
    return this.payments.list(
      {
        accountId,
        status: query.status ?? null,
        currency: query.currency ?? null,
        needsReview: null,
        createdFrom: start,
        createdBefore: end,
      },
      query,
    );
  }

  /** @throws NotFound */
  get(accountId: string, id: string): Promise<Payment> {
    return this.payments.get(accountId, id);
  }

  /** @throws NotFound, Conflict, PaymentUnavailable */
  confirm(accountId: string, id: string): Promise<Payment> {
    return this.checks.confirm(accountId, id);
  }

  /** The payment's URI as an SVG image. @throws NotFound */
  async qr(accountId: string, id: string): Promise<string> {
    return paymentQr(uriOf(await this.payments.get(accountId, id)));
  }
}
