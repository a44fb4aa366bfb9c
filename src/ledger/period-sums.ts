import type { DataSource } from 'typeorm';
import { DAY_MS, HOUR_MS } from '../runtime/clock';
import { nanoToUsd } from './money';
import type { OpenPeriod, Period } from './period';

export interface Span {
  start: Date | 'infinity' | '-infinity';
  end: Date | 'infinity' | '-infinity';
}

/** Cuts a period at whole UTC hours and days, which have sums. Towards a missing side all is days. No span is empty. */
export function periodParts(period: OpenPeriod): Record<'rows' | 'hours' | 'days' | 'allHours', Span[]> {
  const start = period.start?.getTime() ?? -Infinity;
  const end = period.end?.getTime() ?? Infinity;
  const [firstHour, lastHour] = wholeWithin(start, end, HOUR_MS);
  const [firstDay, lastDay] = wholeWithin(firstHour, lastHour, DAY_MS);
  return {
    rows: [...span(start, firstHour), ...span(lastHour, end)],
    hours: [...span(firstHour, firstDay), ...span(lastDay, lastHour)],
    days: span(firstDay, lastDay),
    allHours: span(firstHour, lastHour),
  };
}

function wholeWithin(startMs: number, endMs: number, unitMs: number): [number, number] {
  const [first, last] = [Math.ceil(startMs / unitMs) * unitMs, Math.floor(endMs / unitMs) * unitMs];
  return first < last ? [first, last] : [endMs, endMs];
}

function span(startMs: number, endMs: number): Span[] {
  return startMs < endMs ? [{ start: timeOf(startMs), end: timeOf(endMs) }] : [];
}

function timeOf(timeMs: number): Span['start'] {
  return Number.isFinite(timeMs) ? new Date(timeMs) : timeMs > 0 ? 'infinity' : '-infinity';
}

export interface UsageTotals {
  requests: number;
  successful: number;
  tokens: number;
  costNanoUsd: bigint;
}

export function totalsRecord({ requests, tokens, costNanoUsd }: UsageTotals) {
  return { requests, tokens, cost: nanoToUsd(costNanoUsd) };
}

export interface UsageGroup extends UsageTotals {
  /** An operation, day, price, model or key id; null for calls without a price, model or key. */
  name: string | null;
}

export function operationRecord({ name, ...totals }: UsageGroup) {
  return { operation: name ?? '', ...totalsRecord(totals) };
}

export function modelRecord({ name, ...totals }: UsageGroup) {
  return { model: name, ...totalsRecord(totals) };
}

export type UsageDimension = 'operation' | 'day' | 'price' | 'key' | 'model';

export interface Breakdown<By extends UsageDimension> {
  totals: UsageTotals;
  by: Record<By, UsageGroup[]>;
}

export interface UsageQuestion<By extends UsageDimension> {
  accountId: string;
  period: Period;
  by: readonly By[];
  keyId?: string;
}

const GROUPS_MAX = 1000;

/** One statement, for one moment. Reads single calls only for the hours at both ends. */
export async function readUsage<By extends UsageDimension>(
  database: Pick<DataSource, 'query'>,
  { accountId, period, by, keyId }: UsageQuestion<By>,
): Promise<Breakdown<By>> {
  const question = new Question(accountId, keyId ?? null);
  const columns = by.map((dimension) => `${NAMES[dimension]} AS "${dimension}"`);
  const rows: (GroupRow & { dimension: string })[] = await database.query(
    `WITH part AS MATERIALIZED (
       SELECT ${[...columns, USAGE_SUMS].join(', ')} FROM (${question.callsIn(period)}) AS part
       ${by.length > 0 ? `GROUP BY ${by.map((_, index) => index + 1).join(', ')}` : ''}
     )
     SELECT 'total' AS dimension, NULL AS name, ${TOTALS}, 0 AS position FROM part
     ${by.map((dimension) => `UNION ALL (${groupsOf(dimension)})`).join('\n')}
     ORDER BY dimension, position`,
    question.values,
  );
  const of = (dimension: string) => rows.filter((row) => row.dimension === dimension);
  const groups = by.map((dimension) => [dimension, of(dimension).map(groupOf)]);
  return { totals: totalsOf(of('total')[0]), by: Object.fromEntries(groups) as Record<By, UsageGroup[]> };
}

export async function readTotalsSince(
  database: Pick<DataSource, 'query'>,
  accountId: string,
  starts: readonly Date[],
): Promise<UsageTotals[]> {
  const question = new Question(accountId, null);
  const totals = starts.map(
    (start, position) =>
      `SELECT ${TOTALS}, ${position} AS position FROM (${question.callsIn({ start, end: null })}) AS part`,
  );
  const rows: TotalsRow[] = await database.query(
    `${totals.join(' UNION ALL ')} ORDER BY position`,
    question.values,
  );
  return rows.map(totalsOf);
}

class Values {
  readonly values: unknown[] = [];

  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  protected between(column: string, { start, end }: Span): string {
    return `${column} >= ${this.bind(start)}::timestamptz AND ${column} < ${this.bind(end)}::timestamptz`;
  }
}

export class Question extends Values {
  constructor(accountId: string, keyId: string | null) {
    super();
    this.values.push(accountId, keyId);
  }

  callsIn(period: OpenPeriod): string {
    return this.calls(period, (span) => [
      `SELECT day, ${SUMMED} FROM usage_days WHERE ${this.within('day', span)}`,
      `SELECT hour, ${SUMMED} FROM usage_hours WHERE ${this.within('hour', span)} AND NOT in_day`,
    ]);
  }

  /** Where hours were dropped, a UTC day's sum stands at its noon, the same day in most zones. */
  callsByHour(period: OpenPeriod): string {
    return this.calls(period, (span) => [
      `SELECT hour, ${SUMMED} FROM usage_hours WHERE ${this.within('hour', span)}
        AND (hour >= ${HOURS_FROM} OR NOT in_day)`,
      `SELECT day + interval '12 hours', ${SUMMED} FROM usage_days WHERE ${this.within('day', span)}
        AND day < ${HOURS_FROM}`,
    ]);
  }

  private calls(period: OpenPeriod, summed: (span: Span) => string[]): string {
    const { rows, hours, days, allHours } = periodParts(period);
    const sources = [
      ...allHours.map(
        (span) =>
          `SELECT created_at, ${SINGLE} FROM calls WHERE ${this.within('created_at', span)} AND ${UNSUMMED}`,
      ),
      ...days.flatMap(summed),
      ...this.edges(rows, hours),
    ];
    return [NOTHING, ...sources].join(' UNION ALL ');
  }

  /** What whole days leave out. Dropped hours are summed from the calls, while those are kept. */
  private edges(rows: Span[], hours: Span[]): string[] {
    return [
      ...hours.flatMap((span) => [
        `SELECT hour, ${SUMMED} FROM usage_hours WHERE ${this.within('hour', span)} AND hour >= ${HOURS_FROM}`,
        `SELECT created_at, ${SINGLE} FROM calls WHERE ${this.within('created_at', span)}
          AND created_at < ${HOURS_FROM} AND (${UNSUMMED}) IS NOT TRUE`,
      ]),
      ...rows.map(
        (span) => `SELECT created_at, ${SINGLE} FROM calls WHERE ${this.within('created_at', span)}`,
      ),
    ];
  }

  private within(column: string, span: Span): string {
    return `account_id = $1 AND ($2::uuid IS NULL OR key_id = $2) AND ${this.between(column, span)}`;
  }
}

const NAMES: Record<UsageDimension, string> = {
  operation: 'operation',
  day: "date_bin('1 day', moment, '2000-01-01T00:00Z')",
  price: 'price',
  key: 'key_id',
  model: 'model',
};

const SUMMED = 'key_id, operation, price, model, requests, successful, tokens, cost_nano';

const NOTHING = `SELECT hour AS moment, ${SUMMED} FROM usage_hours WHERE account_id = $1 AND key_id = $2 AND false`;

const SINGLE = `key_id, operation, price, model, 1, (status BETWEEN 200 AND 299)::integer,
  input_tokens::bigint + output_tokens, charged_nano`;

/** Without the upper bound, which all transactions are below, Postgres would expect a third of all rows. */
export const writtenSince = (mark: 'rolled_to' | 'summed_to') =>
  `written_by BETWEEN (SELECT ${mark} FROM roll_ups) AND '18446744073709551615'::xid8`;

export const UNSUMMED = writtenSince('rolled_to');

/** Hours from this start of a day on are kept (usage_hours_keep, ledger_hours_fold). */
const HOURS_FROM = '(SELECT hours_from FROM roll_ups)';

export const USAGE_SUMS = `sum(requests)::bigint AS requests, sum(successful)::bigint AS successful,
  sum(tokens)::bigint AS tokens, sum(cost_nano)::bigint AS cost_nano`;

const TOTALS = `coalesce(sum(requests), 0) AS requests, coalesce(sum(successful), 0) AS successful,
  coalesce(sum(tokens), 0) AS tokens, coalesce(sum(cost_nano), 0) AS cost_nano`;

function groupsOf(dimension: UsageDimension): string {
  const name = dimension === 'day' ? `to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD')` : `"${dimension}"::text`;
  const groups = `SELECT ${name} AS name, ${TOTALS} FROM part GROUP BY 1`;
  const kept = dimension === 'day' ? 'name DESC' : 'cost_nano DESC, name';
  const shown = dimension === 'day' ? 'name' : kept;
  return `SELECT '${dimension}', name, requests, successful, tokens, cost_nano, row_number() OVER (ORDER BY ${shown})
    FROM (${groups} ORDER BY ${kept} LIMIT ${GROUPS_MAX}) AS groups`;
}

export interface TotalsRow {
  requests: string;
  successful: string;
  tokens: string;
  cost_nano: string;
}

export interface GroupRow extends TotalsRow {
  name: string | null;
}

export function groupOf(row: GroupRow): UsageGroup {
  return { name: row.name, ...totalsOf(row) };
}

export function totalsOf(row: TotalsRow | undefined): UsageTotals {
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

export type TransactionType = 'deposit' | 'charge' | 'refund' | 'adjustment' | 'bonus';

/**
 * With uncharged calls, which have no position. Postgres reads both tables by position, but would read the
 * view ledger_entries whole and sort it.
 */
export const ENTRIES_AND_FREE_CALLS = `(
  SELECT id, account_id, position, type, amount_nano, balance_after_nano, description, reference_id, request_id, key_id,
    created_at
  FROM credits
  UNION ALL
  SELECT id, account_id, position, 'charge', -charged_nano, balance_after_nano, operation, id::text, request_id, key_id,
    completed_at
  FROM calls) AS entries`;

export interface TransactionFilter {
  accountId: string;
  period: OpenPeriod;
  type?: TransactionType;
}

/** Entries have no index on time: hourly sums give the positions of an hour's entries. */
export class LedgerQuestion extends Values {
  private readonly account: string;
  private readonly type: string;

  constructor(private readonly filter: TransactionFilter) {
    super();
    this.account = this.bind(filter.accountId);
    this.type = filter.type === undefined ? '' : `AND type = ${this.bind(filter.type)}`;
  }

  inPeriod(): string {
    const { start, end } = this.filter.period;
    if (start === null && end === null) {
      return `position IS NOT NULL AND ${this.ofAccount()}`;
    }
    return this.inSpan({ start: start ?? '-infinity', end: end ?? 'infinity' });
  }

  sums(): string {
    const { rows, hours, days } = periodParts(this.filter.period);
    const summed = (span: Span) => `SELECT type, entries, amount_nano FROM ledger_hours
      WHERE account_id = ${this.account} ${this.type} AND ${this.between('hour', span)}`;
    const single = (span: Span) =>
      `SELECT type, 1, amount_nano FROM ${ENTRIES_AND_FREE_CALLS} WHERE ${this.inSpan(span)}`;
    const sources = [
      ...days.flatMap((span) => [summed(span), this.unsummed(span)]),
      // Where hours became days, the third sums the period's ends from entries; elsewhere it reads nothing.
      ...hours.flatMap((span) => [
        `${summed(span)} AND hour >= ${HOURS_FROM}`,
        `${this.unsummed(span)} AND completed_at >= ${HOURS_FROM}`,
        `${single(span)} AND created_at < ${HOURS_FROM} AND ${this.bind(span.start)}::timestamptz < ${HOURS_FROM}`,
      ]),
      ...rows.map(single),
    ];
    const nothing = `SELECT type, entries, amount_nano FROM ledger_hours WHERE ${this.ofAccount()} AND false`;
    return [nothing, ...sources].join(' UNION ALL ');
  }

  private unsummed(span: Span): string {
    const { type } = this.filter;
    return `SELECT 'charge', 1, -charged_nano FROM calls WHERE account_id = ${this.account} AND position IS NOT NULL
      AND ${this.between('completed_at', span)} AND ${UNSUMMED} AND ${type === undefined || type === 'charge'}`;
  }

  /** Hourly and daily sums give the bounds of positions; entries without a sum are read one by one. */
  private inSpan(span: Span): string {
    const start = `${this.bind(span.start)}::timestamptz`;
    const hours = `FROM ledger_hours WHERE account_id = ${this.account} ${this.type}
      AND hour > ${start} - CASE WHEN ${start} < ${HOURS_FROM} THEN interval '24 hours' ELSE interval '1 hour' END
      AND hour < ${this.bind(span.end)}::timestamptz`;
    return `${this.ofAccount()} AND ${this.between('created_at', span)}
      AND position BETWEEN least((SELECT min(first_position) ${hours}), (${this.unsummedBound('min')}))
        AND greatest((SELECT max(last_position) ${hours}), (${this.unsummedBound('max')}))`;
  }

  private unsummedBound(bound: 'min' | 'max'): string {
    // OFFSET 0 keeps Postgres from walking the account's calls by position to find the first.
    return `SELECT ${bound}(position) FROM (
      SELECT position FROM calls WHERE account_id = ${this.account} AND ${UNSUMMED} OFFSET 0) AS unsummed`;
  }

  /** Postgres uses the index of non-charges only where the condition excludes charges. */
  private ofAccount(): string {
    const isOther = this.filter.type !== undefined && this.filter.type !== 'charge';
    return `account_id = ${this.account} ${this.type} ${isOther ? "AND type <> 'charge'" : ''}`;
  }
}
