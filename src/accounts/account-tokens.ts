import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { PassportStrategy } from '@nestjs/passport';
import { LRUCache } from 'lru-cache';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { DataSource } from 'typeorm';
import { inBatches } from '../database/bounded-statements';
import { Clock } from '../runtime/clock';
import { isId, newId } from '../runtime/ids';
import { ACCESS_CHANGED, type Account, type AccountRateLimits } from './accounts';
import { TokenExpired } from './credentials';

/** What account tokens are signed with. From a text the library would make a key for every token. */
export class JwtSecret {
  readonly key: KeyObject;

  constructor(value: string) {
    this.key = createSecretKey(value, 'utf8');
  }
}

const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;
/** A replica whose clock is behind takes an ended token for unexpired, and must still learn that it was ended. */
const REMEMBERED_LONGER_MS = 60 * 60 * 1000;
/** No index leads to the expired tokens, so that each batch may read the whole table. */
const SWEEP_BATCHES = { sizeMax: 10_000, batchesMax: 20 };

const REFUSED_MAX = 10_000;
const REFUSED_FOR_MS = 60_000;

interface TokenClaims {
  sub: string;
  jti: string;
  role: string;
  ver: number;
  iat: number;
  exp: number;
}

export interface TokenHolder {
  id: string;
  role: 'user' | 'admin';
  tier: string;
  rateLimits: AccountRateLimits | null;
  claims: TokenClaims;
}

/**
 * Account tokens: JSON Web Tokens signed with HS256, valid for 24 hours. Each use asks the database, so that an ended token is
 * refused on every replica at once.
 */
@Injectable()
export class AccountTokens {
  /** Ended tokens, none of which becomes valid again, so that shown once more they cost no query. */
  private readonly refused = new LRUCache<string, true>({ max: REFUSED_MAX, ttl: REFUSED_FOR_MS });

  constructor(
    private readonly jwt: JwtService,
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  issue(account: Pick<Account, 'id' | 'role' | 'tokenVersion'>): { token: string; expiresAt: Date } {
    const issuedAt = Math.floor(this.clock.now().getTime() / 1000);
    const claims: TokenClaims = {
      sub: account.id,
      jti: newId(),
      role: account.role,
      ver: account.tokenVersion,
      iat: issuedAt,
      exp: issuedAt + TOKEN_LIFETIME_SECONDS,
    };
    return { token: this.jwt.sign(claims), expiresAt: new Date(claims.exp * 1000) };
  }

  /** Null when the token was ended or the account is disabled. The signature has been checked. */
  async holder(claims: TokenClaims): Promise<TokenHolder | null> {
    // Another service that shares the signing secret may sign tokens with other claims.
    if (!isId(claims.sub) || !isId(claims.jti) || !Number.isInteger(claims.ver)) {
      return null;
    }
    const cacheKey = `${claims.sub} ${claims.ver} ${claims.jti}`;
    if (this.refused.has(cacheKey)) {
      return null;
    }
    const [row]: HolderRow[] = await this.database.query(
      `SELECT id, role, tier, rate_limits FROM accounts
       WHERE id = $1 AND is_active AND token_version = $2
         AND NOT EXISTS (SELECT FROM ended_tokens WHERE token_id = $3)`,
      [claims.sub, claims.ver, claims.jti],
    );
    if (!row) {
      this.refused.set(cacheKey, true);
      return null;
    }
    return { id: row.id, role: row.role, tier: row.tier, rateLimits: row.rate_limits, claims };
  }

  /** For callers inside the service, which have no token; null when the account is disabled. */
  async accountOf(accountId: string): Promise<Omit<TokenHolder, 'claims'> | null> {
    const [row]: HolderRow[] = await this.database.query(
      'SELECT id, role, tier, rate_limits FROM accounts WHERE id = $1 AND is_active',
      [accountId],
    );
    return row ? { id: row.id, role: row.role, tier: row.tier, rateLimits: row.rate_limits } : null;
  }

  /**
   * Ends one token, and tells all replicas, which may have sockets open by it. False when it was ended before: then it must
   * not be exchanged for a new one again.
   */
  async end(accountId: string, claims: Pick<TokenClaims, 'jti' | 'exp'>): Promise<boolean> {
    const rows: unknown[] = await this.database.query(
      `WITH ended AS (
         INSERT INTO ended_tokens (token_id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING token_id)
       SELECT pg_notify($3, $4) FROM ended`,
      [claims.jti, new Date(claims.exp * 1000), ACCESS_CHANGED, accountId],
    );
    return rows.length > 0;
  }

  /** Forgets tokens that expired more than an hour ago, at most 200,000 in one run. */
  async sweep(now: Date): Promise<void> {
    const expired = new Date(now.getTime() - REMEMBERED_LONGER_MS);
    await inBatches(SWEEP_BATCHES, async (sizeMax) => {
      const [, deleted]: [unknown, number] = await this.database.query(FORGET, [expired, sizeMax]);
      return deleted;
    });
  }
}

const FORGET = `
  DELETE FROM ended_tokens WHERE token_id IN (SELECT token_id FROM ended_tokens WHERE expires_at <= $1 LIMIT $2)`;

interface HolderRow {
  id: string;
  role: 'user' | 'admin';
  tier: string;
  rate_limits: AccountRateLimits | null;
}

/** Expiry is checked here, by the injected clock; the library checks signature and form. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'account-token') {
  constructor(
    secret: JwtSecret,
    private readonly tokens: AccountTokens,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // jsonwebtoken takes keys too; the types of passport-jwt leave them out.
      secretOrKey: secret.key as unknown as Buffer,
      algorithms: ['HS256'],
      ignoreExpiration: true,
    });
  }

  /** False, which Passport refuses, for an ended token and a disabled account. @throws TokenExpired */
  async validate(claims: TokenClaims): Promise<TokenHolder | false> {
    if (typeof claims.exp !== 'number' || claims.exp * 1000 <= this.clock.now().getTime()) {
      throw new TokenExpired();
    }
    return (await this.tokens.holder(claims)) ?? false;
  }
}
