import { Injectable } from '@nestjs/common';
import { Column, Entity, type EntityManager, In, PrimaryColumn, type Repository } from 'typeorm';
import { AccountDatabases } from '../database/account-databases';
import { asProperties, type Conditions, listRows, type RowPage } from '../database/bounded-statements';
import { brokenUniqueness } from '../database/driver-errors';
import { ProcessRegister } from '../database/process-register';
import type { Announce } from '../database/process-statements';
import { Conflict, NotFound } from '../errors/api-errors';
import { Clock } from '../runtime/clock';
import { isId, newId } from '../runtime/ids';
import { emailOfNewAccount, normalEmail } from './email-address';
import { removePlaygroundKeys } from './playground-keys';

export interface AccountPrincipal {
  id: string;
  role: 'user' | 'admin';
  tier: string;
}

/** Null means no limit in that span. */
export interface AccountRateLimits {
  requests_per_second: number | null;
  requests_per_minute: number | null;
  requests_per_hour: number | null;
  requests_per_day: number | null;
}

/** Raising `tokenVersion`, as disabling or a new password does, ends older tokens and playground keys. */
@Entity('accounts')
export class Account {
  @PrimaryColumn('uuid') id!: string;
  /** In normal form (email-address.ts), except a few older accounts whose normal form is taken. */
  @Column('text') email!: string;
  @Column('text') username!: string;
  @Column('text') passwordHash!: string;
  @Column('text') role!: 'user' | 'admin';
  @Column('text') tier!: string;
  @Column('jsonb', { nullable: true }) rateLimits!: AccountRateLimits | null;
  @Column('boolean') isActive!: boolean;
  @Column('boolean') isEmailVerified!: boolean;
  @Column('integer') tokenVersion!: number;
  @Column('timestamptz') createdAt!: Date;
}

interface NewAccount extends Pick<Account, 'email' | 'username' | 'passwordHash' | 'role' | 'tier'> {
  welcomeNanoUsd?: bigint;
}

export interface AccountChange extends Partial<Pick<Account, 'tier' | 'rateLimits' | 'isActive'>> {
  endsTokens?: boolean;
}

interface AccountPage {
  limit: number;
  offset: number;
  sort: 'created_at' | 'email' | 'username';
  order: 'asc' | 'desc';
}

interface TierCount {
  tier: string;
  total: number;
  active: number;
  recent: number;
}

@Injectable()
export class Accounts {
  private readonly repository: Repository<Account>;

  constructor(
    private readonly databases: AccountDatabases,
    private readonly clock: Clock,
    private readonly register: ProcessRegister,
  ) {
    this.repository = databases.everyone.getRepository(Account);
  }

  /** @throws Conflict when e-mail or username is taken; ValidationFailed for an unfit address */
  async create({ welcomeNanoUsd = 0n, ...fields }: NewAccount): Promise<Account> {
    const email = emailOfNewAccount(fields.email);
    const account = this.repository.create({
      ...fields,
      email,
      id: this.databases.newAccountId(),
      rateLimits: null,
      isActive: true,
      isEmailVerified: false,
      tokenVersion: 1,
      createdAt: this.clock.now(),
    });
    try {
      await this.databases.keepNames(account);
      await this.databases.of(account.id).transaction(async (manager) => {
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

  /** By normal form; older accounts whose normal form is taken are found by exact spelling. */
  async findByEmail(email: string): Promise<Account | null> {
    const emails = [email, normalEmail(email)];
    const found = await (this.databases.places
      ? this.findNamed(emails)
      : this.repository.findBy({ email: In(emails) }));
    return found.find((account) => account.email === email) ?? found[0] ?? null;
  }

  private async findNamed(emails: string[]): Promise<Account[]> {
    const { everyone } = this.databases;
    const named: { id: string }[] = await everyone.query(NAMED, [emails]);
    const found = await Promise.all(
      named.map(({ id }) => this.databases.of(id).manager.findBy(Account, { id })),
    );
    return found.flat();
  }

  /** @throws NotFound */
  async get(id: string): Promise<Account> {
    const account = isId(id) ? await this.databases.of(id).manager.findOneBy(Account, { id }) : null;
    if (!account) {
      throw new NotFound('user');
    }
    return account;
  }

  async list(page: AccountPage, conditions: Conditions): Promise<RowPage<Account>> {
    const names = this.repository.metadata.columns.map(({ databaseName }) => databaseName);
    const order = `${page.sort} ${page.order}, id`;
    const listing = { columns: asProperties(names.join(', ')), from: 'accounts', order };
    return listRows(this.databases.everyone, listing, page, conditions);
  }

  /** In its own transaction. All processes know on return. */
  async update(id: string, decide: (account: Account) => AccountChange): Promise<Account> {
    return this.register.changingWithin(
      id,
      async (manager, announce) => (await this.updateWithin(manager, id, announce, decide)).after,
    );
  }

  /** Locks the account, then its balance, which disabling closes. @throws NotFound */
  async updateWithin(
    manager: EntityManager,
    id: string,
    announce: Announce,
    decide: (account: Account) => AccountChange,
  ): Promise<{ before: Account; after: Account }> {
    // A stronger lock could deadlock with foreign-key checks of inserted access keys.
    const lock = { mode: 'for_no_key_update' } as const;
    const before = isId(id) ? await manager.findOne(Account, { where: { id }, lock }) : null;
    if (!before) {
      throw new NotFound('user');
    }
    const { endsTokens = false, ...decided } = decide(before);
    const change: Partial<Account> = { ...decided };
    if (endsTokens || change.isActive === false) {
      change.tokenVersion = before.tokenVersion + 1;
    }
    await manager.update(Account, { id }, change);
    await manager.query('UPDATE balances SET is_open = coalesce($2, is_open) WHERE account_id = $1', [
      id,
      change.isActive ?? null,
    ]);
    if (change.tokenVersion !== undefined) {
      await removePlaygroundKeys(manager, id, null);
    }
    await announce(manager);
    return { before, after: { ...before, ...change } };
  }

  async countsByTier(recentSince: Date): Promise<TierCount[]> {
    return this.databases.everyone.query<TierCount[]>(
      `SELECT tier, count(*)::integer AS total, (count(*) FILTER (WHERE is_active))::integer AS active,
         (count(*) FILTER (WHERE created_at >= $1))::integer AS recent
       FROM accounts GROUP BY tier ORDER BY tier`,
      [recentSince],
    );
  }

  async hasActiveAdmin(): Promise<boolean> {
    return this.repository.existsBy({ role: 'admin', isActive: true });
  }

  /** Ends its tokens too: a stranger may have registered it. False for an active admin. */
  async promote(id: string, passwordHash: string): Promise<boolean> {
    return this.register.changingWithin(id, async (manager, announce) => {
      const [, promoted]: [unknown, number] = await manager.query(
        `UPDATE accounts SET role = 'admin', is_active = true, password_hash = $2, token_version = token_version + 1
         WHERE id = $1 AND NOT (role = 'admin' AND is_active)`,
        [id, passwordHash],
      );
      if (promoted === 1) {
        await manager.query('UPDATE balances SET is_open = true WHERE account_id = $1', [id]);
        await removePlaygroundKeys(manager, id, null);
        await announce(manager);
      }
      return promoted === 1;
    });
  }

  /** All processes know on return. False for an ended token version or a disabled account. */
  async changePassword(
    id: string,
    tokenVersion: number,
    passwordHash: string,
    { confirmsEmail = false }: { confirmsEmail?: boolean } = {},
  ): Promise<boolean> {
    return this.register.changingWithin(id, async (manager, announce) => {
      const [, changed]: [unknown, number] = await manager.query(
        `UPDATE accounts SET password_hash = $3, token_version = token_version + 1,
           is_email_verified = is_email_verified OR $4
         WHERE id = $1 AND token_version = $2 AND is_active`,
        [id, tokenVersion, passwordHash, confirmsEmail],
      );
      if (changed === 1) {
        await removePlaygroundKeys(manager, id, null);
      }
      await announce(manager);
      return changed === 1;
    });
  }
}

const NAMED = 'SELECT account_id AS id FROM account_names WHERE email = ANY ($1)';

const WELCOME = `SELECT ledger_credit($1, $2, 'bonus', $3, 'Welcome credit', 'welcome', NULL, $4)`;

function takenError(error: unknown): Conflict | null {
  const constraint = brokenUniqueness(error);
  const what = constraint === 'accounts_email' ? 'e-mail address' : 'username';
  return constraint === null ? null : new Conflict(`The ${what} is taken.`);
}
