import { Injectable } from '@nestjs/common';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions';
import { AccountDatabases } from '../database/account-databases';
import { asProperties, type StoredRow, withBigints } from '../database/bounded-statements';
import { longQuery } from '../database/connection-pool';
import { ServiceUnavailable, ValidationFailed } from '../errors/api-errors';
import { FairConcurrencyLimit } from '../runtime/concurrency-limit';
import { isId, smallestIdAt } from '../runtime/ids';
import type { OpenPeriod } from './period';

export interface CallReceipt {
  requestId: string;
  clientRequestId: string | null;
  operation: string;
  keyId: string | null;
  status: number | null;
  outcome: 'in_flight' | 'settled' | 'released' | 'refused' | 'expired';
  model: string | null;
  price: string | null;
  priceVersion: string | null;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
  reservedNanoUsd: bigint;
  chargedNanoUsd: bigint;
  latencyMs: number | null;
  transactionId: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

export const RECEIPT_COLUMNS = `
  ${asProperties('account_id, request_id, client_request_id, operation, key_id, status, outcome, model, price, price_version')},
  ${asProperties('input_tokens, output_tokens, cached_tokens, cache_write_tokens')}, reserved_nano AS "reservedNanoUsd",
  charged_nano AS "chargedNanoUsd", latency_ms AS "latencyMs",
  CASE WHEN charged_nano > 0 THEN coalesce(entry_id, id) END AS "transactionId", ${asProperties('created_at, completed_at')}`;

export type CallRow = StoredRow<CallReceipt> & { accountId: string };

export function callOf({ accountId, ...row }: CallRow): AccountCall {
  return { accountId, receipt: withBigints(row, 'reservedNanoUsd', 'chargedNanoUsd') };
}

/** A filter that few calls pass makes the database read many. */
const LOOKED_WITHIN_MS = 10_000;

/** Lists may hold this share of the pool's connections; calls need the others. */
const SHARE_OF_POOL = 1 / 4;
const RETRY_AFTER_SECONDS = 5;

/** A call's id has the time of its request's head; an upload or a task's run may pass until `created_at`. */
const ID_APART_MS_MAX = 60 * 60 * 1000;

const OPERATORS = 'operators';

export interface CallFilter {
  /** Null for all accounts. */
  accountId: string | null;
  period: OpenPeriod;
  keyId: string | null;
  operation: string | null;
  model: string | null;
  outcome: string | null;
  status: number | null;
  minCostNanoUsd: bigint | null;
}

export interface AccountCall {
  accountId: string;
  receipt: CallReceipt;
}

/** Newest first. The cursor is the last row's position, so every page costs the same. */
@Injectable()
export class CallList {
  private readonly turns: FairConcurrencyLimit;

  constructor(private readonly databases: AccountDatabases) {
    const { poolSize = 1 } = databases.everyone.options as PostgresDataSourceOptions;
    const atOnceMax = Math.max(1, Math.floor(poolSize * SHARE_OF_POOL));
    // One list at a time for each account: each may hold its connection for seconds.
    const ofAccounts = { accountAtOnceMax: 1, accountWaitingMax: 10 };
    const busy = () =>
      new ServiceUnavailable('Too many lists of calls are read; call again.', RETRY_AFTER_SECONDS);
    const bounds = { atOnceMax, waitingMax: 1_000, waitMsMax: 5_000, ...ofAccounts };
    this.turns = new FairConcurrencyLimit(bounds, busy);
  }

  /** @throws ValidationFailed for an unknown cursor; ServiceUnavailable when too many lists are read */
  async page(filter: CallFilter, limit: number, cursor: string | null) {
    const after = cursor === null ? null : positionOf(cursor);
    const { accountId, period, keyId, operation, model, outcome, status, minCostNanoUsd } = filter;
    const values: unknown[] = [];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const conditions = [
      accountId !== null && `account_id = ${bind(accountId)}`,
      period.start && `created_at >= ${bind(period.start)}`,
      period.end && `created_at < ${bind(period.end)}`,
      // Across accounts the partitions are keyed by id: a condition on time alone would read all later ones.
      accountId === null && period.start && `id >= ${bind(idAt(period.start, -ID_APART_MS_MAX))}`,
      accountId === null && period.end && `id < ${bind(idAt(period.end, ID_APART_MS_MAX))}`,
      keyId !== null && `key_id = ${bind(keyId)}`,
      operation !== null && `operation = ${bind(operation)}`,
      model !== null && `model = ${bind(model)}`,
      outcome !== null && `outcome = ${bind(outcome)}`,
      status !== null && `status = ${bind(status)}`,
      minCostNanoUsd !== null && `charged_nano >= ${bind(minCostNanoUsd.toString())}`,
      after &&
        (accountId === null
          ? `id < ${bind(after.id)}`
          : `(created_at, id) < (${bind(after.time)}, ${bind(after.id)})`),
    ].filter((condition) => typeof condition === 'string');
    // Across accounts ids give the order, as they grow with time; one account's calls have their own index.
    const order = accountId === null ? 'id DESC' : 'created_at DESC, id DESC';
    const sql = `SELECT id, ${RECEIPT_COLUMNS} FROM calls WHERE ${conditions.join(' AND ') || 'true'}
      ORDER BY ${order} LIMIT ${bind(limit + 1)}`;
    const database = accountId === null ? this.databases.everyone : this.databases.of(accountId);
    const rows = await this.turns.within(accountId ?? OPERATORS, () =>
      longQuery<CallRow & { id: string }>(database, LOOKED_WITHIN_MS, sql, values),
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      calls: shown.map(({ id: _, ...row }) => callOf(row)),
      nextCursor: rows.length > limit && last ? cursorOf(last.createdAt, last.id) : null,
    };
  }
}

function idAt(time: Date, apartMs: number): string {
  return smallestIdAt(new Date(time.getTime() + apartMs));
}

function cursorOf(time: Date, id: string): string {
  return Buffer.from(`${time.getTime()} ${id}`).toString('base64url');
}

function positionOf(cursor: string): { time: Date; id: string } {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  if (!/^\d{1,14}$/.test(time) || !isId(id)) {
    throw new ValidationFailed([{ field: 'cursor', message: 'must be the next_cursor of a page' }]);
  }
  return { time: new Date(Number(time)), id };
}
