import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { CustomRateLimitsRequest, ListUsersQuery, UpdateUserRequest } from '../../../generated/types';
import { KeyDirectory } from '../../core/access/access-keys/key-directory';
import type { Account, AccountRateLimits } from '../../core/access/accounts/account.entity';
import { AdminActions, type AdminCall } from '../../core/access/admin-actions/admin-actions.repository';
import { Accounts, type AccountChange } from '../../core/access/accounts/accounts.repository';
import { Unprocessable } from '../../core/errors/request-errors';
import { Balances } from '../../core/money/ledger/balances.repository';
import { openPeriod } from '../../core/money/usage/period';
import {
  ReconciliationRepository,
  type Reconciliation,
} from '../../core/money/ledger/reconciliation.repository';
import { AccountSummaries, type UserDetails } from './account-summaries';

const CUSTOM_TIER = 'enterprise';

export interface UserWithBalance {
  account: Account;
  balanceNanoUsd: bigint;
}

/** The accounts as operators see and change them, and the check that the ledger adds up. */
@Injectable()
export class AdminService {
  constructor(
    private readonly database: DataSource,
    private readonly accounts: Accounts,
    private readonly actions: AdminActions,
    private readonly balances: Balances,
    private readonly reconciliation: ReconciliationRepository,
    private readonly directory: KeyDirectory,
    private readonly summaries: AccountSummaries,
  ) {}

  /** @throws Unprocessable when the period would end before it starts */
  async list(query: ListUsersQuery): Promise<{ users: UserWithBalance[]; total: number }> {
    const { start, end } = openPeriod(query);
    const { accounts, total } = await this.accounts.list({
      ...query,
      isActive: query.status === undefined ? null : query.status === 'active',
      createdFrom: start,
      createdBefore: end,
    });
    return { users: await this.withBalances(accounts), total };
  }

  /** @throws NotFound */
  async get(userId: string): Promise<UserDetails> {
    return this.summaries.of(await this.accounts.get(userId));
  }

  /**
   * Changes what the request names, and notes who did. On this replica the change is in force before the request is
   * answered.
   * @throws NotFound, and Unprocessable for limits on a tier without limits of its own or when admins disable
   * themselves
   */
  async update(call: AdminCall, userId: string, request: UpdateUserRequest): Promise<UserWithBalance> {
    const updated = await this.database.transaction(async (manager) => {
      const { before, after } = await this.accounts.updateWithin(manager, userId, (account) => {
        if (account.id === call.adminId && request.is_active === false) {
          throw new Unprocessable('Admins cannot disable themselves.');
        }
        return changeOf(account, request);
      });
      await this.actions.record(manager, call, {
        accountId: after.id,
        subjectId: after.id,
        reason: request.reason ?? null,
        before: accessOf(before),
        after: accessOf(after),
      });
      return after;
    });
    this.directory.forget(updated.id);
    return this.withBalance(updated);
  }

  async reconcile(): Promise<Reconciliation> {
    return this.reconciliation.reconcile();
  }

  private async withBalance(account: Account): Promise<UserWithBalance> {
    const balances = await this.balances.of([account.id]);
    return { account, balanceNanoUsd: balanceOf(balances, account) };
  }

  private async withBalances(accounts: Account[]): Promise<UserWithBalance[]> {
    const balances = await this.balances.of(accounts.map(({ id }) => id));
    return accounts.map((account) => ({ account, balanceNanoUsd: balanceOf(balances, account) }));
  }
}

function balanceOf(balances: Map<string, bigint>, account: Account): bigint {
  const balanceNanoUsd = balances.get(account.id);
  if (balanceNanoUsd === undefined) {
    throw new Error(`account ${account.id} has no balance`);
  }
  return balanceNanoUsd;
}

/**
 * What a request changes about an account.
 * @throws Unprocessable for limits on a tier that has none of its own
 */
export function changeOf(account: Account, request: UpdateUserRequest): AccountChange {
  if (Object.keys(request).every((name) => name === 'reason')) {
    throw new Unprocessable('A reason alone changes nothing: name what is to be changed.');
  }
  const tier = request.tier ?? account.tier;
  if (request.rate_limits && tier !== CUSTOM_TIER) {
    throw new Unprocessable(
      `Only the tier ${CUSTOM_TIER} can have limits of its own; this account's is ${tier}.`,
    );
  }
  return {
    rateLimits: tier === CUSTOM_TIER ? ownLimits(account, request.rate_limits) : null,
    ...(request.tier === undefined ? {} : { tier: request.tier }),
    ...(request.is_active === undefined ? {} : { isActive: request.is_active }),
  };
}

/** What an admin may change about an account. */
function accessOf({ tier, isActive, rateLimits }: Account): object {
  return { tier, is_active: isActive, rate_limits: rateLimits };
}

/** Own limits end when the account leaves the tier that allows them: one that comes back to it begins without any. */
function ownLimits(account: Account, request: CustomRateLimitsRequest | undefined): AccountRateLimits | null {
  if (request === undefined) {
    return account.tier === CUSTOM_TIER ? account.rateLimits : null;
  }
  return (
    request && {
      requests_per_second: request.requests_per_second ?? null,
      requests_per_minute: request.requests_per_minute ?? null,
      requests_per_hour: request.requests_per_hour ?? null,
      requests_per_day: request.requests_per_day ?? null,
    }
  );
}
