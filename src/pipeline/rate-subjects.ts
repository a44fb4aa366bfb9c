import { Injectable } from '@nestjs/common';
import type { OperationPolicy } from '../contract/operation';
import { RATE_MULTIPLIERS } from '../core/rate-limits/rate-class';
import type { RateSubject } from '../core/rate-limits/rate-limiter';
import { TierRates } from '../core/rate-limits/tier-rates';
import type { Credential, Holder } from './credentials';

/** Under which subjects, and within which windows, a call is counted (design of the rate limits). */
@Injectable()
export class RateSubjects {
  constructor(private readonly rates: TierRates) {}

  /** Per key and per key and class; per account; per IP where the credential stands for nobody. */
  of(credential: Credential, policy: OperationPolicy, ip: string): RateSubject[] {
    switch (credential.kind) {
      case 'key':
        return this.withClass(`key:${credential.keyId}`, credential.holder, policy);
      case 'token':
        return this.withClass(`account:${credential.holder.id}`, credential.holder, policy);
      default:
        return [{ id: `ip:${ip}`, windows: this.rates.windows('anonymous', null, 1) }];
    }
  }

  private withClass(id: `key:${string}` | `account:${string}`, holder: Holder, policy: OperationPolicy): RateSubject[] {
    const all = { id, windows: this.rates.windows(holder.tier, holder.rateLimits, 1) };
    const multiplier = RATE_MULTIPLIERS[policy.rate];
    // A class at the full rate can never be tighter than all calls together.
    if (multiplier === null || multiplier >= 1 || (policy.auth === 'jwt' && policy.price === null)) {
      return [all];
    }
    const windows = this.rates.windows(holder.tier, holder.rateLimits, multiplier);
    return [all, { id: `${id}:${policy.rate}`, windows }];
  }
}
