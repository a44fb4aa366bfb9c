import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Passport } from 'passport';
import {
  AccessKeyWanted,
  AccountTokens,
  AccountTokenWanted,
  ApiKeyExpired,
  InvalidApiKey,
  InvalidToken,
  isKeySecret,
  JwtStrategy,
  looksLikeKey,
  looksLikeToken,
  MissingApiKey,
  MissingToken,
  SessionEnded,
  type TokenHolder,
} from '../accounts/credentials';
import { ConsoleSessions, NotFromConsole, PasswordNeeded } from '../accounts/console-sessions';
import { type DirectoryEntry, KeyDirectory, KeyLookUps } from '../accounts/key-cache';
import { addressBlock } from '../http/http-server';
import {
  RATE_MULTIPLIERS,
  type RateSubject,
  type RateTier,
  type RateWindow,
  rateWindows,
  TierRates,
} from '../accounts/rate-limiter';
import { Configuration } from '../config/configuration';
import type { OperationPolicy, RateClass } from '../contract/operation';
import { ApiError } from '../errors/api-errors';
import { Clock } from '../runtime/clock';
import type {
  CallTransport,
  Credential,
  KeyCredential,
  PresentedSecrets,
  Principal,
  TokenCredential,
} from './call-transport';
import { type MeteredCall, NO_CREDENTIAL } from './metered-call';

const TIER_WINDOWS_MAX = 10_000;

const OF_ADDRESSES = {
  anonymous: { suffix: '', rates: 'anonymous', factor: 1 },
  logins: { suffix: ':logins', rates: 'anonymous', factor: 1 },
  documents: { suffix: ':documents', rates: 'documents', factor: 1 },
  /** A first visit to the console loads dozens of files. */
  console: { suffix: ':console', rates: 'documents', factor: 20 },
  unrouted: { suffix: ':unrouted', rates: 'anonymous', factor: 1 },
  /** Pages send one for each path, and an office shares an address. A refused one fails its call. */
  preflights: { suffix: ':preflights', rates: 'anonymous', factor: 300 },
} as const;

/** docs/configuration.md, "Rate tiers". Keys have no rates of their own. */
@Injectable()
export class RateSubjects {
  private readonly ofKeys = new WeakMap<KeyCredential, Partial<Record<RateClass, readonly RateSubject[]>>>();

  private readonly ofTiers = new LRUCache<string, TierWindows>({ max: TIER_WINDOWS_MAX });

  constructor(private readonly rates: TierRates) {}

  /** Invalid credentials count apart from none: wrong keys must not keep an address from logging in. */
  of(credential: Credential, { policy, transport }: MeteredCall): readonly RateSubject[] {
    switch (credential.kind) {
      case 'key':
        // The rates of a playground key follow from the price too.
        return credential.isPlayground ? this.ofAccount(credential, policy) : this.ofKey(credential, policy);
      case 'token':
        return this.ofAccount(credential, policy);
      default:
        return [this.ofAddress(transport.address, policy.auth === 'none' ? 'logins' : 'anonymous')];
    }
  }

  ofAddress(address: string, requests: keyof typeof OF_ADDRESSES): RateSubject {
    const { suffix, rates, factor } = OF_ADDRESSES[requests];
    const tier = this.windowsOf(`${rates} ${factor}`, () =>
      rateWindows(this.rates.tier(rates, null), factor),
    );
    return { id: `ip:${addressBlock(address)}${suffix}`, windows: tier.all };
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
    credential: KeyCredential | TokenCredential,
    policy: OperationPolicy,
  ): readonly RateSubject[] {
    const { account, rateLimits } = credential;
    const isOfConsole = credential.kind === 'key' ? credential.isPlayground : isSession(credential);
    const isFree = policy.price === null && !policy.itemCosts;
    const rates = isOfConsole && isFree ? 'console' : 'tier';
    const limits = () => this.rates[rates](account.tier, rateLimits);
    const windows = this.windowsOf(`${rates} ${account.tier} ${JSON.stringify(rateLimits)}`, () =>
      rateWindows(limits(), 1),
    );
    const id =
      rates === 'console' ? (`account:${account.id}:console` as const) : (`account:${account.id}` as const);
    const ofClass = (windows.ofClasses[policy.rate] ??= classWindows(policy.rate, limits()));
    const ofAll = { id, windows: windows.all };
    return ofClass.length === 0 ? [ofAll] : [ofAll, { id: `${id}:${policy.rate}`, windows: ofClass }];
  }

  /** The same arrays for equal rates: what follows from windows is cached by them. */
  private windowsOf(key: string, all: () => readonly RateWindow[]): TierWindows {
    let windows = this.ofTiers.get(key);
    if (!windows) {
      windows = { all: all(), ofClasses: {} };
      this.ofTiers.set(key, windows);
    }
    return windows;
  }
}

interface TierWindows {
  readonly all: readonly RateWindow[];
  readonly ofClasses: Partial<Record<RateClass, readonly RateWindow[]>>;
}

/** None for a class at the full rate, which can never be tighter than all calls together. */
function classWindows(rate: RateClass, limits: RateTier): readonly RateWindow[] {
  const multiplier = RATE_MULTIPLIERS[rate];
  return multiplier === null || multiplier >= 1 ? [] : rateWindows(limits, multiplier);
}

/** Returns refusals, because the call is counted before the authentication step throws them. */
@Injectable()
export class Credentials {
  /** Passport's default instance is shared by all applications of a process; the last strategy would win. */
  private readonly passport = new Passport();
  private readonly ofEntries = new WeakMap<DirectoryEntry, KeyCredential>();

  constructor(
    private readonly keys: KeyDirectory,
    private readonly lookUps: KeyLookUps,
    private readonly subjects: RateSubjects,
    private readonly tokens: AccountTokens,
    private readonly sessions: ConsoleSessions,
    private readonly clock: Clock,
    private readonly configuration: Configuration,
    strategy: JwtStrategy,
  ) {
    this.passport.use('account-token', strategy);
  }

  /** @throws RateLimitExceeded where the caller's address has guessed too many access keys */
  resolve(
    { caller, address }: Pick<CallTransport, 'caller' | 'address'>,
    auth: OperationPolicy['auth'],
  ): Credential | Promise<Credential> {
    if (auth === 'none') {
      return NO_CREDENTIAL;
    }
    if (caller.kind !== 'secrets') {
      return this.ofPrincipal(caller, auth);
    }
    return auth === 'key'
      ? this.ofKeySecret(caller, (secret) =>
          this.lookUps.find(secret, this.subjects.ofAddress(address, 'anonymous')),
        )
      : this.ofToken(caller);
  }

  /** Judges a known credential again, without the limit on guesses. */
  again({ caller }: Pick<CallTransport, 'caller'>, auth: 'key' | 'jwt'): Credential | Promise<Credential> {
    if (caller.kind !== 'secrets') {
      return this.ofPrincipal(caller, auth);
    }
    return auth === 'key'
      ? this.ofKeySecret(caller, (secret) => this.keys.find(secret))
      : this.ofToken(caller);
  }

  /** Needs no secret, but its key or account may have been revoked, expired or disabled. */
  private async ofPrincipal(principal: Principal, auth: 'key' | 'jwt'): Promise<Credential> {
    if (auth === 'key') {
      return principal.kind === 'key'
        ? this.judged(await this.keys.findById(principal.keyId))
        : { kind: 'refused', error: new AccessKeyWanted() };
    }
    if (principal.kind === 'key') {
      return { kind: 'refused', error: new AccountTokenWanted() };
    }
    const holder = await this.tokens.accountOf(principal.accountId);
    if (!holder) {
      return { kind: 'refused', error: new InvalidToken() };
    }
    const { id, role, tier, rateLimits } = holder;
    return { kind: 'token', token: null, account: { id, role, tier }, rateLimits };
  }

  private ofKeySecret(
    { apiKey, bearer }: PresentedSecrets,
    find: (secret: string) => Promise<DirectoryEntry | null>,
  ): Credential | Promise<Credential> {
    const secret = apiKey ?? bearer;
    if (secret === null) {
      return { kind: 'refused', error: new MissingApiKey() };
    }
    // A cached secret had the right form when it was looked up.
    const cached = this.keys.cached(secret);
    if (cached) {
      return this.judged(cached);
    }
    if (!isKeySecret(secret, this.configuration.environment)) {
      return looksLikeToken(secret) ? { kind: 'refused', error: new AccessKeyWanted() } : this.judged(null);
    }
    return find(secret).then((entry) => this.judged(entry));
  }

  private judged(entry: DirectoryEntry | null): Credential {
    if (!entry?.isActive || !entry.isAccountActive || this.isOver(entry.secretValidUntil)) {
      return { kind: 'refused', error: new InvalidApiKey() };
    }
    if (this.isOver(entry.expiresAt)) {
      return { kind: 'refused', error: new ApiKeyExpired() };
    }
    let credential = this.ofEntries.get(entry);
    if (!credential) {
      credential = keyCredential(entry);
      this.ofEntries.set(entry, credential);
    }
    return credential;
  }

  private isOver(end: Date | null): boolean {
    return end !== null && end <= this.clock.now();
  }

  private ofToken({ apiKey, bearer, session }: PresentedSecrets): Credential | Promise<Credential> {
    if (session !== null) {
      return this.ofSession(session);
    }
    const shown = bearer ?? apiKey;
    if (shown === null) {
      return { kind: 'refused', error: new MissingToken() };
    }
    if (looksLikeKey(shown)) {
      return { kind: 'refused', error: new AccountTokenWanted() };
    }
    if (bearer === null) {
      return { kind: 'refused', error: new InvalidToken() };
    }
    return this.authenticateToken(bearer);
  }

  private async ofSession({ cookie, fault }: NonNullable<PresentedSecrets['session']>): Promise<Credential> {
    if (fault !== null) {
      return { kind: 'refused', error: new NotFromConsole(fault) };
    }
    const holder = await this.sessions.holder(cookie);
    return holder ? tokenCredential(holder) : { kind: 'refused', error: new SessionEnded() };
  }

  private authenticateToken(token: string): Promise<Credential> {
    return new Promise((resolve, reject) => {
      const done = (error: unknown, holder: TokenHolder | false) => {
        if (!error) {
          resolve(holder ? tokenCredential(holder) : { kind: 'refused', error: new InvalidToken() });
        } else if (error instanceof ApiError) {
          resolve({ kind: 'refused', error });
        } else {
          reject(error instanceof Error ? error : new Error('passport failed', { cause: error }));
        }
      };
      const authenticate = this.passport.authenticate('account-token', { session: false }, done) as (
        request: object,
        response: object,
        next: (error: unknown) => void,
      ) => void;
      authenticate({ headers: { authorization: `Bearer ${token}` } }, {}, reject);
    });
  }
}

function keyCredential(entry: DirectoryEntry): KeyCredential {
  const { id, accountId, secretHash, isPlayground, role, tier, rateLimits } = entry;
  return {
    kind: 'key',
    key: Object.freeze({ id, accountId }),
    secretHash,
    isPlayground,
    account: Object.freeze({ id: accountId, role, tier }),
    rateLimits,
  };
}

function tokenCredential({ id, role, tier, rateLimits, claims }: TokenHolder): Credential {
  return { kind: 'token', token: claims, account: { id, role, tier }, rateLimits };
}

export function isSession({ token }: TokenCredential): boolean {
  return token?.passwordValidUntilMs !== undefined;
}

/** Account tokens and calls from within the service need none. @throws PasswordNeeded */
export function refuseOldPassword(
  { recentPassword }: OperationPolicy,
  credential: KeyCredential | TokenCredential,
  now: Date,
): void {
  const validUntilMs = credential.kind === 'token' ? credential.token?.passwordValidUntilMs : undefined;
  if (recentPassword && validUntilMs !== undefined && validUntilMs <= now.getTime()) {
    throw new PasswordNeeded();
  }
}
