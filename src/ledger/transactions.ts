import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AdminActions, type AuditedCall } from '../accounts/admin-actions';
import { AccountDatabases } from '../database/account-databases';
import { asProperties, type StoredRow, withBigints } from '../database/bounded-statements';
import { IdempotencyKeyUsed, NotFound, ServiceUnavailable } from '../errors/api-errors';
import { isId } from '../runtime/ids';
import { inSnakeCase } from '../runtime/json';
import { type CreditOrder, Ledger } from './ledger';
import {
  ENTRIES_AND_FREE_CALLS,
  LedgerQuestion,
  type TransactionFilter,
  type TransactionType,
} from './period-sums';
import { formatUsd, nanoToUsd } from './money';

/** Amounts are negative where credit left the account. */
export interface Transaction {
  id: string;
  type: TransactionType;
  amountNanoUsd: bigint;
  balanceAfterNanoUsd: bigint;
  description: string;
  /** The call's id, or the reference that keeps a credit from being given twice. */
  referenceId: string | null;
  requestId: string | null;
  keyId: string | null;
  createdAt: Date;
}

interface TransactionOrder {
  sort: 'created_at' | 'amount';
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

export interface TransactionTypeTotal {
  type: TransactionType;
  count: number;
  amountNanoUsd: bigint;
}

/** Reads an account's entries. Only the ledger's Postgres functions write them. */
@Injectable()
export class Transactions {
  constructor(private readonly databases: AccountDatabases) {}

  /** Orders by position, assigned under the account's lock: times come from the clocks of many replicas. */
  async list(
    filter: TransactionFilter,
    page: TransactionOrder,
  ): Promise<{ transactions: Transaction[]; total: number }> {
    const totals = await this.totals(filter);
    const question = new LedgerQuestion(filter);
    const rows: StoredRow<Transaction>[] = await this.databases.of(filter.accountId).query(
      `SELECT ${COLUMNS} FROM ${ENTRIES_AND_FREE_CALLS} WHERE ${question.inPeriod()} ORDER BY ${orderOf(page)}
       LIMIT ${question.bind(page.limit)} OFFSET ${question.bind(page.offset)}`,
      question.values,
    );
    return {
      transactions: rows.map(transactionOf),
      total: totals.reduce((sum, { count }) => sum + count, 0),
    };
  }

  async *pages(filter: TransactionFilter): AsyncGenerator<Transaction[]> {
    const database = this.databases.of(filter.accountId);
    let after = '0';
    for (;;) {
      const question = new LedgerQuestion(filter);
      const rows: (StoredRow<Transaction> & { position: string })[] = await database.query(
        `SELECT position, ${COLUMNS} FROM ${ENTRIES_AND_FREE_CALLS} WHERE ${question.inPeriod()}
           AND position > ${question.bind(after)} ORDER BY position LIMIT ${question.bind(PAGE_SIZE)}`,
        question.values,
      );
      yield rows.map(({ position: _, ...row }) => transactionOf(row));
      const last = rows.at(-1);
      if (rows.length < PAGE_SIZE || !last) {
        return;
      }
      after = last.position;
    }
  }

  /** @throws NotFound */
  async get(
    accountId: string,
    id: string,
    manager: Pick<EntityManager, 'query'> = this.databases.of(accountId),
  ): Promise<Transaction> {
    const rows: StoredRow<Transaction>[] = isId(id)
      ? await manager.query(`SELECT ${COLUMNS} FROM ledger_entries WHERE id = $1 AND account_id = $2`, [
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

  async totals(filter: TransactionFilter): Promise<TransactionTypeTotal[]> {
    const question = new LedgerQuestion(filter);
    const rows: StoredRow<TransactionTypeTotal>[] = await this.databases.of(filter.accountId).query(
      `SELECT type, sum(entries)::float8 AS count, sum(amount_nano) AS "amountNanoUsd" FROM (${question.sums()}) AS part
       GROUP BY type ORDER BY type`,
      question.values,
    );
    return rows.map((row) => withBigints(row, 'amountNanoUsd'));
  }

  async newestDeposit(accountId: string, reference: string): Promise<Transaction | null> {
    const [row]: StoredRow<Transaction>[] = await this.databases.of(accountId).query(
      `SELECT ${COLUMNS} FROM ledger_entries
       WHERE account_id = $1 AND type = 'deposit' AND (reference_id = $2 OR starts_with(reference_id, $2 || ':'))
       ORDER BY position DESC LIMIT 1`,
      [accountId, reference],
    );
    return row ? transactionOf(row) : null;
  }
}

const PAGE_SIZE = 1_000;

const COLUMNS = `${asProperties('id, type, description, reference_id, request_id, key_id, created_at')},
  amount_nano AS "amountNanoUsd", balance_after_nano AS "balanceAfterNanoUsd"`;

const SORTED_BY = { created_at: 'position', amount: 'amount_nano' } as const;

/** Equal amounts are ordered by position, so that no entry is on two pages. */
function orderOf({ sort, order }: TransactionOrder): string {
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  return `${SORTED_BY[sort]} ${direction}, position ${direction}`;
}

function transactionOf(row: StoredRow<Transaction>): Transaction {
  return withBigints(row, 'amountNanoUsd', 'balanceAfterNanoUsd');
}

export function transactionRecord(transaction: Transaction) {
  return {
    ...inSnakeCase(transaction, 'id', 'type'),
    amount: nanoToUsd(transaction.amountNanoUsd),
    balance_after: nanoToUsd(transaction.balanceAfterNanoUsd),
    ...inSnakeCase(transaction, 'description', 'referenceId', 'requestId', 'keyId'),
    status: 'posted' as const,
    created_at: transaction.createdAt.toISOString(),
  };
}

@Injectable()
export class AdminCredits {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly ledger: Ledger,
    private readonly transactions: Transactions,
    private readonly actions: AdminActions,
  ) {}

  /** Once for each reference; null for an unknown account. @throws ServiceUnavailable in a move; IdempotencyKeyUsed */
  async give(order: CreditOrder, call: AuditedCall): Promise<Transaction | null> {
    const { accountId } = order;
    if (await this.actions.isOfAnother(call, accountId)) {
      throw new IdempotencyKeyUsed();
    }
    const version = this.databases.versionOf(accountId);
    const credited = await this.giveWhereItIs(order, call);
    if (credited === null) {
      await this.databases.readRoutes(accountId);
      if (this.databases.isMoving(accountId) || this.databases.versionOf(accountId) !== version) {
        throw new ServiceUnavailable('The account is being moved; call again.', 1);
      }
    }
    return credited;
  }

  private giveWhereItIs(order: CreditOrder, call: AuditedCall): Promise<Transaction | null> {
    return this.databases.of(order.accountId).transaction(async (manager) => {
      const entryId = await this.ledger.creditWithin(manager, order);
      if (entryId === null) {
        return null;
      }
      const credited = await this.transactions.get(order.accountId, entryId, manager);
      // The call that wrote an entry has recorded it already.
      if (credited.requestId === call.requestId) {
        await this.actions.record(manager, call, changeOf(order.accountId, credited));
      }
      return credited;
    });
  }
}

function changeOf(accountId: string, { id, amountNanoUsd, balanceAfterNanoUsd, description }: Transaction) {
  return {
    accountId,
    subjectId: id,
    reason: description,
    before: { balance: nanoToUsd(balanceAfterNanoUsd - amountNanoUsd) },
    after: { balance: nanoToUsd(balanceAfterNanoUsd), amount_usd: nanoToUsd(amountNanoUsd) },
  };
}

export const CSV_HEAD = {
  status: 200,
  headers: {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': 'attachment; filename="transactions.csv"',
  },
};

const CELLS: Record<string, (transaction: Transaction) => string> = {
  created_at: ({ createdAt }) => createdAt.toISOString(),
  type: ({ type }) => type,
  amount_usd: ({ amountNanoUsd }) => formatUsd(amountNanoUsd),
  balance_after_usd: ({ balanceAfterNanoUsd }) => formatUsd(balanceAfterNanoUsd),
  description: ({ description }) => textCell(description),
  request_id: ({ requestId }) => textCell(requestId),
  key_id: ({ keyId }) => textCell(keyId),
  reference_id: ({ referenceId }) => textCell(referenceId),
  id: ({ id }) => id,
};

const encoder = new TextEncoder();

/** CSV with a header line (RFC 4180), which comes with the first page: nothing is sent before it has been read. */
export async function* csvOf(pages: AsyncIterable<readonly Transaction[]>): AsyncGenerator<Uint8Array> {
  const cells = Object.values(CELLS);
  let header = [Object.keys(CELLS).join(',')];
  for await (const page of pages) {
    const lines = page.map((transaction) => cells.map((cell) => cell(transaction)).join(','));
    yield encoder.encode([...header, ...lines].map((line) => `${line}\r\n`).join(''));
    header = [];
  }
}

/** Spreadsheets run cells that begin so as formulas, some also behind white space (OWASP, CSV Injection). */
const FORMULA = /^\s*[=+\-@\t\r]/;

function textCell(text: string | null): string {
  if (text === null) {
    return '';
  }
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
