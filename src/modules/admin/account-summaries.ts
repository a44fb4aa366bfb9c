import { Injectable } from '@nestjs/common';
import { AccessKeys, type KeyCounts } from '../../core/access/access-keys/access-keys.repository';
import type { Account } from '../../core/access/accounts/account.entity';
import type { RateTier } from '../../core/access/rate-limits/rate-tiers';
import { TierRates } from '../../core/access/rate-limits/tier-rates';
import { UpgradeDecisions } from '../../core/access/upgrade-requests/upgrade-decisions.repository';
import { Webhooks, type WebhookCounts } from '../../core/events/webhooks/webhooks.repository';
import { Ledger } from '../../core/money/ledger/ledger';
import { Payments } from '../../core/money/payments/payments.repository';

/** An account and what belongs to it, in numbers. */
export interface UserDetails {
  account: Account;
  balanceNanoUsd: bigint;
  reservedNanoUsd: bigint;
  rates: RateTier;
  keys: KeyCounts;
  webhooks: WebhookCounts;
  paymentsInReview: number;
  pendingUpgradeRequestId: string | null;
}

/** Gathers what an operator wants to know of one account. */
@Injectable()
export class AccountSummaries {
  constructor(
    private readonly ledger: Ledger,
    private readonly rates: TierRates,
    private readonly keys: AccessKeys,
    private readonly webhooks: Webhooks,
    private readonly payments: Payments,
    private readonly upgrades: UpgradeDecisions,
  ) {}

  async of(account: Account): Promise<UserDetails> {
    const { id, tier, rateLimits } = account;
    return {
      account,
      ...(await this.ledger.balance(id)),
      rates: this.rates.tier(tier, rateLimits),
      keys: await this.keys.counts(id),
      webhooks: await this.webhooks.counts(id),
      paymentsInReview: await this.payments.reviewCount(id),
      pendingUpgradeRequestId: await this.upgrades.pendingOf(id),
    };
  }
}
