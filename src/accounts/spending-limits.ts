import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { sqlStateOf } from '../database/driver-errors';
import { ProcessRegister } from '../database/process-register';
import { NotFound, Unprocessable, ValidationFailed } from '../errors/api-errors';
import { Clock } from '../runtime/clock';
import { isId } from '../runtime/ids';

const UNKNOWN_TIME_ZONE = '22023';

/** Undefined leaves a field as it is, null removes that limit. */
export interface LimitChange {
  dailyLimitNano?: bigint | null;
  monthlyLimitNano?: bigint | null;
  perRequestLimitNano?: bigint | null;
  timezone?: string;
}

/** What was spent is that of the present day and month in the key's time zone. */
export interface KeySpendingLimits {
  dailyLimitNano: bigint | null;
  monthlyLimitNano: bigint | null;
  perRequestLimitNano: bigint | null;
  timezone: string;
  daySpentNano: bigint;
  monthSpentNano: bigint;
  dayResetsAt: Date;
  monthResetsAt: Date;
}

/**
 * When limits are read, the sums of a past day or month count as zero, so no job has to reset them. What processes were lent of
 * a limit and do not use is no spending.
 */
@Injectable()
export class SpendingLimitsRepository {
  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
    private readonly register: ProcessRegister,
  ) {}

  /** @throws NotFound when the account has no such key */
  async get(accountId: string, keyId: string): Promise<KeySpendingLimits> {
    const rows: LimitsRow[] = isId(keyId)
      ? await this.database.query(READ, [keyId, accountId, this.clock.now()])
      : [];
    const row = rows[0];
    if (!row) {
      throw new NotFound('access key');
    }
    return limitsOf(row);
  }

  /**
   * @throws NotFound when the account has no such key, Unprocessable when the daily limit would be above the monthly one,
   *   ValidationFailed for a time zone that the database does not know
   */
  async set(accountId: string, keyId: string, change: LimitChange): Promise<KeySpendingLimits> {
    const values = [change.dailyLimitNano, change.monthlyLimitNano, change.perRequestLimitNano].flatMap(
      (nano) => [nano !== undefined, nano?.toString() ?? null],
    );
    return this.change(accountId, keyId, async (manager) => {
      if (change.timezone !== undefined) {
        await moveToZone(manager, [keyId, accountId, this.clock.now(), change.timezone]);
      }
      await manager.query(SET, [keyId, accountId, ...values]);
    });
  }

  /** The sums already spent stay, and count again when limits are set anew. */
  async remove(accountId: string, keyId: string): Promise<void> {
    await this.change(accountId, keyId, (manager) => manager.query(REMOVE, [keyId, accountId]));
  }

  /** Calls in flight will not be added to the sums either. */
  async reset(accountId: string, keyId: string): Promise<KeySpendingLimits> {
    return this.change(accountId, keyId, (manager) => manager.query(RESET, [keyId, accountId]));
  }

  private async change(
    accountId: string,
    keyId: string,
    write: (manager: EntityManager) => Promise<void>,
  ): Promise<KeySpendingLimits> {
    if (!isId(keyId)) {
      throw new NotFound('access key');
    }
    // What processes were lent they give back first, so that the sums are what calls have spent and hold.
    await this.register.changing(accountId, (announce) => announce(this.database));
    return this.register.changing(accountId, (announce) =>
      this.database.transaction(async (manager) => {
        // The ledger locks the balance before the key. Locking in another order could deadlock with the ledger.
        await manager.query('SELECT FROM balances WHERE account_id = $1 FOR NO KEY UPDATE', [accountId]);
        await write(manager);
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
        await announce(manager);
        return limits;
      }),
    );
  }
}

/** The request was judged by the time zones that Node knows; Postgres has a list of its own and may still refuse one. */
async function moveToZone(manager: EntityManager, values: unknown[]): Promise<void> {
  try {
    await manager.query(MOVE, values);
  } catch (error) {
    if (sqlStateOf(error) === UNKNOWN_TIME_ZONE) {
      const message = 'must be the name of an IANA time zone, such as Europe/Berlin';
      throw new ValidationFailed([{ field: 'timezone', message }]);
    }
    throw error;
  }
}

const READ = `
  SELECT daily_limit_nano, monthly_limit_nano, per_request_limit_nano, timezone,
    CASE WHEN day = spent_day THEN day_spent_nano - unused_of_day ELSE 0 END AS day_spent_nano,
    CASE WHEN month = spent_month THEN month_spent_nano - unused_of_month ELSE 0 END AS month_spent_nano,
    day_starts_at(day + 1, timezone) AS day_resets_at,
    day_starts_at((month + interval '1 month')::date, timezone) AS month_resets_at
  FROM access_keys AS k, LATERAL (
    SELECT greatest(k.spent_day, ($3::timestamptz AT TIME ZONE timezone)::date) AS day,
      greatest(k.spent_month, date_trunc('month', $3::timestamptz AT TIME ZONE timezone)::date) AS month
  ) AS period, LATERAL (
    SELECT coalesce(sum(unused) FILTER (WHERE l.spent_day = k.spent_day), 0)::bigint AS unused_of_day,
      coalesce(sum(unused) FILTER (WHERE l.spent_month = k.spent_month), 0)::bigint AS unused_of_month
    FROM leases AS l, LATERAL (
      SELECT l.amount_nano - coalesce(sum(r.amount_nano), 0) AS unused FROM reservations AS r
      WHERE r.account_id = l.account_id AND r.process_id = l.process_id AND r.lease_id = l.id
    ) AS beside
    WHERE l.account_id = k.account_id AND l.key_id = k.id AND l.spent_epoch = k.spent_epoch AND NOT l.is_exact
  ) AS lent
  WHERE id = $1 AND account_id = $2`;

// Changing the zone must not give a key a fresh day or month to spend: the sums of the present day and month of the old zone
// become those of the new zone, with what processes hold of them, which calls will be settled against, also where a day is over
// in the old zone only. What was lent in earlier periods counts in no period: the present one may have the date of theirs.
const MOVE = `
  WITH move AS (
    SELECT id, spent_day AS old_day, spent_month AS old_month, new_day, new_month,
      spent_day >= least(new_day, ($3::timestamptz AT TIME ZONE timezone)::date) AS day_counts,
      spent_month >= least(new_month, date_trunc('month', $3::timestamptz AT TIME ZONE timezone)::date) AS month_counts
    FROM access_keys, LATERAL (
      SELECT ($3::timestamptz AT TIME ZONE $4)::date AS new_day,
        date_trunc('month', $3::timestamptz AT TIME ZONE $4)::date AS new_month
    ) AS period
    WHERE id = $1 AND account_id = $2 AND timezone <> $4
    FOR NO KEY UPDATE OF access_keys
  ), lent AS (
    UPDATE leases AS l SET
      spent_day = CASE WHEN day_counts AND l.spent_day = old_day THEN new_day END,
      spent_month = CASE WHEN month_counts AND l.spent_month = old_month THEN new_month END
    FROM move WHERE l.account_id = $2 AND l.key_id = move.id
  )
  UPDATE access_keys AS k SET timezone = $4,
    spent_day = new_day, day_spent_nano = CASE WHEN day_counts THEN day_spent_nano ELSE 0 END,
    spent_month = new_month, month_spent_nano = CASE WHEN month_counts THEN month_spent_nano ELSE 0 END
  FROM move WHERE k.id = move.id`;

const SET = `
  UPDATE access_keys SET
    daily_limit_nano = CASE WHEN $3 THEN $4::bigint ELSE daily_limit_nano END,
    monthly_limit_nano = CASE WHEN $5 THEN $6::bigint ELSE monthly_limit_nano END,
    per_request_limit_nano = CASE WHEN $7 THEN $8::bigint ELSE per_request_limit_nano END
  WHERE id = $1 AND account_id = $2`;

const REMOVE = `
  UPDATE access_keys SET daily_limit_nano = NULL, monthly_limit_nano = NULL, per_request_limit_nano = NULL
  WHERE id = $1 AND account_id = $2`;

const RESET = `
  UPDATE access_keys SET day_spent_nano = 0, month_spent_nano = 0, spent_epoch = spent_epoch + 1,
    spent_day = '-infinity', spent_month = '-infinity'
  WHERE id = $1 AND account_id = $2`;

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

function limitsOf(row: LimitsRow): KeySpendingLimits {
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
