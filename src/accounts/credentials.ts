import { createSecretKey, hash, type KeyObject, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { PassportStrategy } from '@nestjs/passport';
import { LRUCache } from 'lru-cache';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { DataSource } from 'typeorm';
import { deleteInBatches } from '../database/bounded-statements';
import { ProcessRegister } from '../database/process-register';
import type { Announce } from '../database/process-statements';
import { apiError } from '../errors/api-errors';
import { Clock } from '../runtime/clock';
import { isId, newId } from '../runtime/ids';
import type { Account } from './accounts';

export interface KeyPrincipal {
  id: string;
  accountId: string;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
export const KEY_SECRET_LENGTH = 'svc_live_'.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
const FORM = /^svc_(live|test)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** By the checksum typos are refused, and real secrets recognised by scanners, without a database. */
export function newKeySecret(environment: 'live' | 'test'): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () =>
    ALPHABET.charAt(randomInt(ALPHABET.length)),
  ).join('');
  const prefix = `svc_${environment}_${random}`;
  return prefix + checksum(prefix);
}

export function isKeySecret(text: string, environment: 'live' | 'test'): boolean {
  const match = FORM.exec(text);
  return match !== null && match[1] === environment && checksum(text.slice(0, -CHECKSUM_LENGTH)) === match[3];
}

export function looksLikeKey(text: string): boolean {
  return text.startsWith('svc_');
}

export function looksLikeToken(text: string): boolean {
  return /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(text);
}

/** Secrets have 190 random bits or more, so no slow hash is needed. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Text takes a third of the time of a Buffer. */
export function hashSecretHex(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Replaces personal data such as addresses, which are not stored, least of all in Redis. */
export function fingerprint(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** Null for other text. A copy, because a slice would keep the whole text in memory. */
export function previewBeginning(secret: string): string | null {
  const match = /^svc_(?:live|test)_[0-9A-Za-z]{4}/.exec(secret);
  return match && Buffer.from(match[0], 'latin1').toString('latin1');
}

export function previewOf(secret: string): string {
  return `${secret.slice(0, 13)}…${secret.slice(-4)}`;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

function unauthorized(error: string, text: string) {
  const challenge = { headers: { 'WWW-Authenticate': 'Bearer' } };
  return apiError(401, error, (message: string = text) => message, challenge);
}

export class MissingApiKey extends unauthorized(
  'Missing API key',
  'Send an access key as X-API-Key or as a bearer token. Create one with POST /api/keys.',
) {}

export class MissingSocketCredential extends MissingApiKey {
  constructor() {
    super('Send an access key or an account token as the query parameter token (?token=…), or as over HTTP.');
  }
}

/** 401: unknown, malformed, revoked, deleted or of another environment; the text never says which. */
export class InvalidApiKey extends unauthorized(
  'Invalid API key',
  'The access key is not valid. Create one with POST /api/keys.',
) {}

export class AccessKeyWanted extends InvalidApiKey {
  constructor() {
    super('This operation takes an access key (svc_…) and no account token.');
  }
}

export class ApiKeyExpired extends unauthorized(
  'API key expired',
  'The access key has expired; create a new one.',
) {}

export class MissingToken extends unauthorized(
  'Missing token',
  'Send the account token as a bearer token. POST /api/auth/login gives it.',
) {}

/** 401: not signed by this service, ended, or of a disabled account; the text never says which. */
export class InvalidToken extends unauthorized(
  'Invalid token',
  'The account token is not valid. Log in again with POST /api/auth/login.',
) {}

export class AccountTokenWanted extends InvalidToken {
  constructor() {
    super('This operation takes an account token, as POST /api/auth/login gives it, and no access key.');
  }
}

/** 401: no session's cookie, or one that expired or was ended, or of a disabled account. */
export class SessionEnded extends InvalidToken {
  constructor() {
    super('The session has ended; log in again.');
  }
}

export class TokenExpired extends unauthorized(
  'Token expired',
  'The account token has expired; log in again.',
) {}

/** 401: the text never says whether the e-mail address or the password is wrong. */
export class InvalidCredentials extends apiError(
  401,
  'Invalid credentials',
  (message: string = 'E-mail or password is wrong.') => message,
) {}

export class AccessDenied extends apiError(
  403,
  'Access denied',
  (role: string) => `This operation needs the role ${role}.`,
) {}

/** A KeyObject, because the library would make one from text for every token. */
export class JwtSecret {
  readonly key: KeyObject;

  constructor(value: string) {
    this.key = createSecretKey(value, 'utf8');
  }
}

const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;
/** A replica with a slow clock still takes an expired token, so it must learn that it was ended. */
const REMEMBERED_LONGER_MS = 60 * 60 * 1000;
/** Expiry has no index, so each batch may read the whole table. */
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
  passwordValidUntilMs?: number;
}

export interface TokenHolder extends Pick<Account, 'id' | 'role' | 'tier' | 'rateLimits'> {
  claims: TokenClaims;
}

/** Each use asks the database, so that an ended token is refused on every replica at once. */
@Injectable()
export class AccountTokens {
  /** Ended tokens never become valid again, so their reuse costs no query. */
  private readonly refused = new LRUCache<string, true>({ max: REFUSED_MAX, ttl: REFUSED_FOR_MS });

  constructor(
    private readonly jwt: JwtService,
    private readonly database: DataSource,
    private readonly clock: Clock,
    private readonly register: ProcessRegister,
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

  /** Null for an ended token or disabled account. The signature has been checked. */
  async holder(claims: TokenClaims): Promise<TokenHolder | null> {
    // Another service with the same signing secret may sign other claims.
    if (!isId(claims.sub) || !isId(claims.jti) || !Number.isInteger(claims.ver)) {
      return null;
    }
    const cacheKey = `${claims.sub} ${claims.ver} ${claims.jti}`;
    if (this.refused.has(cacheKey)) {
      return null;
    }
    const row = await this.register.current<HolderRow>(HOLDER, [claims.sub, claims.ver, claims.jti]);
    if (!row) {
      this.refused.set(cacheKey, true);
      return null;
    }
    return { ...row, claims };
  }

  /** For internal callers without a token; null for a disabled account. */
  async accountOf(accountId: string): Promise<Omit<TokenHolder, 'claims'> | null> {
    return this.register.current<HolderRow>(ACTIVE, [accountId]);
  }

  /** All processes know on return. False if it was ended already: then it must not be exchanged again. */
  async end(accountId: string, claims: Pick<TokenClaims, 'jti' | 'exp'>): Promise<boolean> {
    const end = (announce: Announce) =>
      this.database.transaction(async (manager) => {
        const ended: unknown[] = await manager.query(
          'INSERT INTO ended_tokens (token_id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING token_id',
          [claims.jti, new Date(claims.exp * 1000)],
        );
        await announce(manager);
        return ended.length > 0;
      });
    return this.register.changing(accountId, end);
  }

  async sweep(now: Date): Promise<void> {
    const expired = new Date(now.getTime() - REMEMBERED_LONGER_MS);
    await deleteInBatches(this.database, FORGET, expired, SWEEP_BATCHES);
  }
}

const ACTIVE = `
  SELECT id, id AS "accountId", role, tier, rate_limits AS "rateLimits" FROM accounts WHERE id = $1 AND is_active`;

const HOLDER = `${ACTIVE} AND token_version = $2 AND NOT EXISTS (SELECT 1 FROM ended_tokens WHERE token_id = $3)`;

const FORGET = `
  DELETE FROM ended_tokens WHERE token_id IN (SELECT token_id FROM ended_tokens WHERE expires_at <= $1 LIMIT $2)`;

interface HolderRow extends Omit<TokenHolder, 'claims'> {
  accountId: string;
}

/** Checks expiry by the injected clock; the library checks signature and form. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'account-token') {
  constructor(
    secret: JwtSecret,
    private readonly tokens: AccountTokens,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // jsonwebtoken takes a KeyObject; the types of passport-jwt do not.
      secretOrKey: secret.key as unknown as Buffer,
      algorithms: ['HS256'],
      ignoreExpiration: true,
    });
  }

  /** False for an ended token or a disabled account. @throws TokenExpired */
  async validate(claims: TokenClaims): Promise<TokenHolder | false> {
    if (typeof claims.exp !== 'number' || claims.exp * 1000 <= this.clock.now().getTime()) {
      throw new TokenExpired();
    }
    return (await this.tokens.holder(claims)) ?? false;
  }
}
