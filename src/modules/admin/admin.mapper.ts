import type {
  AdminPayment,
  AdminUser,
  Reconciliation as ReconciliationView,
  WebhooksHealth as WebhooksHealthView,
} from '../../../generated/types';
import type { WebhooksHealth } from '../../core/events/deliveries/webhooks-health.repository';
import type { Reconciliation } from '../../core/money/ledger/reconciliation.repository';
import type { Payment } from '../../core/money/payments/payment';
import { paymentRecord } from '../../core/money/payments/payment-record';
import { nanoToUsd } from '../../core/money/pricing/usd';
import type { UserWithBalance } from './admin.service';

export function toAdminUser({ account, balanceNanoUsd }: UserWithBalance): AdminUser {
  return {
    id: account.id,
    email: account.email,
    username: account.username,
    role: account.role,
    is_email_verified: account.isEmailVerified,
    created_at: account.createdAt.toISOString(),
    tier: account.tier as AdminUser['tier'],
    is_active: account.isActive,
    balance: nanoToUsd(balanceNanoUsd),
    rate_limits: account.rateLimits,
  };
}

/** Differences are taken in nano-USD: that of two rounded USD numbers could show a mismatch which is not there. */
export function toReconciliation(reconciliation: Reconciliation): ReconciliationView {
  const { balanceNanoUsd, ledgerNanoUsd } = reconciliation;
  return {
    accounts: reconciliation.accounts,
    balance_usd: nanoToUsd(balanceNanoUsd),
    ledger_usd: nanoToUsd(ledgerNanoUsd),
    difference_usd: nanoToUsd(balanceNanoUsd - ledgerNanoUsd),
    open_reservations: reconciliation.openReservations,
    mismatches: reconciliation.mismatches.map((mismatch) => ({
      user_id: mismatch.accountId,
      balance_usd: nanoToUsd(mismatch.balanceNanoUsd),
      ledger_usd: nanoToUsd(mismatch.ledgerNanoUsd),
      difference_usd: nanoToUsd(mismatch.balanceNanoUsd - mismatch.ledgerNanoUsd),
    })),
    checked_at: reconciliation.checkedAt.toISOString(),
  };
}

export function toWebhooksHealth(health: WebhooksHealth): WebhooksHealthView {
  const { checkedAt, oldestEventAt } = health;
  return {
    events_waiting: health.eventsWaiting,
    oldest_event_age_seconds: oldestEventAt && (checkedAt.getTime() - oldestEventAt.getTime()) / 1000,
    deliveries_due: health.due,
    deliveries_handed: health.handed,
    deliveries_later: health.later,
    failed_last_24h: health.failedLastDay,
    abandoned_last_24h: health.abandonedLastDay,
    switched_off_webhooks: health.switchedOff,
    receivers: health.receivers.map(({ receiver, waiting, oldestDueAt, slowSince }) => ({
      receiver,
      waiting,
      oldest_due_at: oldestDueAt.toISOString(),
      slow_since: slowSince?.toISOString() ?? null,
    })),
    checked_at: checkedAt.toISOString(),
  };
}

export function toAdminPayment(payment: Payment): AdminPayment {
  const { isNeeded, reason, since, resolvedAt, resolvedBy, note } = payment.review;
  return {
    payment: paymentRecord(payment),
    review: {
      needed: isNeeded,
      reason,
      since: since?.toISOString() ?? null,
      resolved_at: resolvedAt?.toISOString() ?? null,
      resolved_by: resolvedBy,
      note,
    },
  };
}
