import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../infrastructure/clock/clock';
import { isId } from '../../infrastructure/ids/is-id';
import { NotFound, Unprocessable } from '../errors/request-errors';

/** Limits to set; undefined leaves a field as it is, null removes that limit. */
export interface LimitChange {
  dailyLimitNano?: bigint | null;
  monthlyLimitNano?: bigint | null;
  perRequestLimitNano?: bigint | null;
  timezone?: string;
}

/** A key's limits and what is spent of them in the present day and month of their zone, nano-USD. */
export interface SpendingLimits {
  dailyLimitNano: bigint | null;
  monthlyLimitNano: bigint | null;
  perRequestLimitNano: bigint | null;
  timezone: string;
  daySpentNano: bigint;
  monthSpentNano: bigint;
  dayResetsAt: Date;
  monthResetsAt: Date;
}

/** The spending limits per key. The present period is computed when read, so no job resets a counter. */
@Injectable()
export class SpendingLimitsRepository {
  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound when the account has no such key */
  async get(accountId: string, keyId: string): Promise<SpendingLimits> {
    const rows: LimitsRow[] = isId(keyId)
      ? await this.database.query(READ, [keyId, accountId, this.clock.now()])
      : [];
    const row = rows[0];
    if (!row) {
      throw new NotFound('access key');
    }
    return limitsOf(row);
  }

  /** @throws NotFound, and Unprocessable when the daily limit would be above the monthly one */
  async set(accountId: string, keyId: string, change: LimitChange): Promise<SpendingLimits> {
    const values = [change.dailyLimitNano, change.monthlyLimitNano, change.perRequestLimitNano].flatMap(
      (nano) => [nano !== undefined, nano?.toString() ?? null],
    );
    return this.change(accountId, keyId, SET, [...values, change.timezone ?? null]);
  }

  /** Removes all limits; what is spent stays. @throws NotFound */
  async remove(accountId: string, keyId: string): Promise<void> {
    await this.change(accountId, keyId, REMOVE, []);
  }

  /** Sets the spent counters to zero; calls in flight no longer count. @throws NotFound */
  async reset(accountId: string, keyId: string): Promise<SpendingLimits> {
    return this.change(accountId, keyId, RESET, []);
  }

  private async change(
    accountId: string,
    keyId: string,
    sql: string,
    values: unknown[],
  ): Promise<SpendingLimits> {
    if (!isId(keyId)) {
      throw new NotFound('access key');
    }
    return this.database.transaction(async (manager) => {
      // The ledger locks the balance before the key; whoever locks in another order could deadlock with it.
      await manager.query('SELECT FROM balances WHERE account_id = $1 FOR NO KEY UPDATE', [accountId]);
      await manager.query(sql, [keyId, accountId, this.clock.now(), ...values]);
      const [row]: LimitsRow[] = await manager.query(READ, [keyId, accountId, this.clock.now()]);
      if (!row) {
        throw new NotFound('access key');
      }
      const limits = limitsOf(row);
      if (
        limits.dailyLimitNano !== null &&
        limits.monthlyLimitNano !== null &&
        limits.dailyLimitNano > limits.monthlyLimitNano
      ) {
        throw new Unprocessable('daily_limit is above monthly_limit.');
      }
      return limits;
    });
  }
}

const READ = `
  SELECT daily_limit_nano, monthly_limit_nano, per_request_limit_nano, timezone,
    CASE WHEN day = spent_day THEN day_spent_nano ELSE 0 END AS day_spent_nano,
    CASE WHEN month = spent_month THEN month_spent_nano ELSE 0 END AS month_spent_nano,
    (day + 1)::timestamp AT TIME ZONE timezone AS day_resets_at,
    (month + interval '1 month') AT TIME ZONE timezone AS month_resets_at
  FROM access_keys, LATERAL (
    SELECT greatest(spent_day, ($3::timestamptz AT TIME ZONE timezone)::date) AS day,
      greatest(spent_month, date_trunc('month', $3::timestamptz AT TIME ZONE timezone)::date) AS month
  ) AS period
  WHERE id = $1 AND account_id = $2`;

// Moving to another zone must not open a fresh day or month: what counts now is carried into the new zone's period,
// for the counters and for the reservations that will settle against them.
const SET = `
  WITH present AS (
    SELECT id, spent_day AS old_day, spent_month AS old_month,
      spent_day >= ($3::timestamptz AT TIME ZONE timezone)::date AS day_counts,
      spent_month >= date_trunc('month', $3::timestamptz AT TIME ZONE timezone)::date AS month_counts,
      ($3::timestamptz AT TIME ZONE $10)::date AS new_day,
      date_trunc('month', $3::timestamptz AT TIME ZONE $10)::date AS new_month
    FROM access_keys WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE
  ), moved AS (
    UPDATE reservations AS r SET
      spent_day = CASE WHEN p.day_counts AND r.spent_day = p.old_day THEN p.new_day ELSE r.spent_day END,
      spent_month = CASE WHEN p.month_counts AND r.spent_month = p.old_month THEN p.new_month ELSE r.spent_month END
    FROM present AS p
    WHERE $10::text IS NOT NULL AND r.account_id = $2 AND r.key_id = p.id
  )
  UPDATE access_keys AS k SET
    daily_limit_nano = CASE WHEN $4 THEN $5::bigint ELSE daily_limit_nano END,
    monthly_limit_nano = CASE WHEN $6 THEN $7::bigint ELSE monthly_limit_nano END,
    per_request_limit_nano = CASE WHEN $8 THEN $9::bigint ELSE per_request_limit_nano END,
    timezone = coalesce($10, timezone),
    spent_day = coalesce(p.new_day, spent_day),
    day_spent_nano = CASE WHEN $10::text IS NULL OR p.day_counts THEN day_spent_nano ELSE 0 END,
    spent_month = coalesce(p.new_month, k.spent_month),
    month_spent_nano = CASE WHEN $10::text IS NULL OR p.month_counts THEN month_spent_nano ELSE 0 END
  FROM present AS p WHERE k.id = p.id`;

const REMOVE = `
  UPDATE access_keys SET daily_limit_nano = NULL, monthly_limit_nano = NULL, per_request_limit_nano = NULL
  WHERE id = $1 AND account_id = $2 AND $3::timestamptz IS NOT NULL`;

const RESET = `
  UPDATE access_keys SET day_spent_nano = 0, month_spent_nano = 0, spent_epoch = spent_epoch + 1
  WHERE id = $1 AND account_id = $2 AND $3::timestamptz IS NOT NULL`;

interface LimitsRow {
  daily_limit_nano: string | null;
  monthly_limit_nano: string | null;
  per_request_limit_nano: string | null;
  timezone: string;
  day_spent_nano: string;
  month_spent_nano: string;
  day_resets_at: Date;
  month_resets_at: Date;
}

function limitsOf(row: LimitsRow): SpendingLimits {
  const nano = (text: string | null) => (text === null ? null : BigInt(text));
  return {
    dailyLimitNano: nano(row.daily_limit_nano),
    monthlyLimitNano: nano(row.monthly_limit_nano),
    perRequestLimitNano: nano(row.per_request_limit_nano),
    timezone: row.timezone,
    daySpentNano: BigInt(row.day_spent_nano),
    monthSpentNano: BigInt(row.month_spent_nano),
    dayResetsAt: row.day_resets_at,
    monthResetsAt: row.month_resets_at,
  };
}
