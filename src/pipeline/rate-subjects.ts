import { isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { OperationPolicy, RateClass } from '../contract/operation';
import { RATE_MULTIPLIERS } from '../core/access/rate-limits/rate-class';
import type { RateSubject } from '../core/access/rate-limits/rate-limiter';
import { TierRates } from '../core/access/rate-limits/tier-rates';
import type { Credential, KeyCredential, TokenCredential } from './credential';
import type { MeteredCall } from './metered-call';

/** Under which subjects, and within which windows, a call is counted (docs/operating.md, rate limits). */
@Injectable()
export class RateSubjects {
  /** The subjects of each key by rate class. They change only when the key's credential does. */
  private readonly ofKeys = new WeakMap<KeyCredential, Partial<Record<RateClass, readonly RateSubject[]>>>();

  constructor(private readonly rates: TierRates) {}

  /**
   * A call counts for its key or account as a whole and, where its class is limited further, for key or account and
   * class. A call whose credential stands for nobody counts for its IP address.
   */
  of(credential: Credential, { policy, transport }: MeteredCall): readonly RateSubject[] {
    switch (credential.kind) {
      case 'key':
        return this.ofKey(credential, policy);
      case 'token':
        return this.withClass(`account:${credential.account.id}`, credential, policy);
      default:
        return [
          { id: `ip:${addressBlock(transport.address)}`, windows: this.rates.windows('anonymous', null, 1) },
        ];
    }
  }

  private ofKey(credential: KeyCredential, policy: OperationPolicy): readonly RateSubject[] {
    let byClass = this.ofKeys.get(credential);
    if (!byClass) {
      byClass = {};
      this.ofKeys.set(credential, byClass);
    }
    return (byClass[policy.rate] ??= this.withClass(`key:${credential.key.id}`, credential, policy));
  }

  private withClass(
    id: `key:${string}` | `account:${string}`,
    { account, rateLimits }: KeyCredential | TokenCredential,
    policy: OperationPolicy,
  ): readonly RateSubject[] {
    const all = { id, windows: this.rates.windows(account.tier, rateLimits, 1) };
    const multiplier = RATE_MULTIPLIERS[policy.rate];
    // A class at the full rate can never be tighter than all calls together. Free operations of account tokens have the
    // full rate whatever their class.
    if (multiplier === null || multiplier >= 1 || (policy.auth === 'jwt' && policy.price === null)) {
      return [all];
    }
    const windows = this.rates.windows(account.tier, rateLimits, multiplier);
    return [all, { id: `${id}:${policy.rate}`, windows }];
  }
}

/** An IPv6 customer holds a /64 or more: counting single addresses would give each as many allowances as it likes. */
function addressBlock(ip: string): string {
  if (!isIPv6(ip)) {
    return ip;
  }
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) {
    return mapped[1];
  }
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ? tail.split(':') : [])];
  return `${all
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
