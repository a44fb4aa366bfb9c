import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** A period, from `start` up to but without `end`. */
export interface Period {
  start: Date;
  end: Date;
}

export interface UsageTotals {
  requests: number;
  successful: number;
  tokens: number;
  costNanoUsd: bigint;
}

export interface UsageGroup extends UsageTotals {
  /** The operation, day, price or key id that the totals are of; null for calls without a key. */
  name: string | null;
}

export interface Receipt {
  requestId: string;
  operation: string;
  keyId: string | null;
  status: number | null;
  outcome: string;
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

const GROUPS = {
  operation: 'operation',
  day: "to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
  price: 'price',
  key: 'key_id::text',
} as const;

const GROUPS_MAX = 1000;

/** The usage log: what every call cost and used, read per account. */
@Injectable()
export class Calls {
  constructor(private readonly database: DataSource) {}

  async totals(accountId: string, period: Period, keyId: string | null = null): Promise<UsageTotals> {
    const [row]: TotalsRow[] = await this.database.query(
      `SELECT ${TOTALS} FROM calls WHERE ${IN_PERIOD}`,
      [accountId, period.start, period.end, keyId],
    );
    return row ? totalsOf(row) : { requests: 0, successful: 0, tokens: 0, costNanoUsd: 0n };
  }

  /** Totals by operation, UTC day, price or key; days in order, the others by falling cost. At most 1,000 groups. */
  async grouped(fields: {
    accountId: string;
    period: Period;
    by: keyof typeof GROUPS;
    keyId?: string;
  }): Promise<UsageGroup[]> {
    const order = fields.by === 'day' ? 'name' : 'cost_nano DESC, name';
    const rows: (TotalsRow & { name: string | null })[] = await this.database.query(
      `SELECT ${GROUPS[fields.by]} AS name, ${TOTALS} FROM calls WHERE ${IN_PERIOD}
       GROUP BY 1 ORDER BY ${order} LIMIT ${GROUPS_MAX}`,
      [fields.accountId, fields.period.start, fields.period.end, fields.keyId ?? null],
    );
    return rows.map((row) => ({ name: row.name, ...totalsOf(row) }));
  }

  /** The newest call that the account made under a request id, in flight or ended; null when there is none. */
  async receipt(accountId: string, requestId: string): Promise<Receipt | null> {
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

const TOTALS = `count(*) AS requests, count(*) FILTER (WHERE status BETWEEN 200 AND 299) AS successful,
  coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(charged_nano), 0) AS cost_nano`;

const IN_PERIOD = `account_id = $1 AND created_at >= $2 AND created_at < $3 AND ($4::uuid IS NULL OR key_id = $4)`;

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
  outcome: string;
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

function totalsOf(row: TotalsRow): UsageTotals {
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
