import { Injectable } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import type { Account } from '../../core/access/accounts/account.entity';
import type { PresentedToken } from '../../contract/call';
import { AccountTokens } from '../../core/access/accounts/account-tokens';
import { Accounts } from '../../core/access/accounts/accounts.repository';
import { emailOfNewAccount, normalEmail } from '../../core/access/accounts/email-address';
import { LoginAddresses } from '../../core/access/accounts/login-addresses';
import { LoginAttempts } from '../../core/access/accounts/login-attempts';
import { Passwords } from '../../core/access/accounts/passwords';
import { InvalidCredentials, InvalidToken } from '../../core/access/authentication-errors';
import { Unprocessable } from '../../core/errors/request-errors';
import { parseUsd } from '../../core/money/pricing/usd';

export interface StartedSession {
  token: string;
  expiresAt: Date;
  account: Account;
}

export interface PasswordChange {
  accountId: string;
  /** The version of the token with which the change was asked for. */
  tokenVersion: number;
  current: string;
  next: string;
  /** That of the caller. */
  addressBlock: string;
}

/** Registration, login and the life of account tokens. */
@Injectable()
export class AuthService {
  constructor(
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly tokens: AccountTokens,
    private readonly attempts: LoginAttempts,
    private readonly addresses: LoginAddresses,
    private readonly configuration: Configuration,
  ) {}

  /**
   * @param addressBlock that of the caller
   * @throws Conflict when the e-mail or username is taken, ValidationFailed for an address that no account may have,
   * ServiceUnavailable when too many passwords wait to be hashed
   */
  async register(
    fields: { email: string; password: string; username: string },
    addressBlock: string,
  ): Promise<Account> {
    // Judged before the password is hashed, which is what a registration costs.
    const email = emailOfNewAccount(fields.email);
    return this.accounts.create({
      email,
      // Names that look the same are the same; the format `username` judged this form.
      username: fields.username.normalize('NFKC'),
      passwordHash: await this.passwords.inTurn(addressBlock, (passwords) => passwords.hash(fields.password)),
      role: 'user',
      tier: 'free',
      welcomeNanoUsd: parseUsd(this.configuration.welcomeCreditUsd),
    });
  }

  /**
   * An unknown address is refused with the same error, and after the same time, as a wrong password: the answer must
   * not tell who has an account. A guess is counted when it is its turn, so that one which was never judged for want of
   * room counts as no failure.
   * @param addressBlock that of the caller
   * @throws InvalidCredentials, RateLimitExceeded after too many failures, and ServiceUnavailable when too many passwords
   * wait to be checked
   */
  async login(email: string, password: string, addressBlock: string): Promise<StartedSession> {
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
      return this.session(account);
    });
  }

  async get(accountId: string): Promise<Account> {
    return this.accounts.get(accountId);
  }

  /**
   * Changes the password and ends all of the account's tokens.
   * @throws InvalidCredentials for a wrong current password, RateLimitExceeded after too many of those, Unprocessable
   * when the new password is the current one, InvalidToken when another change came first, ServiceUnavailable when too many
   * passwords wait to be checked
   */
  async changePassword(change: PasswordChange): Promise<void> {
    const { accountId, current, next, addressBlock } = change;
    const { passwordHash } = await this.accounts.get(accountId);
    const newHash = await this.passwords.inTurn(addressBlock, async (passwords) => {
      // Counted apart from logins: a stranger's guesses must not keep the owner from changing the password. Whoever
      // guesses here has a token of the account, and all its tokens have one count, wherever they are used.
      const guess = { account: accountId, addressBlock: '', isKnownAddress: true };
      if (!(await this.attempts.guess(guess, () => passwords.verify(passwordHash, current)))) {
        throw new InvalidCredentials();
      }
      if (current === next) {
        throw new Unprocessable('The new password is the current one.');
      }
      return passwords.hash(next);
    });
    if (!(await this.accounts.changePassword(accountId, change.tokenVersion, newHash))) {
      throw new InvalidToken();
    }
  }

  /** Exchanges the presented token, which ends, for a new one. @throws InvalidToken when another call ended it first */
  async refresh(accountId: string, presented: PresentedToken): Promise<StartedSession> {
    const account = await this.accounts.get(accountId);
    if (!(await this.tokens.end(accountId, presented))) {
      throw new InvalidToken();
    }
    // Issued under the presented token's version, so that a password change that came in between ends the new token
    // too.
    return this.session({ ...account, tokenVersion: presented.ver });
  }

  async logout(accountId: string, presented: PresentedToken): Promise<void> {
    await this.tokens.end(accountId, presented);
  }

  private session(account: Account): StartedSession {
    return { ...this.tokens.issue(account), account };
  }
}
