import { Injectable } from '@nestjs/common';
import { Accounts } from '../../core/access/accounts/accounts.repository';
import type { RateTier } from '../../core/access/rate-limits/rate-tiers';
import { TierRates } from '../../core/access/rate-limits/tier-rates';

export interface LimitsInForce {
  tier: string;
  rates: RateTier;
}

/** How many calls the account may make. */
@Injectable()
export class AccountService {
  constructor(
    private readonly accounts: Accounts,
    private readonly rates: TierRates,
  ) {}

  /** The tier's rates, or the account's own where it has any. */
  async limits(accountId: string): Promise<LimitsInForce> {
    const { tier, rateLimits } = await this.accounts.get(accountId);
    return { tier, rates: this.rates.tier(tier, rateLimits) };
  }
}
