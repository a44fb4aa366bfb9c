import { Injectable } from '@nestjs/common';
import type { ListAllPaymentsQuery, ResolvePaymentRequest } from '../../../generated/types';
import type { AdminCall } from '../../core/access/admin-actions/admin-actions.repository';
import { NotFound } from '../../core/errors/request-errors';
import type { Payment } from '../../core/money/payments/payment';
import { PaymentReviews } from '../../core/money/payments/payment-reviews';
import { Payments } from '../../core/money/payments/payments.repository';
import { exactUsdToNano } from '../../core/money/pricing/usd';
import { openPeriod } from '../../core/money/usage/period';

/** The payments of all accounts, and the decisions about those that a person has to look at. */
@Injectable()
export class AdminPaymentsService {
  constructor(
    private readonly payments: Payments,
    private readonly reviews: PaymentReviews,
  ) {}

  /** @throws Unprocessable when the period would end before it starts */
  list(query: ListAllPaymentsQuery): Promise<{ payments: Payment[]; total: number }> {
    const { start, end } = openPeriod(query);
    return this.payments.list(
      {
        accountId: query.user_id ?? null,
        status: query.status ?? null,
        currency: query.currency ?? null,
        needsReview: query.needs_review ?? null,
        createdFrom: start,
        createdBefore: end,
      },
      query,
    );
  }

  /** @throws NotFound */
  async get(paymentId: string): Promise<Payment> {
    const payment = await this.payments.find(paymentId);
    if (payment === null) {
      throw new NotFound('payment');
    }
    return payment;
  }

  /** @throws NotFound, Conflict, Unprocessable */
  resolve(
    call: AdminCall,
    paymentId: string,
    { note, adjust_usd, expected_version: expectedVersion }: ResolvePaymentRequest,
  ): Promise<Payment> {
    const adjustNanoUsd = exactUsdToNano(adjust_usd ?? 0, 'adjust_usd');
    return this.reviews.resolve(call, { paymentId, note, expectedVersion, adjustNanoUsd });
  }
}
