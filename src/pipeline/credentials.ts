import { Injectable } from '@nestjs/common';
import { Passport } from 'passport';
import { Configuration } from '../config/configuration';
import type { OperationPolicy } from '../contract/operation';
import { KeyDirectory, type DirectoryEntry } from '../core/access/access-keys/key-directory';
import { KeyLookUps } from '../core/access/access-keys/key-look-ups';
import { isKeySecret, looksLikeKey, looksLikeToken } from '../core/access/access-keys/key-secret';
import { AccountTokens, type TokenHolder } from '../core/access/accounts/account-tokens';
import { JwtStrategy } from '../core/access/accounts/jwt.strategy';
import {
  ApiKeyExpired,
  AccessKeyWanted,
  AccountTokenWanted,
  InvalidApiKey,
  InvalidToken,
  MissingApiKey,
  MissingToken,
} from '../core/access/authentication-errors';
import { ApiError } from '../core/errors/api-error';
import { Clock } from '../infrastructure/clock/clock';
import type { CallTransport, PresentedSecrets, Principal } from './call-transport';
import { NO_CREDENTIAL, type Credential, type KeyCredential } from './credential';
import { RateSubjects } from './rate-subjects';

/**
 * Looks up the credential that an operation asks for. A refusal is returned and not thrown, because the call is counted
 * first (step 1); the authentication step (step 2) throws it.
 */
@Injectable()
export class Credentials {
  /** Passport's own instance is shared by every application in the process, and the last one's strategy would win. */
  private readonly passport = new Passport();
  /** The directory gives the same entry as long as nothing has changed; each entry has one credential. */
  private readonly ofEntries = new WeakMap<DirectoryEntry, KeyCredential>();

  constructor(
    private readonly keys: KeyDirectory,
    private readonly lookUps: KeyLookUps,
    private readonly subjects: RateSubjects,
    private readonly tokens: AccountTokens,
    private readonly clock: Clock,
    private readonly configuration: Configuration,
    strategy: JwtStrategy,
  ) {
    this.passport.use('account-token', strategy);
  }

  /**
   * @returns no promise where nothing has to be waited for
   * @throws RateLimitExceeded where the caller's address has guessed too many access keys to have this one looked up
   */
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
      ? this.ofKeySecret(caller, (secret) => this.lookUps.find(secret, this.subjects.ofAddress(address)))
      : this.ofToken(caller);
  }

  /**
   * Judges anew what was shown and admitted before. That is no guess, and it is looked up however many keys others at its
   * address have guessed since: who can't be judged would keep what it has been given.
   */
  again(caller: PresentedSecrets, auth: 'key' | 'jwt'): Credential | Promise<Credential> {
    return auth === 'key'
      ? this.ofKeySecret(caller, (secret) => this.keys.find(secret))
      : this.ofToken(caller);
  }

  /** A principal needs no secret, but its key or account may have been revoked, expired or disabled in the meantime. */
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
    // A secret that is cached had the right form when it was looked up.
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
    const error = entry ? this.faultOf(entry) : new InvalidApiKey();
    if (!entry || error) {
      return { kind: 'refused', error: error ?? new InvalidApiKey() };
    }
    let credential = this.ofEntries.get(entry);
    if (!credential) {
      credential = keyCredential(entry);
      this.ofEntries.set(entry, credential);
    }
    return credential;
  }

  private faultOf(entry: DirectoryEntry): ApiError | null {
    if (!entry.isActive || !entry.isAccountActive || this.isOver(entry.secretValidUntil)) {
      return new InvalidApiKey();
    }
    return this.isOver(entry.expiresAt) ? new ApiKeyExpired() : null;
  }

  private isOver(end: Date | null): boolean {
    return end !== null && end <= this.clock.now();
  }

  private ofToken({ apiKey, bearer }: PresentedSecrets): Credential | Promise<Credential> {
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

  /** Runs passport's strategy. It reads nothing of the request but the one header, and answers through the callback. */
  private authenticateToken(token: string): Promise<Credential> {
    return new Promise((resolve, reject) => {
      const done = (error: unknown, holder: TokenHolder | false) => {
        if (error instanceof ApiError) {
          resolve({ kind: 'refused', error });
        } else if (error) {
          reject(error instanceof Error ? error : new Error('passport failed', { cause: error }));
        } else {
          resolve(holder ? tokenCredential(holder) : { kind: 'refused', error: new InvalidToken() });
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

function keyCredential({ id, accountId, secretHash, role, tier, rateLimits }: DirectoryEntry): KeyCredential {
  return {
    kind: 'key',
    key: Object.freeze({ id, accountId }),
    secretHash,
    account: Object.freeze({ id: accountId, role, tier }),
    rateLimits,
  };
}

function tokenCredential({ id, role, tier, rateLimits, claims }: TokenHolder): Credential {
  return { kind: 'token', token: claims, account: { id, role, tier }, rateLimits };
}
