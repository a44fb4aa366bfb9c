import { Injectable } from '@nestjs/common';
import { DataSource, type Repository } from 'typeorm';
import { Clock } from '../../../infrastructure/clock/clock';
import { brokenUniqueness } from '../../../infrastructure/database/driver-errors';
import { isId, newId } from '../../../infrastructure/ids/ids';
import { Conflict, NotFound } from '../../errors/request-errors';
import { Account, type AccountRateLimits } from './account.entity';

/**
 * The Postgres channel on which replicas hear that an account or one of its keys has changed. It carries account ids.
 */
export const ACCESS_CHANGED = 'access_changed';

export interface NewAccount {
  email: string;
  username: string;
  passwordHash: string;
  role: 'user' | 'admin';
  tier: string;
  /** The credit that the account starts with, in nano-USD; 0, the default, for none. */
  welcomeNanoUsd?: bigint;
}

export interface AccountChange {
  tier?: string;
  rateLimits?: AccountRateLimits | null;
  isActive?: boolean;
}

export interface AccountPage {
  accounts: Account[];
  total: number;
}

/** The accounts. A change of what an account may do notifies all replicas when it commits. */
@Injectable()
export class Accounts {
  private readonly repository: Repository<Account>;

  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {
    this.repository = database.getRepository(Account);
  }

  /**
   * Creates the account together with its balance, which holds the welcome credit or nothing.
   * @throws Conflict when the e-mail or username is taken
   */
  async create({ welcomeNanoUsd = 0n, ...fields }: NewAccount): Promise<Account> {
    const account = this.repository.create({
      ...fields,
      id: newId(),
      rateLimits: null,
      isActive: true,
      isEmailVerified: false,
      tokenVersion: 1,
      createdAt: this.clock.now(),
    });
    try {
      await this.database.transaction(async (manager) => {
        await manager.insert(Account, account);
        await manager.query('INSERT INTO balances (account_id) VALUES ($1)', [account.id]);
        if (welcomeNanoUsd > 0n) {
          await manager.query(WELCOME, [newId(), account.id, welcomeNanoUsd.toString(), account.createdAt]);
        }
      });
    } catch (error) {
      throw takenError(error) ?? error;
    }
    return account;
  }

  /** The account with this e-mail address, in whatever case it is written; null when there is none. */
  async findByEmail(email: string): Promise<Account | null> {
    return this.repository
      .createQueryBuilder('account')
      .where('lower(email) = lower(:email)', { email })
      .getOne();
  }

  /**
   * The account with this id.
   * @throws NotFound when there is none
   */
  async get(id: string): Promise<Account> {
    const account = isId(id) ? await this.repository.findOneBy({ id }) : null;
    if (!account) {
      throw new NotFound('user');
    }
    return account;
  }

  /**
   * One page of all accounts, or of those whose e-mail or username contains `search`, and how many there are in all.
   */
  async list(page: {
    limit: number;
    offset: number;
    sort: 'created_at' | 'email';
    order: 'asc' | 'desc';
    search?: string;
  }): Promise<AccountPage> {
    const query = this.repository
      .createQueryBuilder('account')
      .orderBy(
        page.sort === 'email' ? 'account.email' : 'account.createdAt',
        page.order === 'asc' ? 'ASC' : 'DESC',
      )
      .addOrderBy('account.id')
      .skip(page.offset)
      .take(page.limit);
    if (page.search !== undefined) {
      query.where('(account.email ILIKE :pattern OR account.username ILIKE :pattern)', {
        pattern: `%${page.search.replaceAll(/[\\%_]/g, '\\$&')}%`,
      });
    }
    const [accounts, total] = await query.getManyAndCount();
    return { accounts, total };
  }

  /**
   * Changes an account. `decide` gets the account while its row is locked and returns the change; if it throws,
   * nothing is changed. Disabling an account also closes its balance, so that nothing is charged afterwards, and ends
   * all of its tokens: they stay ended when it is enabled again.
   * @throws NotFound when there is no such account
   */
  async update(id: string, decide: (account: Account) => AccountChange): Promise<Account> {
    if (!isId(id)) {
      throw new NotFound('user');
    }
    return this.database.transaction(async (manager) => {
      // A stronger lock would conflict with the foreign-key checks of transactions that insert access keys, and could
      // deadlock with them.
      const account = await manager.findOne(Account, { where: { id }, lock: { mode: 'for_no_key_update' } });
      if (!account) {
        throw new NotFound('user');
      }
      const change: Partial<Account> = { ...decide(account) };
      if (change.isActive === false) {
        change.tokenVersion = account.tokenVersion + 1;
      }
      await manager.update(Account, { id }, change);
      await manager.query('UPDATE balances SET is_open = coalesce($2, is_open) WHERE account_id = $1', [
        id,
        change.isActive ?? null,
      ]);
      await manager.query('SELECT pg_notify($1, $2)', [ACCESS_CHANGED, id]);
      return { ...account, ...change };
    });
  }

  /**
   * Sets a new password and ends all tokens of the account. False, and nothing is changed, when the tokens of this
   * version had been ended already.
   */
  async changePassword(id: string, tokenVersion: number, passwordHash: string): Promise<boolean> {
    const [, changed]: [unknown, number] = await this.database.query(
      'UPDATE accounts SET password_hash = $3, token_version = token_version + 1 WHERE id = $1 AND token_version = $2',
      [id, tokenVersion, passwordHash],
    );
    return changed === 1;
  }
}

const WELCOME = `SELECT ledger_credit($1, $2, 'bonus', $3, 'Welcome credit', 'welcome', NULL, $4)`;

function takenError(error: unknown): Conflict | null {
  const constraint = brokenUniqueness(error);
  if (constraint === null) {
    return null;
  }
  return new Conflict(
    constraint === 'accounts_email' ? 'The e-mail address is taken.' : 'The username is taken.',
  );
}
