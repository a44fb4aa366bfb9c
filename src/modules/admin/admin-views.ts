import type {
  AdminPayment,
  AdminUpgradeRequest,
  AdminUser,
  AdminUserDetails,
  UserReference,
  Reconciliation as ReconciliationView,
} from '../../../generated/types';
import type { Reconciliation } from '../../ledger/reconciliation';
import { nanoToUsd } from '../../ledger/money';
import type { Payment } from '../billing/payment';
import { paymentRecord } from '../billing/payment-record';
import { reviewVersionOf } from '../billing/payment-reviews';
import { upgradeRequestRecord } from '../support/support';
import type { UserDetails, UserWithBalance } from './admin-users';
import type { JudgedRequest } from './upgrade-decisions';

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

export function toAdminUserDetails(details: UserDetails): AdminUserDetails {
  const { balanceNanoUsd, reservedNanoUsd, rates, keys, webhooks } = details;
  return {
    ...toAdminUser(details),
    reserved: nanoToUsd(reservedNanoUsd),
    available: nanoToUsd(balanceNanoUsd - reservedNanoUsd),
    rates,
    keys: {
      active: keys.active,
      expired: keys.expired,
      revoked: keys.revoked,
      last_used_at: keys.lastUsedAt?.toISOString() ?? null,
    },
    webhooks: {
      active: webhooks.active,
      inactive: webhooks.inactive,
      switched_off: webhooks.switchedOff,
    },
    payments_in_review: details.paymentsInReview,
    pending_upgrade_request_id: details.pendingUpgradeRequestId,
  };
}

export function toUserReference(account: {
  id: string;
  email: string;
  username: string;
  tier: string;
}): UserReference {
  const { id, email, username, tier } = account;
  return { id, email, username, tier: tier as UserReference['tier'] };
}

export function toAdminUpgradeRequest(request: JudgedRequest): AdminUpgradeRequest {
  return {
    user: toUserReference(request.account),
    request: upgradeRequestRecord(request),
    decided_at: request.decidedAt?.toISOString() ?? null,
    decided_by: request.decidedBy,
    note: request.note,
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
    version: reviewVersionOf(payment),
  };
}
