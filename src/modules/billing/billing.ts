import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { type Call, paymentsApi, type PaymentsApi } from '../../../generated/contract';
import type {
  Balance as BalanceView,
  Payment as PaymentView,
  PaymentList,
  PaymentMethodList,
  Transaction as TransactionView,
  TransactionList,
  TransactionStats,
} from '../../../generated/types';
import { RETRIED_FOR_MS } from '../../accounts/account-rows';
import { BinaryAnswer, Serves } from '../../contract/operation';
import { Conflict, IdempotencyKeyUsed, NotFound, ServiceUnavailable } from '../../errors/api-errors';
import { type Balance, type CreditOrder, Ledger } from '../../ledger/ledger';
import { openPeriod } from '../../ledger/period';
import type { TransactionType } from '../../ledger/period-sums';
import {
  AdminCredits,
  csvOf,
  CSV_HEAD,
  type Transaction,
  transactionRecord,
  Transactions,
  type TransactionTypeTotal,
} from '../../ledger/transactions';
import { exactUsdToNano, nanoToUsd } from '../../ledger/money';
import { Clock, DAY_MS } from '../../runtime/clock';
import { NewPayments } from './new-payments';
import { PaymentEvents, paymentQr, paymentRecord, uriOf } from './payment-record';
import { PaymentReviews } from './payment-reviews';
import { PaymentSettlement } from './payment-settlement';
import { ChainWatches, PaymentMetrics, PaymentWatch } from './payment-watch';
import { Payments } from './payments.repository';
import { PriceSources } from './price-sources';
import { timed } from '../../work/timers';
import { CURRENCIES } from './payment-chain';

function balanceRecord({ balanceNanoUsd, reservedNanoUsd }: Balance) {
  return {
    balance: nanoToUsd(balanceNanoUsd),
    reserved: nanoToUsd(reservedNanoUsd),
    available: nanoToUsd(balanceNanoUsd - reservedNanoUsd),
  };
}

/** Summed as nano-USD, because rounded USD would not add up to the ledger's sum. */
function toTransactionStats(totals: TransactionTypeTotal[]): TransactionStats {
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

export interface CreditFields {
  adminId: string;
  accountId: string;
  amountUsd: number;
  reason: string;
  requestId: string;
  /** The same for every try of one call; null where the caller sent no Idempotency-Key. */
  idempotencyId: string | null;
}

@Injectable()
export class CreditAdditions {
  constructor(
    private readonly transactions: Transactions,
    private readonly credits: AdminCredits,
    private readonly clock: Clock,
  ) {}

  /** A retry with the same Idempotency-Key gets the first try's transaction, even when that died before answering. */
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
      // A key reused after it was forgotten asks for another credit, which the plain reference would refuse.
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
}

/** A failed call frees its key after giving credit: another amount or reason is a different request. */
function sameCredit(credited: Transaction, amountNanoUsd: bigint, reason: string): Transaction {
  if (credited.amountNanoUsd !== amountNanoUsd || credited.description !== reason) {
    throw new IdempotencyKeyUsed();
  }
  return credited;
}

const LOOKED_EVERY_MS = 2_000;
const COMMENT_EVERY_LOOKS = 7;
const STREAMS_MAX = { account: 5, process: 500 };
const PAYMENTS_MAX = 20;

const HEAD = {
  status: 200,
  headers: {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  },
};
const COMMENT = new TextEncoder().encode(': \n\n');

/** New connections get the whole state, so that nothing is missed. */
@Injectable()
export class PaymentStreams implements OnModuleDestroy {
  private readonly open = new Map<string, number>();
  private count = 0;
  private isClosing = false;

  constructor(
    private readonly ledger: Ledger,
    private readonly payments: Payments,
    private readonly clock: Clock,
  ) {}

  watch(accountId: string, seconds: number): BinaryAnswer {
    return new BinaryAnswer(HEAD, (signal) => this.events(accountId, seconds * 1000, signal));
  }

  private async *events(accountId: string, lastsMs: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    if ((this.open.get(accountId) ?? 0) >= STREAMS_MAX.account) {
      throw new Conflict(`An account watches by at most ${STREAMS_MAX.account} streams at once.`);
    }
    if (this.count >= STREAMS_MAX.process) {
      throw new ServiceUnavailable('Too many streams are open; call again.', 5);
    }
    const endsMs = performance.now() + lastsMs;
    this.add(accountId, 1);
    try {
      const sent = new Map<string, string>();
      for (let looks = 1; ; looks += 1) {
        const changes = await this.changed(accountId, sent);
        if (changes !== '') {
          yield new TextEncoder().encode(changes);
        } else if (looks % COMMENT_EVERY_LOOKS === 0) {
          yield COMMENT;
        }
        if (performance.now() >= endsMs || !(await this.goesOn(signal))) {
          return;
        }
      }
    } finally {
      this.add(accountId, -1);
    }
  }

  /** A shutdown ends streams early instead of waiting minutes; browsers reconnect elsewhere. */
  onModuleDestroy(): void {
    this.isClosing = true;
  }

  private async goesOn(signal: AbortSignal): Promise<boolean> {
    await delay(LOOKED_EVERY_MS, undefined, { signal }).catch(() => undefined);
    return !signal.aborted && !this.isClosing;
  }

  private async changed(accountId: string, sent: Map<string, string>): Promise<string> {
    const balance = balanceRecord(await this.ledger.balance(accountId));
    const since = new Date(this.clock.now().getTime() - DAY_MS);
    const payments = await this.payments.recent(accountId, since, PAYMENTS_MAX);
    const states = [
      { event: 'balance', key: 'balance', data: JSON.stringify(balance) },
      ...payments.map((payment) => ({
        event: 'payment',
        key: payment.id,
        data: JSON.stringify(paymentRecord(payment)),
      })),
    ];
    const unsent = states.filter(({ key, data }) => sent.get(key) !== data);
    unsent.forEach(({ key, data }) => sent.set(key, data));
    return unsent.map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`).join('');
  }

  private add(accountId: string, change: 1 | -1): void {
    this.count += change;
    const left = (this.open.get(accountId) ?? 0) + change;
    if (left === 0) {
      this.open.delete(accountId);
    } else {
      this.open.set(accountId, left);
    }
  }
}

@Serves(paymentsApi)
class PaymentsController implements PaymentsApi {
  constructor(
    private readonly ledger: Ledger,
    private readonly transactions: Transactions,
    private readonly credits: CreditAdditions,
    private readonly payments: Payments,
    private readonly newPayments: NewPayments,
    private readonly watch: PaymentWatch,
    private readonly streams: PaymentStreams,
  ) {}

  async getBalance({ account }: Call<'getBalance'>): Promise<BalanceView> {
    return balanceRecord(await this.ledger.balance(account.id));
  }

  async addCredits({ account, body, ...call }: Call<'addCredits'>): Promise<TransactionView> {
    const { requestId, idempotencyId } = call;
    const { user_id: accountId, amount_usd: amountUsd, reason } = body;
    const credit = { adminId: account.id, accountId, amountUsd, reason, requestId, idempotencyId };
    return transactionRecord(await this.credits.addCredits(credit));
  }

  async listTransactions({ account, query }: Call<'listTransactions'>): Promise<TransactionList> {
    const asked = { accountId: account.id, period: openPeriod(query), type: query.type };
    const { transactions, total } = await this.transactions.list(asked, query);
    const { limit, offset } = query;
    return { transactions: transactions.map(transactionRecord), total, limit, offset };
  }

  async exportTransactions({ account, query }: Call<'exportTransactions'>): Promise<BinaryAnswer> {
    const asked = { accountId: account.id, period: openPeriod(query), type: query.type };
    return Promise.resolve(new BinaryAnswer(CSV_HEAD, () => csvOf(this.transactions.pages(asked))));
  }

  async watchPayments({ account, query }: Call<'watchPayments'>): Promise<BinaryAnswer> {
    return Promise.resolve(this.streams.watch(account.id, query.seconds));
  }

  async getTransactionStats({ account, query }: Call<'getTransactionStats'>): Promise<TransactionStats> {
    const asked = { accountId: account.id, period: openPeriod(query) };
    return toTransactionStats(await this.transactions.totals(asked));
  }

  async getTransaction({ account, params }: Call<'getTransaction'>): Promise<TransactionView> {
    return transactionRecord(await this.transactions.get(account.id, params.id));
  }

  async listPaymentMethods(): Promise<PaymentMethodList> {
    return { methods: await this.newPayments.methods() };
  }

  async createPayment({ account, body, ...call }: Call<'createPayment'>): Promise<PaymentView> {
    const { requestId, idempotencyId } = call;
    const payment = await this.newPayments.create({
      accountId: account.id,
      currency: body.currency,
      amountNanoUsd: exactUsdToNano(body.amount_usd, 'amount_usd'),
      requestId,
      idempotencyId,
      operation: 'createPayment',
    });
    return paymentRecord(payment);
  }

  async listPayments({ account, query }: Call<'listPayments'>): Promise<PaymentList> {
    const wanted = { accountId: account.id, needsReview: null };
    const { items, ...page } = await this.payments.list(wanted, query);
    return { payments: items.map(paymentRecord), ...page };
  }

  async getPayment({ account, params }: Call<'getPayment'>): Promise<PaymentView> {
    return paymentRecord(await this.payments.get(account.id, params.payment_id));
  }

  async confirmPayment({ account, params }: Call<'confirmPayment'>): Promise<PaymentView> {
    return paymentRecord(await this.watch.confirm(account.id, params.payment_id));
  }

  async getPaymentQr({ account, params }: Call<'getPaymentQr'>): Promise<string> {
    return paymentQr(uriOf(await this.payments.get(account.id, params.payment_id)));
  }
}

const SERVICES = [
  ChainWatches,
  NewPayments,
  PaymentEvents,
  PaymentMetrics,
  PaymentReviews,
  Payments,
  PaymentSettlement,
  PaymentWatch,
  PriceSources,
];

@Module({
  controllers: [PaymentsController],
  providers: [...SERVICES, CreditAdditions, PaymentStreams],
  exports: SERVICES,
})
export class BillingModule {}

export const BILLING_TIMERS = [
  // Payments of chains that are no longer watched never end otherwise.
  timed({
    name: 'DesertedPayments',
    everyMs: 10 * 60_000,
    of: PaymentSettlement,
    work: (settlement, { now }) => settlement.endDeserted(now),
  }),
  // One timer per chain, so that a slow node delays no other.
  ...CURRENCIES.map((currency) =>
    timed({
      name: `PaymentWatch ${currency}`,
      everyMs: ({ paymentPollSeconds }) => paymentPollSeconds * 1000,
      first: 'with the background work',
      of: PaymentWatch,
      work: (watch, { signal }) => watch.pass(currency, signal),
    }),
  ),
];
