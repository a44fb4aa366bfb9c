import { Injectable } from '@nestjs/common';
import type { OperationPolicy, RateClass } from '../contract/operation';
import { addressBlock } from '../core/access/rate-limits/address-block';
import { RATE_MULTIPLIERS } from '../core/access/rate-limits/rate-class';
import type { RateSubject } from '../core/access/rate-limits/rate-limiter';
import { TierRates } from '../core/access/rate-limits/tier-rates';
import type { Credential, KeyCredential, TokenCredential } from './credential';
import type { MeteredCall } from './metered-call';

/**
 * Preflights for each call that an address may make without a credential. A page makes one for each path that it calls,
 * whatever its account may do, and the people of an office share an address.
 */
const PREFLIGHTS_FACTOR = 300;

/**
 * Under which subjects, and within which windows, a call is counted (docs/operating.md, rate limits).
 *
 * A key has no subject of its own. It has no rates but its account's, and its calls are some of its account's: counted by
 * itself it could never be refused before the account is, and each call would cost twice as many windows.
 */
@Injectable()
export class RateSubjects {
  /** The subjects of each key's account by rate class. They change only when the key's credential does. */
  private readonly ofKeys = new WeakMap<KeyCredential, Partial<Record<RateClass, readonly RateSubject[]>>>();

  constructor(private readonly rates: TierRates) {}

  /**
   * A call counts for its account, with whichever of its keys or tokens it is made, and where its class is limited further
   * for account and class. A call whose credential stands for nobody counts for its IP address, and so does one that needs
   * none: apart, so that nobody who shows wrong keys keeps others at his address from logging in.
   */
  of(credential: Credential, { policy, transport }: MeteredCall): readonly RateSubject[] {
    switch (credential.kind) {
      case 'key':
        return this.ofKey(credential, policy);
      case 'token':
        return this.ofAccount(credential, policy);
      default:
        return [
          policy.auth === 'none' ? this.ofLogins(transport.address) : this.ofAddress(transport.address),
        ];
    }
  }

  /** Requests for the documentation count for their address, apart from its calls. */
  ofDocuments(address: string): RateSubject {
    const windows = this.rates.windows('documents', null, 1);
    return { id: `ip:${addressBlock(address)}:documents`, windows };
  }

  /** What callers are counted under whose credential stands for nobody. */
  ofAddress(address: string): RateSubject {
    return { id: `ip:${addressBlock(address)}`, windows: this.rates.windows('anonymous', null, 1) };
  }

  /** Requests that no route answers count for their address, apart from its calls. */
  ofUnrouted(address: string): RateSubject {
    const windows = this.rates.windows('anonymous', null, 1);
    return { id: `ip:${addressBlock(address)}:unrouted`, windows };
  }

  /** A refused preflight is a page's call that fails, so these have far more room than whatever else has no route. */
  ofPreflights(address: string): RateSubject {
    const windows = this.rates.windows('anonymous', null, PREFLIGHTS_FACTOR);
    return { id: `ip:${addressBlock(address)}:preflights`, windows };
  }

  /** What registrations and logins are counted under, right ones and wrong ones. */
  private ofLogins(address: string): RateSubject {
    return { id: `ip:${addressBlock(address)}:logins`, windows: this.rates.windows('anonymous', null, 1) };
  }

  private ofKey(credential: KeyCredential, policy: OperationPolicy): readonly RateSubject[] {
    let byClass = this.ofKeys.get(credential);
    if (!byClass) {
      byClass = {};
      this.ofKeys.set(credential, byClass);
    }
    return (byClass[policy.rate] ??= this.ofAccount(credential, policy));
  }

  private ofAccount(
    { account, rateLimits }: KeyCredential | TokenCredential,
    policy: OperationPolicy,
  ): readonly RateSubject[] {
    const id = `account:${account.id}` as const;
    const all = { id, windows: this.rates.windows(account.tier, rateLimits, 1) };
    const multiplier = RATE_MULTIPLIERS[policy.rate];
    // A class at the full rate can never be tighter than all calls together.
    if (multiplier === null || multiplier >= 1) {
      return [all];
    }
    const windows = this.rates.windows(account.tier, rateLimits, multiplier);
    return [all, { id: `${id}:${policy.rate}`, windows }];
  }
}
