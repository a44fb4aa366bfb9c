import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Passport } from 'passport';
import { Configuration } from '../config/configuration';
import type { PresentedToken } from '../contract/call';
import type { OperationPolicy } from '../contract/operation';
import type { AccountRateLimits } from '../core/accounts/account.entity';
import type { TokenHolder } from '../core/accounts/account-tokens';
import { JwtStrategy } from '../core/accounts/jwt.strategy';
import { KeyDirectory, type DirectoryEntry } from '../core/access-keys/key-directory';
import { isKeySecret, looksLikeKey } from '../core/access-keys/key-secret';
import {
  ApiKeyExpired,
  InvalidApiKey,
  InvalidToken,
  MissingApiKey,
  MissingToken,
} from '../core/errors/authentication-errors';
import { ApiError } from '../core/errors/api-error';
import { Clock } from '../infrastructure/clock/clock';

/** Who the presented credential stands for, or why it stands for nobody. */
export type Credential =
  | { kind: 'none' }
  | { kind: 'key'; keyId: string; secretHash: Buffer; holder: Holder }
  | { kind: 'token'; token: PresentedToken; holder: Holder }
  | { kind: 'refused'; error: ApiError };

export interface Holder {
  id: string;
  role: 'user' | 'admin';
  tier: string;
  rateLimits: AccountRateLimits | null;
}

/** Looks up the credential that an operation asks for. It judges nothing: the authentication step does. */
@Injectable()
export class Credentials {
  /** Passport's own instance is shared by every application in the process, and the last one's strategy would win. */
  private readonly passport = new Passport();

  constructor(
    private readonly keys: KeyDirectory,
    private readonly clock: Clock,
    private readonly configuration: Configuration,
    strategy: JwtStrategy,
  ) {
    this.passport.use('account-token', strategy);
  }

  async resolve(request: FastifyRequest, auth: OperationPolicy['auth']): Promise<Credential> {
    switch (auth) {
      case 'none':
        return { kind: 'none' };
      case 'key':
        return this.resolveKey(request);
      case 'jwt':
        return this.resolveToken(request);
    }
  }

  private async resolveKey(request: FastifyRequest): Promise<Credential> {
    const secret = headerOf(request, 'x-api-key') ?? bearerOf(request);
    if (secret === null) {
      return { kind: 'refused', error: new MissingApiKey() };
    }
    const entry = isKeySecret(secret, this.configuration.environment) ? await this.keys.find(secret) : null;
    const error = entry ? this.faultOf(entry) : new InvalidApiKey();
    if (!entry || error) {
      return { kind: 'refused', error: error ?? new InvalidApiKey() };
    }
    const { id: keyId, secretHash } = entry;
    return { kind: 'key', keyId, secretHash, holder: { ...entry, id: entry.accountId } };
  }

  private faultOf(entry: DirectoryEntry): ApiError | null {
    const now = this.clock.now();
    const isOldSecret = entry.secretValidUntil !== null && entry.secretValidUntil <= now;
    if (!entry.isActive || !entry.isAccountActive || isOldSecret) {
      return new InvalidApiKey();
    }
    return entry.expiresAt !== null && entry.expiresAt <= now ? new ApiKeyExpired() : null;
  }

  private async resolveToken(request: FastifyRequest): Promise<Credential> {
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
          resolve(
            holder
              ? { kind: 'token', holder, token: holder.claims }
              : { kind: 'refused', error: new InvalidToken() },
          );
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

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}
