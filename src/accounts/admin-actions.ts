import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountDatabases } from '../database/account-databases';
import {
  asProperties,
  type Conditions,
  listRows,
  orderBy,
  type RowPage,
} from '../database/bounded-statements';
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
  idempotencyId: string | null;
}

/** Holds no secret: all admins may read it, for ever. */
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

/** Written in the transaction of the action, so that neither exists without the other. */
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

  /** Whether an unanswered try did it. Ask with the subject locked, so that a try under way is waited for. */
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

  async isOfAnother({ operation, idempotencyId }: AuditedCall, accountId: string): Promise<boolean> {
    const since = new Date(this.clock.now().getTime() - RETRIED_FOR_MS);
    const values = [operation, idempotencyId, accountId, since];
    const done: unknown[] =
      idempotencyId === null ? [] : await this.databases.everyone.query(DONE_TO_ANOTHER, values);
    return done.length > 0;
  }

  async list(
    conditions: Conditions,
    page: Pick<ListQuery, 'limit' | 'offset' | 'order'>,
  ): Promise<RowPage<AdminAction>> {
    const listing = {
      columns: COLUMNS,
      from: 'admin_actions',
      order: orderBy('created_at', page.order, false),
    };
    return listRows(this.databases.everyone, listing, page, conditions);
  }
}

const COLUMNS = asProperties(
  'id, admin_id, operation, account_id, subject_id, reason, before, after, request_id, created_at',
);

const RECORD = `
  INSERT INTO admin_actions
    (id, admin_id, operation, account_id, subject_id, reason, before, after, request_id, idempotency_id, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

// Another reason or outcome is another request under the same key, refused by its own rules.
const DONE = `
  SELECT FROM admin_actions
  WHERE subject_id = $1 AND operation = $2 AND idempotency_id = $3 AND reason IS NOT DISTINCT FROM $4
    AND after @> $5::jsonb AND created_at > $6
  LIMIT 1`;

const DONE_TO_ANOTHER = `
  SELECT FROM admin_actions
  WHERE operation = $1 AND idempotency_id = $2 AND account_id <> $3 AND created_at > $4
  LIMIT 1`;
