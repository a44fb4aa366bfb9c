import type { AdminUser, Reconciliation as ReconciliationView } from '../../../generated/types';
import type { Reconciliation } from '../../core/money/ledger/reconciliation.repository';
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
