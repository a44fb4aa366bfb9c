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

  /** Whether an earlier try of the call changed another account. */
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

// With another reason or outcome it is another request under the same key, and its own refusal is the answer.
const DONE = `
  SELECT FROM admin_actions
  WHERE subject_id = $1 AND operation = $2 AND idempotency_id = $3 AND reason IS NOT DISTINCT FROM $4
    AND after @> $5::jsonb AND created_at > $6
  LIMIT 1`;

const DONE_TO_ANOTHER = `
  SELECT FROM admin_actions
  WHERE operation = $1 AND idempotency_id = $2 AND account_id <> $3 AND created_at > $4
  LIMIT 1`;
