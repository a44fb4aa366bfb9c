import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Passport } from 'passport';
import { Configuration } from '../config/configuration';
import type { OperationPolicy } from '../contract/operation';
import type { TokenHolder } from '../core/access/accounts/account-tokens';
import { JwtStrategy } from '../core/access/accounts/jwt.strategy';
import { KeyDirectory, type DirectoryEntry } from '../core/access/access-keys/key-directory';
import { isKeySecret, looksLikeKey } from '../core/access/access-keys/key-secret';
import {
  ApiKeyExpired,
  InvalidApiKey,
  InvalidToken,
  MissingApiKey,
  MissingToken,
} from '../core/access/authentication-errors';
import { ApiError } from '../core/errors/api-error';
import { Clock } from '../infrastructure/clock/clock';
import { NO_CREDENTIAL, type Credential, type KeyCredential } from './credential';

/** Looks up the credential that an operation asks for. It judges nothing: the authentication step does. */
@Injectable()
export class Credentials {
  /** Passport's own instance is shared by every application in the process, and the last one's strategy would win. */
  private readonly passport = new Passport();
  /** The directory gives the same entry as long as nothing has changed, and so does this. */
  private readonly ofEntries = new WeakMap<DirectoryEntry, KeyCredential>();

  constructor(
    private readonly keys: KeyDirectory,
    private readonly clock: Clock,
    private readonly configuration: Configuration,
    strategy: JwtStrategy,
  ) {
    this.passport.use('account-token', strategy);
  }

  /** @returns no promise where nothing has to be asked of the database */
  resolve(request: FastifyRequest, auth: OperationPolicy['auth']): Credential | Promise<Credential> {
    switch (auth) {
      case 'none':
        return NO_CREDENTIAL;
      case 'key':
        return this.resolveKey(request);
      case 'jwt':
        return this.resolveToken(request);
    }
  }

  private resolveKey(request: FastifyRequest): Credential | Promise<Credential> {
    const secret = headerOf(request, 'x-api-key') ?? bearerOf(request);
    if (secret === null) {
      return { kind: 'refused', error: new MissingApiKey() };
    }
    // A secret that is cached had the right form when it was looked up.
    const cached = this.keys.cached(secret);
    if (cached) {
      return this.judged(cached);
    }
    const isSecret = isKeySecret(secret, this.configuration.environment);
    return isSecret ? this.keys.find(secret).then((entry) => this.judged(entry)) : this.judged(null);
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

  private resolveToken(request: FastifyRequest): Credential | Promise<Credential> {
    const token = bearerOf(request);
    if (token === null) {
      const showsKey = headerOf(request, 'x-api-key') !== null;
      return { kind: 'refused', error: showsKey ? new InvalidToken() : new MissingToken() };
    }
    if (looksLikeKey(token)) {
      return { kind: 'refused', error: new InvalidToken() };
    }
    return this.authenticateToken(request);
  }

  /** Runs passport's strategy; it answers through the callback and touches no response. */
  private authenticateToken(request: FastifyRequest): Promise<Credential> {
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
        request: FastifyRequest,
        response: object,
        next: (error: unknown) => void,
      ) => void;
      authenticate(request, {}, reject);
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

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}
