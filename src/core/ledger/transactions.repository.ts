import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isId } from '../../infrastructure/ids/is-id';
import type { OpenPeriod } from '../calls/period';
import { NotFound } from '../errors/request-errors';

export type TransactionType = 'deposit' | 'charge' | 'refund' | 'adjustment' | 'bonus';

/** One entry of the ledger. Amounts in nano-USD, negative where credit left the account. */
export interface Transaction {
  id: string;
  type: TransactionType;
  amountNanoUsd: bigint;
  balanceAfterNanoUsd: bigint;
  description: string;
  /** The call's id for a charge; for a credit what makes it unique, null where nothing does. */
  referenceId: string | null;
  requestId: string | null;
  keyId: string | null;
  createdAt: Date;
}

export interface TransactionFilter {
  accountId: string;
  period: OpenPeriod;
  /** Any type where absent. */
  type?: TransactionType;
}

export interface TransactionOrder {
  sort: 'created_at' | 'amount';
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** The signed sum of one type, nano-USD. */
export interface TransactionTypeTotal {
  type: TransactionType;
  count: number;
  amountNanoUsd: bigint;
}

/** The ledger as its account reads it; only the ledger's own functions write it. */
@Injectable()
export class Transactions {
  constructor(private readonly database: DataSource) {}

  /**
   * A page of the entries that meet the filter, and how many do. In time they stand by their position, which is
   * given under the account's lock: their times come from the clocks of several replicas.
   */
  async list(
    filter: TransactionFilter,
    page: TransactionOrder,
  ): Promise<{ transactions: Transaction[]; total: number }> {
    const values = filterValues(filter);
    const [counted]: { total: string }[] = await this.database.query(
      `SELECT count(*) AS total FROM ledger_entries WHERE ${FILTER}`,
      values,
    );
    const rows: TransactionRow[] = await this.database.query(
      `SELECT ${COLUMNS} FROM ledger_entries WHERE ${FILTER} ORDER BY ${orderOf(page)} LIMIT $5 OFFSET $6`,
      [...values, page.limit, page.offset],
    );
    return { transactions: rows.map(transactionOf), total: Number(counted?.total ?? 0) };
  }

  /** @throws NotFound when the account has no such transaction, whoever else may have it */
  async get(accountId: string, id: string): Promise<Transaction> {
    const rows: TransactionRow[] = isId(id)
      ? await this.database.query(`SELECT ${COLUMNS} FROM ledger_entries WHERE id = $1 AND account_id = $2`, [
          id,
          accountId,
        ])
      : [];
    const row = rows[0];
    if (!row) {
      throw new NotFound('transaction');
    }
    return transactionOf(row);
  }

  /** The sums by type of the entries that meet the filter; types without entries are left out. */
  async totals(filter: TransactionFilter): Promise<TransactionTypeTotal[]> {
    const rows: { type: TransactionType; count: string; amount_nano: string }[] = await this.database.query(
      `SELECT type, count(*) AS count, sum(amount_nano) AS amount_nano FROM ledger_entries WHERE ${FILTER}
       GROUP BY type ORDER BY type`,
      filterValues(filter),
    );
    return rows.map((row) => ({
      type: row.type,
      count: Number(row.count),
      amountNanoUsd: BigInt(row.amount_nano),
    }));
  }

  /** The account's newest deposit with this reference, or with one that continues it after a colon. */
  async newestDeposit(accountId: string, reference: string): Promise<Transaction | null> {
    const [row]: TransactionRow[] = await this.database.query(
      `SELECT ${COLUMNS} FROM ledger_entries
       WHERE account_id = $1 AND type = 'deposit' AND (reference_id = $2 OR starts_with(reference_id, $2 || ':'))
       ORDER BY position DESC LIMIT 1`,
      [accountId, reference],
    );
    return row ? transactionOf(row) : null;
  }
}

const COLUMNS = `id, type, amount_nano, balance_after_nano, description, reference_id, request_id, key_id, created_at`;

const FILTER = `account_id = $1 AND ($2::text IS NULL OR type = $2)
  AND ($3::timestamptz IS NULL OR created_at >= $3) AND ($4::timestamptz IS NULL OR created_at < $4)`;

const SORTED_BY = { created_at: 'position', amount: 'amount_nano' } as const;

function filterValues({ accountId, period, type }: TransactionFilter): unknown[] {
  return [accountId, type ?? null, period.start, period.end];
}

/** Equal amounts stand by their position, so that no entry is on two pages. */
function orderOf({ sort, order }: TransactionOrder): string {
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  return `${SORTED_BY[sort]} ${direction}, position ${direction}`;
}

interface TransactionRow {
  id: string;
  type: TransactionType;
  amount_nano: string;
  balance_after_nano: string;
  description: string;
  reference_id: string | null;
  request_id: string | null;
  key_id: string | null;
  created_at: Date;
}

function transactionOf(row: TransactionRow): Transaction {
  return {
    id: row.id,
    type: row.type,
    amountNanoUsd: BigInt(row.amount_nano),
    balanceAfterNanoUsd: BigInt(row.balance_after_nano),
    description: row.description,
    referenceId: row.reference_id,
    requestId: row.request_id,
    keyId: row.key_id,
    createdAt: row.created_at,
  };
}
