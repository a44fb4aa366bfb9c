import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ListUpgradeRequestsQuery } from '../../../generated/types';
import { type Account, type AccountChange, Accounts } from '../../accounts/accounts';
import { AdminActions, type AuditedCall } from '../../accounts/admin-actions';
import { KeyDirectory } from '../../accounts/key-cache';
import { AccountDatabases } from '../../database/account-databases';
import { type Conditions, countOf, listRows, orderBy, type RowPage } from '../../database/bounded-statements';
import { ProcessRegister } from '../../database/process-register';
import { Conflict, NotFound } from '../../errors/api-errors';
import { Clock } from '../../runtime/clock';
import { isId } from '../../runtime/ids';
import type { UpgradeRequestRow } from '../support/support';

export interface JudgedRequest extends UpgradeRequestRow {
  account: { id: string; email: string; username: string; tier: string };
  decidedAt: Date | null;
  decidedBy: string | null;
  note: string | null;
}

interface UpgradeDecision {
  requestId: string;
  note: string | null;
  /** What approving changes about the account, worked out while its row is locked; null rejects. */
  approve: ((account: Account, requestedTier: UpgradeRequestRow['requestedTier']) => AccountChange) | null;
}

/** The operator's side of requests for another tier. Whoever decides locks the request before the account. */
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

  /** One transaction: of two admins who decide at once, the second is refused. A retry of the call that decided finds its decision. */
  async decide(call: AuditedCall, decision: UpgradeDecision): Promise<JudgedRequest> {
    const { requestId: id, note } = decision;
    if (!isId(id)) {
      throw new NotFound('upgrade request');
    }
    const database = await this.databases.with('upgrade_requests', id);
    const decided = await database.transaction(async (manager) => {
      const [locked]: { status: UpgradeRequestRow['status'] }[] = await manager.query(LOCK, [id]);
      if (!locked) {
        throw new NotFound('upgrade request');
      }
      const status = decision.approve ? 'approved' : 'rejected';
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
    if (decision.approve) {
      this.directory.forget(decided.accountId);
    }
    return decided;
  }

  private async changed(
    manager: EntityManager,
    { accountId, requestedTier }: JudgedRequest,
    { approve }: UpgradeDecision,
  ): Promise<{ before: object; after: object }> {
    if (!approve) {
      return { before: {}, after: {} };
    }
    const { before, after } = await this.accounts.updateWithin(
      manager,
      accountId,
      this.register.announcing(accountId),
      (account) => approve(account, requestedTier),
    );
    const shown = ({ tier, rateLimits }: Account) => ({ tier, rate_limits: rateLimits });
    return { before: shown(before), after: shown(after) };
  }
}

async function requestOf(manager: EntityManager, id: string): Promise<JudgedRequest> {
  const [row]: JudgedRequest[] = await manager.query(`SELECT ${COLUMNS} FROM ${REQUESTS} WHERE r.id = $1`, [
    id,
  ]);
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
