import { Injectable, Module } from '@nestjs/common';
import { authApi, type AuthApi, type Call, consoleApi, type ConsoleApi } from '../../../generated/contract';
import type {
  ConsoleSession,
  ConsoleSessionList,
  PasswordChanged,
  PasswordResetRequested,
  PlaygroundKey,
  Session,
  User,
} from '../../../generated/types';
import { AccessKeys } from '../../accounts/access-keys';
import { type Account, Accounts } from '../../accounts/accounts';
import { ConsoleSessions, NotFromConsole, PASSWORD_VALID_MS } from '../../accounts/console-sessions';
import { AccountTokens, InvalidCredentials, InvalidToken, SessionEnded } from '../../accounts/credentials';
import { emailOfNewAccount, normalEmail } from '../../accounts/email-address';
import { LoginAddresses, LoginAttempts, Passwords } from '../../accounts/password-login';
import { PasswordResets } from '../../accounts/password-resets';
import { addressBlock } from '../../http/http-server';
import { Configuration } from '../../config/configuration';
import { type PresentedToken, Serves } from '../../contract/operation';
import { NotFound, Unprocessable } from '../../errors/api-errors';
import { type ConsoleRequest, sessionCookie } from '../../http/console-requests';
import { exactUsdToNano, parseUsd } from '../../ledger/money';
import { Clock, DAY_MS } from '../../runtime/clock';
import { inSnakeCase } from '../../runtime/json';

interface StartedSession {
  token: string;
  expiresAt: Date;
  account: Account;
}

@Injectable()
export class AuthService {
  constructor(
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly tokens: AccountTokens,
    private readonly attempts: LoginAttempts,
    private readonly addresses: LoginAddresses,
    private readonly sessions: ConsoleSessions,
  ) {}

  /**
   * An unknown address gets the same error after the same time as a wrong password, so that the answer does not reveal
   * who has an account. A guess counts in its turn, so one refused for want of room is no failure.
   */
  async login(email: string, password: string, addressBlock: string): Promise<StartedSession> {
    return this.session(await this.authenticate(email, password, addressBlock));
  }

  async authenticate(email: string, password: string, addressBlock: string): Promise<Account> {
    // All in the caller's turn: callers refused there have not touched the database.
    return this.passwords.inTurn(addressBlock, async (passwords) => {
      const account = await this.accounts.findByEmail(email);
      const isKnownAddress = await this.addresses.isKnown(account?.id ?? null, addressBlock);
      // The normal form, because every spelling with that form reaches the account.
      const guess = { account: normalEmail(email), addressBlock, isKnownAddress };
      const isRight = await this.attempts.guess(guess, async () => {
        const fits = await passwords.verify(account?.passwordHash ?? null, password);
        return fits && account?.isActive === true;
      });
      if (!isRight || !account) {
        throw new InvalidCredentials();
      }
      await this.addresses.remember(account.id, addressBlock);
      return account;
    });
  }

  /**
   * Counted apart from logins: a stranger's guesses must not lock the owner out. Whoever guesses here has a token of
   * the account, and all its tokens share one count.
   */
  async checkPassword(accountId: string, password: string, addressBlock: string): Promise<void> {
    const { passwordHash } = await this.accounts.get(accountId);
    const guess = { account: accountId, addressBlock: '', isKnownAddress: true };
    const isRight = await this.passwords.inTurn(addressBlock, (passwords) =>
      this.attempts.guess(guess, () => passwords.verify(passwordHash, password)),
    );
    if (!isRight) {
      throw new InvalidCredentials('The current password is wrong.');
    }
  }

  /** @throws InvalidToken when another call ended it first, and for a session: scripts must not get its token */
  async refresh(accountId: string, presented: PresentedToken): Promise<StartedSession> {
    if (presented.passwordValidUntilMs !== undefined) {
      throw new InvalidToken('A session is not exchanged for an account token.');
    }
    const account = await this.accounts.get(accountId);
    if (!(await this.tokens.end(accountId, presented))) {
      throw new InvalidToken();
    }
    // Keeps the presented token's version, so that a password change in between ends the new token too.
    return this.session({ ...account, tokenVersion: presented.ver });
  }

  async logout(accountId: string, presented: PresentedToken): Promise<void> {
    if (presented.passwordValidUntilMs === undefined) {
      await this.tokens.end(accountId, presented);
    } else {
      await this.sessions.end(accountId, presented.jti).catch(ignoreMissing);
    }
  }

  private session(account: Account): StartedSession {
    return { ...this.tokens.issue(account), account };
  }
}

/** Another call has ended it meanwhile. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof NotFound)) {
    throw error;
  }
}

function toUser(account: Account): User {
  return inSnakeCase(account, 'id', 'email', 'username', 'role', 'isEmailVerified', 'createdAt');
}

function toSession({ token, expiresAt, account }: StartedSession): Session {
  const { id, email, username, role } = account;
  return { token, expires_at: expiresAt.toISOString(), user: { id, email, username, role } };
}

@Serves(authApi)
class AuthController implements AuthApi {
  constructor(
    private readonly auth: AuthService,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly resets: PasswordResets,
    private readonly configuration: Configuration,
  ) {}

  async register({ body, callerAddress }: Call<'register'>): Promise<User> {
    // Before the costly hash of the password.
    const email = emailOfNewAccount(body.email);
    const account = await this.accounts.create({
      email,
      // Names that look the same are the same; the format `username` judged this form.
      username: body.username.normalize('NFKC'),
      passwordHash: await this.hashed(body.password, addressBlock(callerAddress)),
      role: 'user',
      tier: 'free',
      welcomeNanoUsd: parseUsd(this.configuration.welcomeCreditUsd),
    });
    return toUser(account);
  }

  async login({ body, callerAddress }: Call<'login'>): Promise<Session> {
    const { email, password } = body;
    return toSession(await this.auth.login(email, password, addressBlock(callerAddress)));
  }

  async getCurrentUser({ account }: Call<'getCurrentUser'>): Promise<User> {
    return toUser(await this.accounts.get(account.id));
  }

  async changePassword(call: Call<'changePassword'>): Promise<PasswordChanged> {
    const { account, token, body } = call;
    const { current_password: current, new_password: next } = body;
    const block = addressBlock(call.callerAddress);
    await this.auth.checkPassword(account.id, current, block);
    if (current === next) {
      throw new Unprocessable('The new password is the current one.');
    }
    if (!(await this.accounts.changePassword(account.id, token.ver, await this.hashed(next, block)))) {
      throw new InvalidToken();
    }
    return { message: 'The password is changed. All account tokens have ended; log in again.' };
  }

  async refreshToken({ account, token }: Call<'refreshToken'>): Promise<Session> {
    return toSession(await this.auth.refresh(account.id, token));
  }

  async logout({ account, token }: Call<'logout'>): Promise<void> {
    await this.auth.logout(account.id, token);
  }

  async logoutEverywhere({ account }: Call<'logoutEverywhere'>): Promise<void> {
    await this.accounts.update(account.id, () => ({ endsTokens: true }));
  }

  async requestPasswordReset(call: Call<'requestPasswordReset'>): Promise<PasswordResetRequested> {
    if (!this.resets.sendsEmail) {
      const message = 'This installation sends no e-mail: ask its operator for a link.';
      return { sends_email: false, message };
    }
    await this.resets.mail(call.body.email, addressBlock(call.callerAddress));
    return { sends_email: true, message: 'If an account has this address, a link is on its way.' };
  }

  async resetPassword({ body, callerAddress }: Call<'resetPassword'>): Promise<PasswordChanged> {
    const link = this.resets.read(body.token);
    await this.resets.use(link, await this.hashed(body.new_password, addressBlock(callerAddress)));
    return { message: 'The password is changed. All tokens and sessions have ended; log in with it.' };
  }

  private hashed(password: string, block: string): Promise<string> {
    return this.passwords.inTurn(block, (passwords) => passwords.hash(password));
  }
}

@Module({ controllers: [AuthController], providers: [AuthService], exports: [AuthService] })
export class AuthModule {}

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
    return toConsoleSession(account, {
      jti: id,
      ver: account.tokenVersion,
      exp: expiresAt.getTime() / 1000,
      passwordValidUntilMs,
    });
  }

  async getSession({ account, token }: Call<'getSession'>): Promise<ConsoleSession> {
    return toConsoleSession(await this.accounts.get(account.id), token);
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
      return toConsoleSession(await this.accounts.get(account.id), token);
    }
    const validUntil = await this.sessions.prove(account.id, token.jti);
    if (validUntil === null) {
      throw new SessionEnded();
    }
    const shown = { ...token, passwordValidUntilMs: validUntil.getTime() };
    return toConsoleSession(await this.accounts.get(account.id), shown);
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
    // The cap is a monthly limit: a key that lived into the next month could spend it twice.
    const midnightMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
    const sessionId = token.passwordValidUntilMs === undefined ? null : token.jti;
    const { key, secret } = await this.keys.createPlayground({
      accountId: account.id,
      name: 'Console',
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

function toConsoleSession(
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
