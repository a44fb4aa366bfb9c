import { Injectable } from '@nestjs/common';
import type { EntityManager, QueryRunner } from 'typeorm';
import { AccountDatabases } from '../database/account-databases';
import { accountSchema, within } from '../database/account-schemas';
import { type StoredRow, withBigints } from '../database/bounded-statements';
import { withLongStatements } from '../database/connection-pool';
import type { Period } from './period';
import { groupOf, type GroupRow, USAGE_SUMS, UNSUMMED, type UsageGroup } from './period-sums';

const SUMMED_WITHIN_MS = 30_000;
const KEPT_MS = 60_000;
const GROUPS_MAX = 1_000;

export interface Money {
  depositedNano: bigint;
  chargedNano: bigint;
  grantedNano: bigint;
  adjustedNano: bigint;
  requests: number;
  tokens: number;
  activeAccounts: number;
}

interface DayOfMoney extends Money {
  day: Date;
}

interface PeriodSums {
  sums: Money[];
  balancesNano: bigint;
}

/** A call counts on the UTC day it began, its charge on the day it was made. */
@Injectable()
export class RevenueReport {
  private kept: { periodsText: string; readAt: Date; sums: Promise<PeriodSums> } | null = null;

  constructor(private readonly databases: AccountDatabases) {}

  /** Reads at one moment. @param period whole UTC days */
  async of(period: Period) {
    const parts = await this.inEachSchema(async (manager) => {
      const byDay = await this.days(manager, period);
      const totals = await this.totals(manager, period, byDay);
      const rows = <Row>(sql: string) => manager.query<Row[]>(sql, [period.start, period.end]);
      const tiers = await rows<GroupRow & { accounts: number }>(BY_TIER);
      return {
        totals,
        byDay,
        byTier: tiers.map((row) => ({ ...groupOf(row), accounts: row.accounts })),
        byOperation: (await rows<GroupRow>(groupedBy('operation'))).map(groupOf),
        byModel: (await rows<GroupRow>(groupedBy('model'))).map(groupOf),
      };
    });
    const days = addUp(
      parts.map(({ byDay }) => byDay),
      ({ day }) => day.getTime(),
    );
    return {
      totals: parts.map(({ totals }) => totals).reduce(plus),
      byDay: days.sort((one, other) => one.day.getTime() - other.day.getTime()),
      byTier: costliest(parts.map(({ byTier }) => byTier)),
      byOperation: costliest(parts.map(({ byOperation }) => byOperation)),
      byModel: costliest(parts.map(({ byModel }) => byModel)),
    };
  }

  /** Cached for a minute and read once at a time: a read is slow, and its snapshot holds up vacuum. */
  async sums(periods: readonly Period[], now: Date): Promise<PeriodSums> {
    const periodsText = JSON.stringify(periods);
    const { kept } = this;
    if (kept?.periodsText === periodsText && Math.abs(now.getTime() - kept.readAt.getTime()) < KEPT_MS) {
      return kept.sums;
    }
    const reading = { periodsText, readAt: now, sums: this.read(periods) };
    this.kept = reading;
    reading.sums.catch(() => {
      this.kept = this.kept === reading ? null : this.kept;
    });
    return reading.sums;
  }

  private async read(periods: readonly Period[]): Promise<PeriodSums> {
    const parts = await this.inEachSchema(async (manager) => {
      const sums: Money[] = [];
      for (const period of periods) {
        sums.push(await this.totals(manager, period, await this.days(manager, period)));
      }
      const [row] = await manager.query<{ nano: string }[]>(BALANCES);
      return { sums, balancesNano: BigInt(row?.nano ?? 0) };
    });
    return parts.reduce((one, other) => ({
      sums: one.sums.map((sum, index) => plus(sum, other.sums[index] ?? NO_MONEY)),
      balancesNano: one.balancesNano + other.balancesNano,
    }));
  }

  /** One moment for all schemas of a server, so that an account that is moved meanwhile is in one of them. */
  private async inEachSchema<Result>(read: (manager: EntityManager) => Promise<Result>): Promise<Result[]> {
    const { all, everyone } = this.databases;
    const readAll = async (runner: QueryRunner) => {
      const results: Result[] = [];
      for (const number of all.keys()) {
        const readOne = () => read(runner.manager);
        results.push(await (all.length === 1 ? readOne() : within(runner, accountSchema(number), readOne)));
      }
      return results;
    };
    return withLongStatements(everyone, SUMMED_WITHIN_MS, readAll, 'REPEATABLE READ');
  }

  private async days(manager: EntityManager, { start, end }: Period): Promise<DayOfMoney[]> {
    const rows = await manager.query<StoredRow<DayOfMoney>[]>(BY_DAY, [start, end]);
    return rows.map((row) => withBigints(row, 'depositedNano', 'chargedNano', 'grantedNano', 'adjustedNano'));
  }

  private async totals(
    manager: EntityManager,
    { start, end }: Period,
    days: readonly DayOfMoney[],
  ): Promise<Money> {
    const [row] = await manager.query<{ accounts: string }[]>(ACTIVE_ACCOUNTS, [start, end]);
    return { ...days.reduce(plus, NO_MONEY), activeAccounts: Number(row?.accounts ?? 0) };
  }
}

const NO_MONEY: Money = {
  depositedNano: 0n,
  chargedNano: 0n,
  grantedNano: 0n,
  adjustedNano: 0n,
  requests: 0,
  tokens: 0,
  activeAccounts: 0,
};

/** Adds all numbers, those of accounts too, because an account is in one schema only. */
function plus<Row extends object>(one: Row, other: Row): Row {
  const numbers = other as Readonly<Record<string, unknown>>;
  const added = Object.entries(one).map(([name, value]: [string, unknown]) => {
    const more = numbers[name];
    const isSum = typeof value === 'bigint' || typeof value === 'number';
    return [name, isSum ? (value as number) + (more as number) : value];
  });
  return Object.fromEntries(added) as Row;
}

function addUp<Row extends object>(parts: readonly Row[][], keyOf: (row: Row) => unknown): Row[] {
  const sums = new Map<unknown, Row>();
  for (const row of parts.flat()) {
    const sum = sums.get(keyOf(row));
    sums.set(keyOf(row), sum ? plus(sum, row) : row);
  }
  return [...sums.values()];
}

/** A single schema's rows are sorted already, and Postgres may order equal names differently. */
function costliest<Row extends UsageGroup>(parts: readonly Row[][]): Row[] {
  const rows = addUp(parts, ({ name }) => name);
  if (parts.length > 1) {
    const named = ({ name }: Row, { name: other }: Row) =>
      Number((name ?? '\uffff') > (other ?? '\uffff')) * 2 - 1;
    rows.sort((one, other) => Number(other.costNanoUsd - one.costNanoUsd) || named(one, other));
  }
  return rows.slice(0, GROUPS_MAX);
}

const USED = `
  SELECT account_id, day, operation, model, requests, successful, tokens, cost_nano FROM usage_days
    WHERE day >= $1 AND day < $2
  UNION ALL
  SELECT account_id, date_bin('1 day', hour, '2000-01-01T00:00Z'), operation, model, requests, successful, tokens, cost_nano
    FROM usage_hours WHERE NOT in_day AND hour >= $1 AND hour < $2
  UNION ALL
  SELECT account_id, date_bin('1 day', created_at, '2000-01-01T00:00Z'), operation, model, 1,
      (status BETWEEN 200 AND 299)::integer, input_tokens::bigint + output_tokens, charged_nano
    FROM calls WHERE ${UNSUMMED} AND created_at >= $1 AND created_at < $2`;

const MOVED = `
  SELECT date_bin('1 day', hour, '2000-01-01T00:00Z') AS day, type, amount_nano FROM ledger_hours
    WHERE hour >= $1 AND hour < $2
  UNION ALL
  SELECT date_bin('1 day', completed_at, '2000-01-01T00:00Z'), 'charge', -charged_nano FROM calls
    WHERE ${UNSUMMED} AND position IS NOT NULL AND completed_at >= $1 AND completed_at < $2`;

const BY_DAY = `
  WITH used AS (
    SELECT day, sum(requests) AS requests, sum(tokens) AS tokens, count(DISTINCT account_id) AS accounts
    FROM (${USED}) AS part GROUP BY day
  ), moved AS (
    SELECT day, sum(amount_nano) FILTER (WHERE type = 'deposit') AS deposited,
      -sum(amount_nano) FILTER (WHERE type IN ('charge', 'refund')) AS charged,
      sum(amount_nano) FILTER (WHERE type = 'bonus') AS granted,
      sum(amount_nano) FILTER (WHERE type = 'adjustment') AS adjusted
    FROM (${MOVED}) AS part GROUP BY day
  )
  SELECT day, coalesce(deposited, 0) AS "depositedNano", coalesce(charged, 0) AS "chargedNano",
    coalesce(granted, 0) AS "grantedNano", coalesce(adjusted, 0) AS "adjustedNano", coalesce(requests, 0)::float8 AS requests,
    coalesce(tokens, 0)::float8 AS tokens, coalesce(accounts, 0)::float8 AS "activeAccounts"
  FROM used FULL JOIN moved USING (day) ORDER BY day`;

const BALANCES = 'SELECT coalesce(sum(balance_nano), 0) AS nano FROM balances';

const ACTIVE_ACCOUNTS = `SELECT count(DISTINCT account_id) AS accounts FROM (${USED}) AS part`;

const BY_TIER = `
  SELECT tier AS name, count(DISTINCT account_id)::integer AS accounts, ${USAGE_SUMS}
  FROM (${USED}) AS part JOIN accounts ON accounts.id = account_id GROUP BY tier ORDER BY cost_nano DESC, name`;

function groupedBy(column: 'operation' | 'model'): string {
  return `SELECT ${column} AS name, ${USAGE_SUMS} FROM (${USED}) AS part
    GROUP BY ${column} ORDER BY cost_nano DESC, name`;
}
