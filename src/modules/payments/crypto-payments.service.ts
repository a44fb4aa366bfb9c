import { Injectable } from '@nestjs/common';
import type { CreatePaymentRequest, ListPaymentsQuery } from '../../../generated/types';
import { NewPayments } from '../../core/money/payments/new-payments';
import type { Payment } from '../../core/money/payments/payment';
import { PaymentChecks } from '../../core/money/payments/payment-checks';
import { PaymentMethods, type PaymentMethod } from '../../core/money/payments/payment-methods';
import { uriOf } from '../../core/money/payments/payment-record';
import { Payments } from '../../core/money/payments/payments.repository';
import { paymentQr } from '../../core/money/payments/qr';
import { exactUsdToNano } from '../../core/money/pricing/usd';
import { openPeriod } from '../../core/money/usage/period';

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
