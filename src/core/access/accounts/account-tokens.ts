import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { DataSource } from 'typeorm';
import { Clock } from '../../../infrastructure/clock/clock';
import { isId } from '../../../infrastructure/ids/is-id';
import { newId } from '../../../infrastructure/ids/new-id';
import type { Account, AccountRateLimits } from './account.entity';

export const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;
/** No replica's clock is so far behind that it still takes a token which another has forgotten it ended. */
const REMEMBERED_LONGER_MS = 60 * 60 * 1000;

/** The claims of an account token. */
export interface TokenClaims {
  sub: string;
  jti: string;
  role: string;
  ver: number;
  iat: number;
  exp: number;
}

/** An account that a valid token proved. */
export interface TokenHolder {
  id: string;
  role: 'user' | 'admin';
  tier: string;
  rateLimits: AccountRateLimits | null;
  claims: TokenClaims;
}

/** Account tokens: HS256, 24 hours, ended at once on every replica because each use asks the database. */
@Injectable()
export class AccountTokens {
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

  /** The token's account, or null when the token was ended or the account may no longer log in. */
  async holder(claims: TokenClaims): Promise<TokenHolder | null> {
    // Another service that was given the same secret signs tokens of its own form.
    if (!isId(claims.sub) || !isId(claims.jti) || !Number.isInteger(claims.ver)) {
      return null;
    }
    const [row]: HolderRow[] = await this.database.query(
      `SELECT id, role, tier, rate_limits FROM accounts
       WHERE id = $1 AND is_active AND token_version = $2
         AND NOT EXISTS (SELECT FROM ended_tokens WHERE token_id = $3)`,
      [claims.sub, claims.ver, claims.jti],
    );
    return row ? { id: row.id, role: row.role, tier: row.tier, rateLimits: row.rate_limits, claims } : null;
  }

  /** The account of an id, for callers within the service, which hold no token; null when it may no longer call. */
  async accountOf(accountId: string): Promise<Omit<TokenHolder, 'claims'> | null> {
    const [row]: HolderRow[] = await this.database.query(
      'SELECT id, role, tier, rate_limits FROM accounts WHERE id = $1 AND is_active',
      [accountId],
    );
    return row ? { id: row.id, role: row.role, tier: row.tier, rateLimits: row.rate_limits } : null;
  }

  /** Ends one token at once; false when another call ended it before, so that a token is exchanged once only. */
  async end(claims: Pick<TokenClaims, 'jti' | 'exp'>): Promise<boolean> {
    const rows: unknown[] = await this.database.query(
      'INSERT INTO ended_tokens (token_id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING token_id',
      [claims.jti, new Date(claims.exp * 1000)],
    );
    return rows.length > 0;
  }

  /** Forgets ended tokens that have also expired. */
  async sweep(now: Date): Promise<void> {
    await this.database.query('DELETE FROM ended_tokens WHERE expires_at <= $1', [
      new Date(now.getTime() - REMEMBERED_LONGER_MS),
    ]);
  }
}

interface HolderRow {
  id: string;
  role: 'user' | 'admin';
  tier: string;
  rate_limits: AccountRateLimits | null;
}
