import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type {
  AdminUser,
  AdminUserDetails,
  CustomRateLimitsRequest,
  ListUpgradeRequestsQuery,
  ListUsersQuery,
  UpdateUserRequest,
  UserReference,
} from '../../../generated/types';
import { AccessKeys } from '../../accounts/access-keys';
import { type Account, type AccountChange, type AccountRateLimits, Accounts } from '../../accounts/accounts';
import { AdminActions, type AuditedCall } from '../../accounts/admin-actions';
import { KeyDirectory } from '../../accounts/key-cache';
import { type PasswordLink, PasswordResets } from '../../accounts/password-resets';
import { TierRates } from '../../accounts/rate-limiter';
import { AccountDatabases } from '../../database/account-databases';
import {
  type Conditions,
  countOf,
  inPeriod,
  listRows,
  orderBy,
  type RowPage,
} from '../../database/bounded-statements';
import { ProcessRegister } from '../../database/process-register';
import type { Announce } from '../../database/process-statements';
import { Conflict, NotFound, Unprocessable } from '../../errors/api-errors';
import { Ledger } from '../../ledger/ledger';
import { nanoToUsd } from '../../ledger/money';
import { openPeriod } from '../../ledger/period';
import { Balances } from '../../ledger/reconciliation';
import { Clock } from '../../runtime/clock';
import { isId } from '../../runtime/ids';
import { inSnakeCase } from '../../runtime/json';
import { Payments } from '../billing/payments.repository';
import type { UpgradeRequestRow } from '../support/support';
import { Webhooks } from '../webhooks/webhooks.repository';

const CUSTOM_TIER = 'enterprise';

export interface JudgedRequest extends UpgradeRequestRow {
  account: UserReference;
  decidedAt: Date | null;
  decidedBy: string | null;
  note: string | null;
}

interface UpgradeDecision {
  requestId: string;
  note: string | null;
  status: 'approved' | 'rejected';
  rateLimits?: CustomRateLimitsRequest | undefined;
}

/** Locks are taken on the request before the account. */
@Injectable()
export class UpgradeDecisions {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly accounts: Accounts,
    private readonly actions: AdminActions,
    private readonly directory: KeyDirectory,
    private readonly clock: Clock,
    private readonly register: ProcessRegister,
  ) {}

  async list(
    conditions: Conditions,
    page: Pick<ListUpgradeRequestsQuery, 'limit' | 'offset' | 'sort' | 'order'>,
  ): Promise<RowPage<JudgedRequest>> {
    const order = orderBy(`r.${page.sort}`, page.order, page.sort === 'decided_at', 'r.id');
    return listRows(this.databases.everyone, { columns: COLUMNS, from: REQUESTS, order }, page, conditions);
  }

  async pendingCount(): Promise<number> {
    return countOf(this.databases.everyone, "upgrade_requests WHERE status = 'pending'");
  }

  async pendingOf(accountId: string): Promise<string | null> {
    const database = this.databases.of(accountId);
    const [row]: { id: string }[] = await database.query(
      `SELECT id FROM upgrade_requests WHERE account_id = $1 AND status = 'pending'`,
      [accountId],
    );
    return row?.id ?? null;
  }

  /** One transaction: of two admins who decide at once, the second is refused. A retry finds its decision. */
  async decide(call: AuditedCall, decision: UpgradeDecision): Promise<JudgedRequest> {
    const { requestId: id, note, status } = decision;
    if (!isId(id)) {
      throw new NotFound('upgrade request');
    }
    const database = await this.databases.with('upgrade_requests', id);
    const decided = await database.transaction(async (manager) => {
      const [locked]: { status: UpgradeRequestRow['status'] }[] = await manager.query(LOCK, [id]);
      if (!locked) {
        throw new NotFound('upgrade request');
      }
      const request = await requestOf(manager, id);
      if (locked.status !== 'pending') {
        if (await this.actions.isDone(manager, call, { subjectId: id, reason: note, after: { status } })) {
          return request;
        }
        throw new Conflict(`The upgrade request is ${locked.status} already.`);
      }
      await manager.query(DECIDE, [id, status, this.clock.now(), call.adminId, note]);
      const { before, after } = await this.changed(manager, request, decision);
      await this.actions.record(manager, call, {
        accountId: request.accountId,
        subjectId: id,
        reason: note,
        before: { status: 'pending', ...before },
        after: { status, ...after },
      });
      return requestOf(manager, id);
    });
    if (status === 'approved') {
      this.directory.forget(decided.accountId);
    }
    return decided;
  }

  private async changed(
    manager: EntityManager,
    { accountId, requestedTier }: JudgedRequest,
    { status, rateLimits }: UpgradeDecision,
  ): Promise<{ before: object; after: object }> {
    if (status === 'rejected') {
      return { before: {}, after: {} };
    }
    const { before, after } = await this.accounts.updateWithin(
      manager,
      accountId,
      this.register.announcing(accountId),
      (account) => changeOf(account, { tier: requestedTier, rate_limits: rateLimits }),
    );
    const shown = ({ tier, rateLimits: limits }: Account) => ({ tier, rate_limits: limits });
    return { before: shown(before), after: shown(after) };
  }
}

async function requestOf(manager: EntityManager, id: string): Promise<JudgedRequest> {
  const query = `SELECT ${COLUMNS} FROM ${REQUESTS} WHERE r.id = $1`;
  const [row] = await manager.query<JudgedRequest[]>(query, [id]);
  if (!row) {
    throw new NotFound('upgrade request');
  }
  return row;
}

const LOCK = 'SELECT status FROM upgrade_requests WHERE id = $1 FOR NO KEY UPDATE';

const COLUMNS = `r.id, r.account_id AS "accountId", r.requested_tier AS "requestedTier", r.reason,
    r.estimated_requests_per_day::float8 AS "estimatedRequestsPerDay", r.status, r.created_at AS "createdAt",
    r.decided_at AS "decidedAt", r.decided_by AS "decidedBy", r.note,
    json_build_object('id', a.id, 'email', a.email, 'username', a.username, 'tier', a.tier) AS account`;

const REQUESTS = 'upgrade_requests AS r JOIN accounts AS a ON a.id = r.account_id';

const DECIDE = `
  UPDATE upgrade_requests SET status = $2, decided_at = $3, decided_by = $4, note = $5 WHERE id = $1`;

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

  /** All processes know of the change before the request is answered. */
  async update(call: AuditedCall, userId: string, request: UpdateUserRequest): Promise<UserWithBalance> {
    const update = async (manager: EntityManager, announce: Announce): Promise<Account> => {
      const { before, after } = await this.accounts.updateWithin(manager, userId, announce, (account) => {
        if (account.id === call.adminId && request.is_active === false) {
          throw new Unprocessable('Admins cannot disable themselves.');
        }
        return changeOf(account, request);
      });
      if (after.isActive && !before.isActive) {
        await this.webhooks.forgetFailures(manager, after.id);
      }
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

  /** Ends every token and session; when this returns, all processes know. @throws NotFound */
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

/** Own limits end when the account leaves the tier that allows them, and do not return with it. */
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
