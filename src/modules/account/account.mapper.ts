import type { AccountLimits, CategoryLimits } from '../../../generated/types';
import { RATE_MULTIPLIERS, type RateClass } from '../../core/access/rate-limits/rate-class';
import type { RateTier } from '../../core/access/rate-limits/rate-tiers';
import type { LimitsInForce } from './account.service';

const CATEGORIES = Object.keys(RATE_MULTIPLIERS) as RateClass[];

export function toAccountLimits({ tier, rates }: LimitsInForce): AccountLimits {
  return {
    tier: tier as AccountLimits['tier'],
    ...toNumbers(rates, 1),
    categories: CATEGORIES.map((category) => toCategoryLimits(rates, category)),
  };
}

function toCategoryLimits(rates: RateTier, category: RateClass): CategoryLimits {
  const multiplier = RATE_MULTIPLIERS[category];
  return { category, multiplier, ...toNumbers(rates, multiplier) };
}

function toNumbers(rates: RateTier, multiplier: number | null) {
  return {
    requests_per_second: scaled(rates.requestsPerSecond, multiplier),
    requests_per_minute: scaled(rates.requestsPerMinute, multiplier),
    requests_per_hour: scaled(rates.requestsPerHour, multiplier),
    requests_per_day: scaled(rates.requestsPerDay, multiplier),
  };
}

/** Rounds to twelve digits, because 3 × 0.1 is 0.30000000000000004 in binary. */
function scaled(rate: number | null, multiplier: number | null): number | null {
  return rate === null || multiplier === null ? null : Number((rate * multiplier).toPrecision(12));
}
