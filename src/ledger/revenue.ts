import { Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import { withLongStatements } from '../database/connection-pool';
import type { Period } from './period';
import { SUMS, type TotalsRow, totalsOf, UNSUMMED, type UsageTotals } from './period-sums';

const SUMMED_WITHIN_MS = 30_000;
const KEPT_MS = 60_000;
const MODELS_MAX = 1_000;

/** What moved in a time, of all accounts. */
export interface Money {
  depositedNano: bigint;
  chargedNano: bigint;
  grantedNano: bigint;
  adjustedNano: bigint;
  requests: number;
  tokens: number;
  activeAccounts: number;
}

export interface DayOfMoney extends Money {
  day: Date;
}

interface PeriodSums {
  sums: Money[];
  balancesNano: bigint;
}

interface NamedUsage extends UsageTotals {
  name: string | null;
}

export interface Revenue {
  totals: Money;
  byDay: DayOfMoney[];
  byTier: (NamedUsage & { accounts: number })[];
  byOperation: NamedUsage[];
  byModel: NamedUsage[];
}

/**
 * What came in and what was used, of all accounts by days of UTC. It reads the sums that accounts read too, and what they do not have
 * yet from the calls. Charges count on the day on which they were made, calls on that on which they began.
 */
@Injectable()
export class RevenueReport {
  private kept: { asked: string; readAt: Date; sums: Promise<PeriodSums> } | null = null;

  constructor(private readonly database: DataSource) {}

  /** Read at one moment. @param period whole days of UTC */
  async of(period: Period): Promise<Revenue> {
    return this.atOneMoment(async (runner) => {
      const byDay = await this.days(runner, period);
      const totals = await this.totals(runner, period, byDay);
      return {
        totals,
        byDay,
        byTier: (await this.named<AccountsRow>(runner, BY_TIER, period)).map((row) => ({
          ...namedOf(row),
          accounts: Number(row.accounts),
        })),
        byOperation: (await this.named(runner, groupedBy('operation'), period)).map(namedOf),
        byModel: (await this.named(runner, groupedBy('model'), period)).map(namedOf),
      };
    });
  }

  /**
   * The sums of several periods of whole days, and of all balances. They are read once at a time and kept for a minute, however many
   * operators look: each reading takes long, and what calls write is not cleared away meanwhile.
   */
  async sums(periods: readonly Period[], now: Date): Promise<PeriodSums> {
    const asked = JSON.stringify(periods);
    const { kept } = this;
    if (kept?.asked === asked && now.getTime() - kept.readAt.getTime() < KEPT_MS) {
      return kept.sums;
    }
    const reading = { asked, readAt: now, sums: this.read(periods) };
    this.kept = reading;
    reading.sums.catch(() => {
      this.kept = this.kept === reading ? null : this.kept;
    });
    return reading.sums;
  }

  private async read(periods: readonly Period[]): Promise<PeriodSums> {
    return this.atOneMoment(async (runner) => {
      const sums: Money[] = [];
      for (const period of periods) {
        sums.push(await this.totals(runner, period, await this.days(runner, period)));
      }
      const [row] = (await runner.query('SELECT coalesce(sum(balance_nano), 0) AS nano FROM balances')) as {
        nano: string;
      }[];
      return { sums, balancesNano: BigInt(row?.nano ?? 0) };
    });
  }

  private async atOneMoment<Result>(read: (runner: QueryRunner) => Promise<Result>): Promise<Result> {
    return withLongStatements(this.database, SUMMED_WITHIN_MS, read, 'REPEATABLE READ');
  }

  private async days(runner: QueryRunner, { start, end }: Period): Promise<DayOfMoney[]> {
    const rows = (await runner.query(BY_DAY, [start, end])) as DayRow[];
    return rows.map((row) => ({ day: row.day, ...moneyOf(row) }));
  }

  private async totals(runner: QueryRunner, { start, end }: Period, days: readonly Money[]): Promise<Money> {
    const [row] = (await runner.query(ACTIVE_ACCOUNTS, [start, end])) as { accounts: string }[];
    const sum = (of: (money: Money) => bigint) => days.reduce((all, money) => all + of(money), 0n);
    return {
      depositedNano: sum((money) => money.depositedNano),
      chargedNano: sum((money) => money.chargedNano),
      grantedNano: sum((money) => money.grantedNano),
      adjustedNano: sum((money) => money.adjustedNano),
      requests: days.reduce((all, { requests }) => all + requests, 0),
      tokens: days.reduce((all, { tokens }) => all + tokens, 0),
      activeAccounts: Number(row?.accounts ?? 0),
    };
  }

  private async named<Row extends NamedRow = NamedRow>(
    runner: QueryRunner,
    statement: string,
    { start, end }: Period,
  ): Promise<Row[]> {
    return runner.query(statement, [start, end]) as Promise<Row[]>;
  }
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
  SELECT day, coalesce(deposited, 0) AS deposited, coalesce(charged, 0) AS charged, coalesce(granted, 0) AS granted,
    coalesce(adjusted, 0) AS adjusted, coalesce(requests, 0) AS requests, coalesce(tokens, 0) AS tokens,
    coalesce(accounts, 0) AS accounts
  FROM used FULL JOIN moved USING (day) ORDER BY day`;

const ACTIVE_ACCOUNTS = `SELECT count(DISTINCT account_id) AS accounts FROM (${USED}) AS part`;

const BY_TIER = `
  SELECT tier AS name, count(DISTINCT account_id) AS accounts, ${SUMS}
  FROM (${USED}) AS part JOIN accounts ON accounts.id = account_id GROUP BY tier ORDER BY cost_nano DESC, name`;

function groupedBy(column: 'operation' | 'model'): string {
  return `SELECT ${column} AS name, ${SUMS} FROM (${USED}) AS part
    GROUP BY ${column} ORDER BY cost_nano DESC, name LIMIT ${MODELS_MAX}`;
}

interface DayRow {
  day: Date;
  deposited: string;
  charged: string;
  granted: string;
  adjusted: string;
  requests: string;
  tokens: string;
  accounts: string;
}

interface NamedRow extends TotalsRow {
  name: string | null;
}

interface AccountsRow extends NamedRow {
  accounts: string;
}

function moneyOf(row: DayRow): Money {
  return {
    depositedNano: BigInt(row.deposited),
    chargedNano: BigInt(row.charged),
    grantedNano: BigInt(row.granted),
    adjustedNano: BigInt(row.adjusted),
    requests: Number(row.requests),
    tokens: Number(row.tokens),
    activeAccounts: Number(row.accounts),
  };
}

function namedOf(row: NamedRow): NamedUsage {
  return { name: row.name, ...totalsOf(row) };
}
