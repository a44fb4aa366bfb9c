import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountDatabases } from '../database/account-databases';
import { countOf } from '../database/bounded-statements';
import { Clock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import { type ListQuery, RETRIED_FOR_MS } from './account-rows';

export type AdminOperation =
  | 'updateUser'
  | 'addCredits'
  | 'resolvePayment'
  | 'approveUpgradeRequest'
  | 'rejectUpgradeRequest'
  | 'enableWebhook'
  | 'createPasswordReset'
  | 'logoutUser';

export interface AuditedCall {
  adminId: string;
  operation: AdminOperation;
  requestId: string;
  /** The same for every try of one call; null where the caller sent no Idempotency-Key. */
  idempotencyId: string | null;
}

/** Nothing secret stands in it: all admins may read it, for ever. */
export interface AdminChange {
  accountId: string;
  subjectId: string;
  reason: string | null;
  before: object;
  after: object;
}

export interface AdminAction extends AdminChange, Omit<AuditedCall, 'idempotencyId'> {
  id: string;
  createdAt: Date;
}

interface AdminActionFilter {
  adminId: string | null;
  operation: AdminOperation | null;
  accountId: string | null;
  createdFrom: Date | null;
  createdBefore: Date | null;
}

/** What admins did, written in the transaction that does it: neither is there without the other. */
@Injectable()
export class AdminActions {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly clock: Clock,
  ) {}

  async record(
    manager: Pick<EntityManager, 'query'>,
    { adminId, operation, requestId, idempotencyId }: AuditedCall,
    { accountId, subjectId, reason, before, after }: AdminChange,
  ): Promise<void> {
    await manager.query(RECORD, [
      newId(),
      adminId,
      operation,
      accountId,
      subjectId,
      reason,
      JSON.stringify(before),
      JSON.stringify(after),
      requestId,
      idempotencyId,
      this.clock.now(),
    ]);
  }

  /** Whether an earlier try, whose answer was lost, did it. Ask with the subject locked: a try under way is waited for. */
  async isDone(
    manager: Pick<EntityManager, 'query'>,
    { operation, idempotencyId }: AuditedCall,
    { subjectId, reason, after }: Pick<AdminChange, 'subjectId' | 'reason' | 'after'>,
  ): Promise<boolean> {
    if (idempotencyId === null) {
      return false;
    }
    const since = new Date(this.clock.now().getTime() - RETRIED_FOR_MS);
    const done: unknown[] = await manager.query(DONE, [
      subjectId,
      operation,
      idempotencyId,
      reason,
      JSON.stringify(after),
      since,
    ]);
    return done.length > 0;
  }

  async list(
    { adminId, operation, accountId, createdFrom, createdBefore }: AdminActionFilter,
    { limit, offset, order }: Pick<ListQuery, 'limit' | 'offset' | 'order'>,
  ): Promise<{ actions: AdminAction[]; total: number }> {
    const values = [adminId, operation, accountId, createdFrom, createdBefore];
    const direction = order === 'asc' ? 'ASC' : 'DESC';
    const total = await countOf(this.databases.everyone, `admin_actions WHERE ${MEETS}`, values);
    const actions: AdminAction[] = await this.databases.everyone.query(
      `SELECT ${COLUMNS} FROM admin_actions WHERE ${MEETS} ORDER BY created_at ${direction}, id ${direction} LIMIT $6 OFFSET $7`,
      [...values, limit, offset],
    );
    return { actions, total };
  }
}

const COLUMNS = `id, admin_id AS "adminId", operation, account_id AS "accountId", subject_id AS "subjectId", reason, before, after,
  request_id AS "requestId", created_at AS "createdAt"`;

const RECORD = `
  INSERT INTO admin_actions
    (id, admin_id, operation, account_id, subject_id, reason, before, after, request_id, idempotency_id, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

// With another reason or outcome it is another request under the same key, and its own refusal is the answer.
const DONE = `
  SELECT FROM admin_actions
  WHERE subject_id = $1 AND operation = $2 AND idempotency_id = $3 AND reason IS NOT DISTINCT FROM $4
    AND after @> $5::jsonb AND created_at > $6
  LIMIT 1`;

const MEETS = `($1::uuid IS NULL OR admin_id = $1) AND ($2::text IS NULL OR operation = $2)
  AND ($3::uuid IS NULL OR account_id = $3) AND ($4::timestamptz IS NULL OR created_at >= $4)
  AND ($5::timestamptz IS NULL OR created_at < $5)`;
