import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AccountDatabases } from '../database/account-databases';
import { ProcessRegister } from '../database/process-register';
import { apiError, NotFound } from '../errors/api-errors';
import { Clock } from '../runtime/clock';
import { isId, newId } from '../runtime/ids';
import { lockAccount } from './account-rows';
import type { Account } from './accounts';
import { hashSecret, JwtSecret, type TokenHolder } from './credentials';
import { removePlaygroundKeys } from './playground-keys';

const LIFETIME_MS = 8 * 60 * 60 * 1000;
export const PASSWORD_VALID_MS = 10 * 60 * 1000;
const SESSIONS_MAX = 50;
const SECRET_BYTES = 32;
const SWEEP_BATCHES = { sizeMax: 5_000, batchesMax: 40 };

/** 403: a session in a request that may not use it; the text says why. */
export class NotFromConsole extends apiError(403, 'Access denied', (fault: string) => fault) {}

/** 403: giving credits or showing secrets needs the password again. */
export class PasswordNeeded extends apiError(
  403,
  'Password needed',
  () => 'Show the password again (POST /api/console/session/password); it then counts for ten minutes.',
) {}

interface ConsoleSession {
  id: string;
  userAgent: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Each use asks the database, so that an ended one is refused on every replica. */
@Injectable()
export class ConsoleSessions {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly clock: Clock,
    private readonly register: ProcessRegister,
    private readonly signing: JwtSecret,
  ) {}

  /** The secret is for the cookie and stored nowhere. */
  async start(
    account: Pick<Account, 'id' | 'tokenVersion'>,
    userAgent: string,
  ): Promise<{ session: ConsoleSession; secret: string }> {
    const createdAt = this.clock.now();
    const session = {
      id: newId(),
      userAgent,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + LIFETIME_MS),
    };
    const secret = this.newSecret();
    const database = this.databases.of(account.id);
    await database.query(START, [
      session.id,
      account.id,
      hashSecret(secret),
      account.tokenVersion,
      session.createdAt,
      session.expiresAt,
      userAgent,
    ]);
    await this.endBeyond(account.id);
    return { session, secret };
  }

  /** Null for an unknown or ended session. Cookies that this service did not make cost no query. */
  async holder(cookie: string): Promise<TokenHolder | null> {
    if (!this.isOurs(cookie)) {
      return null;
    }
    const row = await this.register.current<HolderRow>(HOLDER, [hashSecret(cookie), this.clock.now()]);
    return row && holderOf(row);
  }

  async list(accountId: string): Promise<ConsoleSession[]> {
    const database = this.databases.of(accountId);
    return database.query<ConsoleSession[]>(LIST, [accountId, this.clock.now(), SESSIONS_MAX]);
  }

  /** @returns until when the shown password counts; null if the session has ended */
  async prove(accountId: string, id: string): Promise<Date | null> {
    const now = this.clock.now();
    const database = this.databases.of(accountId);
    const [, changed]: [unknown, number] = await database.query(PROVE, [id, accountId, now]);
    return changed === 1 ? new Date(now.getTime() + PASSWORD_VALID_MS) : null;
  }

  /** Also ends the account's playground keys: which browser has them is unknown. @throws NotFound */
  async end(accountId: string, id: string): Promise<void> {
    const ended = isId(id) ? await this.ending(accountId, END, [id, accountId]) : 0;
    if (ended === 0) {
      throw new NotFound('session');
    }
  }

  async sweep(now: Date): Promise<void> {
    await this.databases.deleteInEach(FORGET, now, SWEEP_BATCHES);
  }

  private async endBeyond(accountId: string): Promise<void> {
    const rows: unknown[] = await this.databases.of(accountId).query(BEYOND, [accountId, SESSIONS_MAX]);
    if (rows.length > 0) {
      await this.ending(accountId, END_BEYOND, [accountId, SESSIONS_MAX]);
    }
  }

  private async ending(accountId: string, statement: string, values: unknown[]): Promise<number> {
    return this.register.changingWithin(accountId, async (manager, announce) => {
      const [, ended]: [unknown, number] = await manager.query(statement, values);
      if (ended > 0) {
        await lockAccount(manager, accountId);
        await removePlaygroundKeys(manager, accountId, null);
      }
      await announce(manager);
      return ended;
    });
  }

  private newSecret(): string {
    const random = randomBytes(SECRET_BYTES).toString('base64url');
    return `${random}.${this.mark(random)}`;
  }

  private isOurs(cookie: string): boolean {
    const [random = '', mark = '', ...others] = cookie.split('.');
    const expected = Buffer.from(this.mark(random));
    const shown = Buffer.from(mark);
    return others.length === 0 && shown.length === expected.length && timingSafeEqual(shown, expected);
  }

  private mark(random: string): string {
    return createHmac('sha256', this.signing.key).update(`console session ${random}`).digest('base64url');
  }
}

interface HolderRow extends Omit<TokenHolder, 'claims'> {
  accountId: string;
  version: number;
  createdAt: Date;
  expiresAt: Date;
  provenAt: Date;
}

function holderOf({ id, accountId, role, tier, rateLimits, version, ...times }: HolderRow): TokenHolder {
  const claims = {
    sub: accountId,
    jti: id,
    role,
    ver: version,
    iat: Math.floor(times.createdAt.getTime() / 1000),
    exp: Math.floor(times.expiresAt.getTime() / 1000),
    passwordValidUntilMs: times.provenAt.getTime() + PASSWORD_VALID_MS,
  };
  return { id: accountId, role, tier, rateLimits, claims };
}

const START = `
  INSERT INTO console_sessions (id, account_id, secret_hash, token_version, created_at, proven_at, expires_at, user_agent)
  VALUES ($1, $2, $3, $4, $5, $5, $6, $7)`;

const HOLDER = `
  SELECT s.id, s.account_id AS "accountId", a.role, a.tier, a.rate_limits AS "rateLimits", s.token_version AS version,
    s.created_at AS "createdAt", s.expires_at AS "expiresAt", s.proven_at AS "provenAt"
  FROM console_sessions AS s JOIN accounts AS a ON a.id = s.account_id AND a.is_active AND a.token_version = s.token_version
  WHERE s.secret_hash = $1 AND s.expires_at > $2`;

const LIST = `
  SELECT s.id, s.user_agent AS "userAgent", s.created_at AS "createdAt", s.expires_at AS "expiresAt"
  FROM console_sessions AS s JOIN accounts AS a ON a.id = s.account_id AND a.token_version = s.token_version
  WHERE s.account_id = $1 AND s.expires_at > $2 ORDER BY s.created_at DESC, s.id DESC LIMIT $3`;

const PROVE = 'UPDATE console_sessions SET proven_at = $3 WHERE id = $1 AND account_id = $2';

const END = 'DELETE FROM console_sessions WHERE id = $1 AND account_id = $2';

const BEYOND = `
  SELECT id FROM console_sessions WHERE account_id = $1 ORDER BY created_at DESC, id DESC OFFSET $2`;

const END_BEYOND = `DELETE FROM console_sessions WHERE account_id = $1 AND id IN (${BEYOND})`;

const FORGET = `
  DELETE FROM console_sessions WHERE id IN (SELECT id FROM console_sessions WHERE expires_at <= $1 LIMIT $2)`;
