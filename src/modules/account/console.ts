import { Module } from '@nestjs/common';
import { type Call, consoleApi, type ConsoleApi } from '../../../generated/contract';
import type { ConsoleSession, ConsoleSessionList, PlaygroundKey } from '../../../generated/types';
import { AccessKeys } from '../../accounts/access-keys';
import { type Account, Accounts } from '../../accounts/accounts';
import { ConsoleSessions, NotFromConsole, PASSWORD_VALID_MS } from '../../accounts/console-sessions';
import { SessionEnded } from '../../accounts/credentials';
import { addressBlock } from '../../accounts/rate-limiter';
import { Configuration } from '../../config/configuration';
import { type PresentedToken, Serves } from '../../contract/operation';
import { type ConsoleRequest, sessionCookie } from '../../http/console-requests';
import { exactUsdToNano } from '../../ledger/money';
import { Clock, DAY_MS } from '../../runtime/clock';
import { inSnakeCase } from '../../runtime/snake-case';
import { AuthModule, AuthService } from './account';

/** What a browser has to be for a session. @throws NotFromConsole */
function ownPage(page: ConsoleRequest | null): ConsoleRequest {
  const fault = page === null ? 'A session is for browsers.' : page.fault;
  if (page === null || fault !== null) {
    throw new NotFromConsole(fault ?? '');
  }
  if (!page.isHttps && !page.isLocal) {
    throw new NotFromConsole(
      'Over plain HTTP a session is given on localhost alone: publish the service over HTTPS.',
    );
  }
  return page;
}

@Serves(consoleApi)
class ConsoleController implements ConsoleApi {
  constructor(
    private readonly auth: AuthService,
    private readonly accounts: Accounts,
    private readonly sessions: ConsoleSessions,
    private readonly keys: AccessKeys,
    private readonly clock: Clock,
    private readonly configuration: Configuration,
  ) {}

  async startSession(call: Call<'startSession'>): Promise<ConsoleSession> {
    const { body, page, callerAddress } = call;
    const own = ownPage(page);
    const account = await this.auth.authenticate(body.email, body.password, addressBlock(callerAddress));
    const { session, secret } = await this.sessions.start(account, own.userAgent);
    const { id, createdAt, expiresAt } = session;
    const secondsLeft = Math.floor((expiresAt.getTime() - createdAt.getTime()) / 1000);
    call.setHeader('Set-Cookie', sessionCookie(own, secret, secondsLeft));
    const passwordValidUntilMs = createdAt.getTime() + PASSWORD_VALID_MS;
    return toSession(account, {
      jti: id,
      ver: account.tokenVersion,
      exp: expiresAt.getTime() / 1000,
      passwordValidUntilMs,
    });
  }

  async getSession({ account, token }: Call<'getSession'>): Promise<ConsoleSession> {
    return toSession(await this.accounts.get(account.id), token);
  }

  async endSession(call: Call<'endSession'>): Promise<void> {
    const { account, token, page } = call;
    await this.auth.logout(account.id, token);
    call.setHeader('Set-Cookie', sessionCookie({ isHttps: page?.isHttps ?? true }, '', 0));
  }

  async provePassword(call: Call<'provePassword'>): Promise<ConsoleSession> {
    const { account, token, body } = call;
    await this.auth.checkPassword(account.id, body.password, addressBlock(call.callerAddress));
    if (token.passwordValidUntilMs === undefined) {
      return toSession(await this.accounts.get(account.id), token);
    }
    const validUntil = await this.sessions.prove(account.id, token.jti);
    if (validUntil === null) {
      throw new SessionEnded();
    }
    const shown = { ...token, passwordValidUntilMs: validUntil.getTime() };
    return toSession(await this.accounts.get(account.id), shown);
  }

  async listSessions({ account, token }: Call<'listSessions'>): Promise<ConsoleSessionList> {
    const sessions = await this.sessions.list(account.id);
    return {
      sessions: sessions.map((session) => ({
        ...inSnakeCase(session, 'id', 'userAgent', 'createdAt', 'expiresAt'),
        is_current: session.id === token.jti,
      })),
    };
  }

  async revokeSession({ account, params }: Call<'revokeSession'>): Promise<void> {
    await this.sessions.end(account.id, params.session_id);
  }

  async createPlaygroundKey({ account, token, body }: Call<'createPlaygroundKey'>): Promise<PlaygroundKey> {
    const { cap_usd: capUsd, expires_in_minutes: minutes } = body;
    const capNano = exactUsdToNano(capUsd, 'cap_usd');
    const nowMs = this.clock.now().getTime();
    // The cap is its limit of a month: a key that lived into the next one could spend it twice.
    const midnightMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
    const sessionId = token.passwordValidUntilMs === undefined ? null : token.jti;
    const { key, secret } = await this.keys.createPlayground({
      accountId: account.id,
      name: 'Playground',
      expiresAt: new Date(Math.min(nowMs + minutes * 60_000, midnightMs)),
      environment: this.configuration.environment,
      capNano,
      maker: { tokenVersion: token.ver, sessionId },
    });
    return {
      id: key.id,
      key_value: secret,
      cap_usd: capUsd,
      expires_at: (key.expiresAt ?? this.clock.now()).toISOString(),
    };
  }
}

function toSession(
  { id, email, username, role }: Account,
  { jti, exp, passwordValidUntilMs: validUntilMs }: PresentedToken,
): ConsoleSession {
  return {
    id: jti,
    kind: validUntilMs === undefined ? 'token' : 'cookie',
    expires_at: new Date(exp * 1000).toISOString(),
    password_valid_until: validUntilMs === undefined ? null : new Date(validUntilMs).toISOString(),
    user: { id, email, username, role },
  };
}

@Module({ imports: [AuthModule], controllers: [ConsoleController] })
export class ConsoleModule {}
