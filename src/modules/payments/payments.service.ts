import { Injectable } from '@nestjs/common';
import type { GetTransactionStatsQuery, ListTransactionsQuery } from '../../../generated/types';
import { openPeriod } from '../../core/money/usage/period';
import { NotFound, Unprocessable } from '../../core/errors/request-errors';
import { AdminCredits } from '../../core/money/ledger/admin-credits';
import { Ledger, type Balance, type CreditOrder } from '../../core/money/ledger/ledger';
import {
  Transactions,
  type Transaction,
  type TransactionTypeTotal,
} from '../../core/money/ledger/transactions.repository';
import { exactUsdToNano } from '../../core/money/pricing/usd';
import { Clock } from '../../infrastructure/clock/clock';

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
