import type {
  AdminPayment,
  AdminUpgradeRequest,
  AdminUser,
  UserReference,
  Reconciliation as ReconciliationView,
} from '../../../generated/types';
import type { Account } from '../../accounts/accounts';
import type { Reconciliation } from '../../ledger/reconciliation';
import { nanoToUsd } from '../../ledger/money';
import { inSnakeCase } from '../../runtime/json';
import type { Payment } from '../billing/payment';
import { paymentRecord } from '../billing/payment-record';
import { reviewVersionOf } from '../billing/payment-reviews';
import { upgradeRequestRecord } from '../support/support';
import type { JudgedRequest } from './upgrade-decisions';

export interface UserWithBalance {
  account: Account;
  balanceNanoUsd: bigint;
}

export function toAdminUser({ account, balanceNanoUsd }: UserWithBalance): AdminUser {
  return {
    ...inSnakeCase(account, 'id', 'email', 'username', 'role', 'isEmailVerified', 'createdAt'),
    ...inSnakeCase(account, 'isActive', 'rateLimits'),
    tier: account.tier as AdminUser['tier'],
    balance: nanoToUsd(balanceNanoUsd),
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
    ...inSnakeCase(request, 'decidedAt', 'decidedBy', 'note'),
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
  const { review } = payment;
  return {
    payment: paymentRecord(payment),
    review: {
      needed: review.isNeeded,
      ...inSnakeCase(review, 'reason', 'since', 'resolvedAt', 'resolvedBy', 'note'),
    },
    version: reviewVersionOf(payment),
  };
}
