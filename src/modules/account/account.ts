import { Injectable, Module } from '@nestjs/common';
import { accountApi, type AccountApi, authApi, type AuthApi, type Call } from '../../../generated/contract';
import type {
  AccountLimits,
  Overview,
  PasswordChanged,
  PasswordResetRequested,
  Session,
  User,
} from '../../../generated/types';
import { ConsoleSessions } from '../../accounts/console-sessions';
import { AccountTokens, InvalidCredentials, InvalidToken } from '../../accounts/credentials';
import { type Account, Accounts } from '../../accounts/accounts';
import { emailOfNewAccount, normalEmail } from '../../accounts/email-address';
import { PasswordResets } from '../../accounts/password-resets';
import { LoginAddresses, LoginAttempts, Passwords } from '../../accounts/password-login';
import {
  addressBlock,
  RATE_MULTIPLIERS,
  type RateClass,
  type RateTier,
  TierRates,
} from '../../accounts/rate-limiter';
import { Configuration } from '../../config/configuration';
import { type PresentedToken, Serves } from '../../contract/operation';
import { NotFound, Unprocessable } from '../../errors/api-errors';
import { parseUsd } from '../../ledger/money';
import { inSnakeCase } from '../../runtime/snake-case';
import { AccountOverview } from './overview';

const CATEGORIES = Object.keys(RATE_MULTIPLIERS) as RateClass[];

type LimitsInForce = Record<'rates' | 'console', RateTier> & { tier: string };

export function toAccountLimits({ tier, rates, console }: LimitsInForce): AccountLimits {
  return {
    tier: tier as AccountLimits['tier'],
    ...toNumbers(rates, 1),
    categories: CATEGORIES.map((category) => {
      const multiplier = RATE_MULTIPLIERS[category];
      return { category, multiplier, ...toNumbers(rates, multiplier) };
    }),
    console: toNumbers(console, 1),
  };
}

function toNumbers(rates: RateTier, multiplier: number | null) {
  return {
    requests_per_second: scaled(rates.requests_per_second, multiplier),
    requests_per_minute: scaled(rates.requests_per_minute, multiplier),
    requests_per_hour: scaled(rates.requests_per_hour, multiplier),
    requests_per_day: scaled(rates.requests_per_day, multiplier),
  };
}

/** Rounds to twelve digits, because 3 × 0.1 is 0.30000000000000004 in binary. */
function scaled(rate: number | null, multiplier: number | null): number | null {
  return rate === null || multiplier === null ? null : Number((rate * multiplier).toPrecision(12));
}

@Serves(accountApi)
class AccountController implements AccountApi {
  constructor(
    private readonly accounts: Accounts,
    private readonly rates: TierRates,
    private readonly overview: AccountOverview,
  ) {}

  async getOverview({ account, query }: Call<'getOverview'>): Promise<Overview> {
    return this.overview.of(account.id, query.timezone, query.days);
  }

  async getAccountLimits({ account }: Call<'getAccountLimits'>): Promise<AccountLimits> {
    const { tier, rateLimits } = await this.accounts.get(account.id);
    const [rates, console] = [this.rates.tier(tier, rateLimits), this.rates.console(tier, rateLimits)];
    return toAccountLimits({ tier, rates, console });
  }
}

@Module({ controllers: [AccountController], providers: [AccountOverview] })
export class AccountModule {}

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
   * An unknown address is refused with the same error, and after the same time, as a wrong password: the answer must not tell who has
   * an account. A guess is counted when it is its turn, so that one never judged for want of room counts as no failure.
   */
  async login(email: string, password: string, addressBlock: string): Promise<StartedSession> {
    return this.session(await this.authenticate(email, password, addressBlock));
  }

  async authenticate(email: string, password: string, addressBlock: string): Promise<Account> {
    // All of it in the caller's turn: a crowd that is refused there has asked nothing of the database either.
    return this.passwords.inTurn(addressBlock, async (passwords) => {
      const account = await this.accounts.findByEmail(email);
      const isKnownAddress = await this.addresses.isKnown(account?.id ?? null, addressBlock);
      // By the normal form, because every spelling with that form reaches the account.
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
   * Counted apart from logins: a stranger's guesses must not keep the owner from what asks for the password. Whoever guesses here has a
   * token of the account, and all its tokens have one count, wherever they are used.
   */
  async checkPassword(accountId: string, password: string, addressBlock: string): Promise<void> {
    const { passwordHash } = await this.accounts.get(accountId);
    const guess = { account: accountId, addressBlock: '', isKnownAddress: true };
    const isRight = await this.passwords.inTurn(addressBlock, (passwords) =>
      this.attempts.guess(guess, () => passwords.verify(passwordHash, password)),
    );
    if (!isRight) {
      throw new InvalidCredentials();
    }
  }

  /** @throws InvalidToken when another call ended it first, and for a session: no script may get what it stands for */
  async refresh(accountId: string, presented: PresentedToken): Promise<StartedSession> {
    if (presented.passwordValidUntilMs !== undefined) {
      throw new InvalidToken('A session is not exchanged for an account token.');
    }
    const account = await this.accounts.get(accountId);
    if (!(await this.tokens.end(accountId, presented))) {
      throw new InvalidToken();
    }
    // Issued under the presented token's version, so that a password change that came in between ends the new token
    // too.
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
    // Judged before the password is hashed, which is what a registration costs.
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

  /** @throws InvalidToken when another change came first */
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
