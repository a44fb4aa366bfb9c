import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Period } from './period';

export interface UsageTotals {
  requests: number;
  successful: number;
  tokens: number;
  costNanoUsd: bigint;
}

export interface UsageGroup extends UsageTotals {
  /** The operation, day, price or key id that the totals are of; null for calls without a price or key. */
  name: string | null;
}

export type UsageDimension = 'operation' | 'day' | 'price' | 'key';

export interface Breakdown<By extends UsageDimension> {
  totals: UsageTotals;
  by: Record<By, UsageGroup[]>;
}

export interface Receipt {
  requestId: string;
  operation: string;
  keyId: string | null;
  status: number | null;
  outcome: 'in_flight' | 'settled' | 'released' | 'refused' | 'expired';
  price: string | null;
  priceVersion: string | null;
  inputTokens: number;
  outputTokens: number;
  reservedNanoUsd: bigint;
  chargedNanoUsd: bigint;
  latencyMs: number | null;
  transactionId: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

/** The usage log: what every call cost and used, read per account. */
@Injectable()
export class Calls {
  constructor(private readonly database: DataSource) {}

  /**
   * A period's totals, broken down as asked for, all of one moment: the groups of a breakdown add up to the totals.
   * Days stand in order, the newest 1,000 with calls; the others by falling cost, the 1,000 costliest.
   */
  async usage<By extends UsageDimension>(fields: {
    accountId: string;
    period: Period;
    by: readonly By[];
    /** All keys, and calls without one, where absent. */
    keyId?: string;
  }): Promise<Breakdown<By>> {
    const { accountId, period, by, keyId } = fields;
    const values = [accountId, period.start, period.end, keyId ?? null];
    return this.database.transaction('REPEATABLE READ', async (manager) => {
      const [row]: TotalsRow[] = await manager.query(
        `SELECT ${TOTALS} FROM calls WHERE ${IN_PERIOD}`,
        values,
      );
      const groups: Partial<Record<By, UsageGroup[]>> = {};
      for (const dimension of by) {
        groups[dimension] = await grouped(manager, dimension, values);
      }
      return { totals: totalsOf(row), by: groups as Record<By, UsageGroup[]> };
    });
  }

  /** The totals since each of some times, in their order, all of one moment. */
  async totalsSince(accountId: string, starts: readonly Date[]): Promise<UsageTotals[]> {
    const rows: TotalsRow[] = await this.database.query(TOTALS_SINCE, [accountId, starts]);
    return rows.map(totalsOf);
  }

  /** The names of an account's keys by their ids; deleted keys have none. */
  async keyNames(accountId: string, keyIds: readonly string[]): Promise<Map<string, string>> {
    const rows: { id: string; name: string }[] = await this.database.query(
      'SELECT id, name FROM access_keys WHERE account_id = $1 AND id = ANY($2::uuid[])',
      [accountId, keyIds],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** The newest call that the account made under a request id, in flight or ended; null when there is none. */
  async receipt(accountId: string, requestId: string): Promise<Receipt | null> {
    if (requestId.includes('\0')) {
      // Postgres answers such a text with an error instead of no row.
      return null;
    }
    const [row]: ReceiptRow[] = await this.database.query(RECEIPT, [accountId, requestId]);
    return row ? receiptOf(row) : null;
  }

  /** Writes the row of calls that moved no money; those that did are written by their settlement. */
  async insertUncharged(calls: UnchargedCall[]): Promise<void> {
    await this.database.query(INSERT_UNCHARGED, [
      calls.map((call) => call.id),
      calls.map((call) => call.accountId),
      calls.map((call) => call.keyId),
      calls.map((call) => call.requestId),
      calls.map((call) => call.operation),
      calls.map((call) => call.outcome),
      calls.map((call) => call.status),
      calls.map((call) => call.price),
      calls.map((call) => call.priceVersion),
      calls.map((call) => call.createdAt),
      calls.map((call) => call.completedAt),
    ]);
  }
}

export interface UnchargedCall {
  id: string;
  accountId: string;
  keyId: string | null;
  requestId: string;
  operation: string;
  outcome: 'settled' | 'refused';
  status: number;
  price: string | null;
  priceVersion: string | null;
  createdAt: Date;
  completedAt: Date;
}

const GROUPS_MAX = 1000;

const GROUPED_BY: Record<UsageDimension, string> = {
  operation: 'operation',
  day: "to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
  price: 'price',
  key: 'key_id::text',
};

const TOTALS = `count(*) AS requests, count(*) FILTER (WHERE status BETWEEN 200 AND 299) AS successful,
  coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(charged_nano), 0) AS cost_nano`;

const IN_PERIOD = `account_id = $1 AND created_at >= $2 AND created_at < $3 AND ($4::uuid IS NULL OR key_id = $4)`;

const TOTALS_SINCE = `
  SELECT totals.* FROM unnest($2::timestamptz[]) WITH ORDINALITY AS since (start, position),
    LATERAL (SELECT ${TOTALS} FROM calls WHERE account_id = $1 AND created_at >= since.start) AS totals
  ORDER BY since.position`;

const RECEIPT = `
  SELECT request_id, operation, key_id, status, outcome, price, price_version, input_tokens, output_tokens,
    reserved_nano, charged_nano, latency_ms, entry_id, created_at, completed_at
  FROM calls WHERE account_id = $1 AND request_id = $2
  UNION ALL
  SELECT request_id, operation, key_id, NULL, 'in_flight', price, price_version, 0, 0,
    amount_nano, 0, NULL, NULL, created_at, NULL
  FROM reservations WHERE account_id = $1 AND request_id = $2
  ORDER BY created_at DESC LIMIT 1`;

const INSERT_UNCHARGED = `
  INSERT INTO calls (id, account_id, key_id, request_id, operation, outcome, status, price, price_version,
    created_at, completed_at, latency_ms)
  SELECT *, (extract(epoch FROM completed_at - created_at) * 1000)::integer
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::integer[],
    $8::text[], $9::text[], $10::timestamptz[], $11::timestamptz[])
    AS call (id, account_id, key_id, request_id, operation, outcome, status, price, price_version, created_at, completed_at)
  ON CONFLICT DO NOTHING`;

interface TotalsRow {
  requests: string;
  successful: string;
  tokens: string;
  cost_nano: string;
}

interface ReceiptRow {
  request_id: string;
  operation: string;
  key_id: string | null;
  status: number | null;
  outcome: Receipt['outcome'];
  price: string | null;
  price_version: string | null;
  input_tokens: number;
  output_tokens: number;
  reserved_nano: string;
  charged_nano: string;
  latency_ms: number | null;
  entry_id: string | null;
  created_at: Date;
  completed_at: Date | null;
}

async function grouped(
  manager: EntityManager,
  dimension: UsageDimension,
  values: unknown[],
): Promise<UsageGroup[]> {
  const order = dimension === 'day' ? 'name DESC' : 'cost_nano DESC, name';
  const rows: (TotalsRow & { name: string | null })[] = await manager.query(
    `SELECT ${GROUPED_BY[dimension]} AS name, ${TOTALS} FROM calls WHERE ${IN_PERIOD}
     GROUP BY 1 ORDER BY ${order} LIMIT ${GROUPS_MAX}`,
    values,
  );
  const groups = rows.map((row) => ({ name: row.name, ...totalsOf(row) }));
  return dimension === 'day' ? groups.reverse() : groups;
}

function totalsOf(row: TotalsRow | undefined): UsageTotals {
  if (!row) {
    throw new Error('an aggregate gave no row');
  }
  return {
    requests: Number(row.requests),
    successful: Number(row.successful),
    tokens: Number(row.tokens),
    costNanoUsd: BigInt(row.cost_nano),
  };
}

function receiptOf(row: ReceiptRow): Receipt {
  return {
    requestId: row.request_id,
    operation: row.operation,
    keyId: row.key_id,
    status: row.status,
    outcome: row.outcome,
    price: row.price,
    priceVersion: row.price_version,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    reservedNanoUsd: BigInt(row.reserved_nano),
    chargedNanoUsd: BigInt(row.charged_nano),
    latencyMs: row.latency_ms,
    transactionId: row.entry_id,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  };
}
