import { LRUCache } from 'lru-cache';
import type { AccountRateLimits } from '../accounts/account.entity';
import { withAccountRates, type RateTier, type RateTierName, type RateTiers } from './rate-tiers';
import { rateWindows, type RateWindow } from './rate-windows';

const CACHED_MAX = 10_000;

/** Works out the rates and windows in force for an account, from its tier and from numbers of its own. */
export class TierRates {
  private readonly cache = new LRUCache<string, readonly RateWindow[]>({ max: CACHED_MAX });

  constructor(private readonly tiers: RateTiers) {}

  /**
   * The rates in force. An account's own numbers count on the enterprise tier only; an unknown tier gets the free one.
   */
  tier(name: string, own: AccountRateLimits | null): RateTier {
    const tier = Object.hasOwn(this.tiers, name) ? this.tiers[name as RateTierName] : this.tiers.free;
    if (name !== 'enterprise' || own === null) {
      return tier;
    }
    return withAccountRates(tier, {
      requestsPerSecond: own.requests_per_second,
      requestsPerMinute: own.requests_per_minute,
      requestsPerHour: own.requests_per_hour,
      requestsPerDay: own.requests_per_day,
    });
  }

  /**
   * The windows of the rates in force, times the multiplier of a rate class. Equal rates get the same array as long as
   * it is cached, so that what is computed from the windows can be cached by the array.
   */
  windows(name: string, own: AccountRateLimits | null, multiplier: number): readonly RateWindow[] {
    const cacheKey = own === null ? `${name} ${multiplier}` : `${name} ${multiplier} ${JSON.stringify(own)}`;
    let windows = this.cache.get(cacheKey);
    if (!windows) {
      windows = rateWindows(this.tier(name, own), multiplier);
      this.cache.set(cacheKey, windows);
    }
    return windows;
  }
}
