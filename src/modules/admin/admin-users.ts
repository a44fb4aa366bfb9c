import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type {
  AdminUser,
  AdminUserDetails,
  CustomRateLimitsRequest,
  ListUsersQuery,
  UpdateUserRequest,
} from '../../../generated/types';
import { AccessKeys } from '../../accounts/access-keys';
import { type Account, type AccountChange, type AccountRateLimits, Accounts } from '../../accounts/accounts';
import { AdminActions, type AuditedCall } from '../../accounts/admin-actions';
import { type PasswordLink, PasswordResets } from '../../accounts/password-resets';
import { TierRates } from '../../accounts/rate-limiter';
import { AccountDatabases } from '../../database/account-databases';
import { inPeriod, type RowPage } from '../../database/bounded-statements';
import { ProcessRegister } from '../../database/process-register';
import type { Announce } from '../../database/process-statements';
import { Conflict, Unprocessable } from '../../errors/api-errors';
import { Ledger } from '../../ledger/ledger';
import { nanoToUsd } from '../../ledger/money';
import { openPeriod } from '../../ledger/period';
import { Balances } from '../../ledger/reconciliation';
import { inSnakeCase } from '../../runtime/json';
import { Payments } from '../billing/payments.repository';
import { Webhooks } from '../webhooks/webhooks.repository';
import { UpgradeDecisions } from './upgrade-decisions';

const CUSTOM_TIER = 'enterprise';

interface UserWithBalance {
  account: Account;
  balanceNanoUsd: bigint;
}

export function toAdminUser({ account, balanceNanoUsd }: UserWithBalance): AdminUser {
  return {
    ...inSnakeCase(account, 'id', 'email', 'username', 'role', 'isEmailVerified', 'createdAt'),
    ...inSnakeCase(account, 'isActive', 'rateLimits'),
    tier: account.tier as AdminUser['tier'],
    balance: nanoToUsd(balanceNanoUsd),
  };
}

@Injectable()
export class AdminService {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly accounts: Accounts,
    private readonly actions: AdminActions,
    private readonly balances: Balances,
    private readonly ledger: Ledger,
    private readonly register: ProcessRegister,
    private readonly resets: PasswordResets,
    private readonly rates: TierRates,
    private readonly keys: AccessKeys,
    private readonly webhooks: Webhooks,
    private readonly payments: Payments,
    private readonly upgrades: UpgradeDecisions,
  ) {}

  async details(userId: string): Promise<AdminUserDetails> {
    const account = await this.accounts.get(userId);
    const { id, tier, rateLimits } = account;
    const { balanceNanoUsd, reservedNanoUsd } = await this.ledger.balance(id);
    const keys = await this.keys.counts(id);
    const webhooks = await this.webhooks.counts(id);
    return {
      ...toAdminUser({ account, balanceNanoUsd }),
      reserved: nanoToUsd(reservedNanoUsd),
      available: nanoToUsd(balanceNanoUsd - reservedNanoUsd),
      rates: this.rates.tier(tier, rateLimits),
      keys: inSnakeCase(keys, 'active', 'expired', 'revoked', 'lastUsedAt'),
      webhooks: inSnakeCase(webhooks, 'active', 'inactive', 'switchedOff'),
      payments_in_review: await this.payments.reviewCount(id),
      pending_upgrade_request_id: await this.upgrades.pendingOf(id),
    };
  }

  async list(query: ListUsersQuery): Promise<RowPage<UserWithBalance>> {
    const { search, status } = query;
    const { items, ...page } = await this.accounts.list(query, {
      '(email ILIKE $ OR username ILIKE $)': search && containing(search),
      'tier = $': query.tier,
      'role = $': query.role,
      'is_active = $': status && status === 'active',
      ...inPeriod(openPeriod(query)),
    });
    return { items: await this.withBalances(items), ...page };
  }

  /** The change is in force on all processes before the request is answered. */
  async update(call: AuditedCall, userId: string, request: UpdateUserRequest): Promise<UserWithBalance> {
    const update = async (manager: EntityManager, announce: Announce): Promise<Account> => {
      const { before, after } = await this.accounts.updateWithin(manager, userId, announce, (account) => {
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
    };
    const updated = await this.register.changingWithin(userId, update);
    if (!updated.isActive) {
      await this.ledger.endSilent(updated.id);
    }
    const [user] = await this.withBalances([updated]);
    return user as UserWithBalance;
  }

  /** @throws NotFound, and Conflict for a disabled account, which could not log in with it */
  async resetPassword(call: AuditedCall, userId: string, reason: string | null): Promise<PasswordLink> {
    const account = await this.accounts.get(userId);
    if (!account.isActive) {
      throw new Conflict('The account is disabled.');
    }
    const link = this.resets.give(account);
    await this.actions.record(this.databases.of(account.id).manager, call, {
      accountId: account.id,
      subjectId: account.id,
      reason,
      before: {},
      after: { link_expires_at: link.expiresAt },
    });
    return link;
  }

  /** Ends every token and session of an account; when this returns, all processes know. @throws NotFound */
  async logout(call: AuditedCall, userId: string, reason: string | null): Promise<void> {
    const logout = async (manager: EntityManager, announce: Announce) => {
      const { after } = await this.accounts.updateWithin(manager, userId, announce, () => ({
        endsTokens: true,
      }));
      const change = { accountId: after.id, subjectId: after.id, reason, before: {}, after: {} };
      await this.actions.record(manager, call, change);
    };
    await this.register.changingWithin(userId, logout);
  }

  private async withBalances(accounts: Account[]): Promise<UserWithBalance[]> {
    const balances = await this.balances.of(accounts.map(({ id }) => id));
    return accounts.map((account) => {
      const balanceNanoUsd = balances.get(account.id);
      if (balanceNanoUsd === undefined) {
        throw new Error(`account ${account.id} has no balance`);
      }
      return { account, balanceNanoUsd };
    });
  }
}

function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** @throws Unprocessable for limits on a tier that has none of its own */
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
