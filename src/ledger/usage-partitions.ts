import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { inBatches } from '../database/bounded-statements';
import { withLongStatements } from '../database/connection';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH_MS_MAX = 30_000;
const BATCHES = { sizeMax: 5000, batchesMax: 400 };

@Injectable()
export class UsageDays {
  constructor(private readonly database: DataSource) {}

  /** At most two million hours in one run. */
  async addFinishedHours(now: Date, signal?: AbortSignal): Promise<number> {
    return inBatches({ ...BATCHES, signal }, (hoursMax) => this.addHours(now, hoursMax));
  }

  /**
   * Each hour is marked as added or not, and reports read the hours that are not, so they are exact whether or not this has
   * run. An hour that is being written is left to the next run.
   */
  async addHours(now: Date, hoursMax: number): Promise<number> {
    const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
    const [row] = await withLongStatements(
      this.database,
      BATCH_MS_MAX,
      (runner) => runner.query(ADD_HOURS, [today, hoursMax]) as Promise<{ added: string }[]>,
    );
    return Number(row?.added ?? 0);
  }
}

const KEY = 'account_id, day, key_id, operation, price';

const ADD_HOURS = `
  WITH added AS (
    UPDATE usage_hours SET in_day = true
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM usage_hours WHERE NOT in_day AND hour < $1
      ORDER BY account_id, hour LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING account_id, date_bin('1 day', hour, '2000-01-01T00:00Z') AS day, key_id, operation, price,
      requests, successful, tokens, cost_nano
  ), days AS (
    INSERT INTO usage_days AS u (${KEY}, requests, successful, tokens, cost_nano)
    SELECT ${KEY}, sum(requests), sum(successful), sum(tokens), sum(cost_nano)
    FROM added GROUP BY ${KEY} ORDER BY ${KEY}
    ON CONFLICT (${KEY}) DO UPDATE SET requests = u.requests + excluded.requests,
      successful = u.successful + excluded.successful, tokens = u.tokens + excluded.tokens,
      cost_nano = u.cost_nano + excluded.cost_nano
  )
  SELECT count(*) AS added FROM added`;

const MONTHS_AHEAD = 3;
const STEP_MS_MAX = 10 * 60 * 1000;
/** Any number that is used for no other lock. */
const PARTITIONS_LOCK = 7_310_002;

interface PartitionChange {
  added: string[];
  dropped: string[];
}

/** The time in a call's id decides its month. It is the machine's own, whatever clock is injected. */
@Injectable()
export class UsagePartitions {
  constructor(private readonly database: DataSource) {}

  /**
   * Adds the partitions of this month and of the next three, and those whose calls are in the default partition; drops those
   * that ended `monthsKept` months ago. Each step gives up after waiting a second for a lock, so that no calls queue behind
   * it, and the next run tries again.
   */
  async keep(now: Date, monthsKept: number): Promise<PartitionChange> {
    const [month, oldest] = [monthOf(now, 0), monthOf(now, -monthsKept)];
    const missing: { month: string }[] = await this.database.query(MISSING, [month, oldest, MONTHS_AHEAD]);
    const added: string[] = [];
    for (const { month: name } of missing) {
      const rows = await this.alone<{ is_new: boolean }>(
        'SELECT calls_add_partition($1::date) AS is_new',
        name,
      );
      added.push(...rows.filter((row) => row.is_new).map(() => name));
    }
    const rows = await this.alone<{ dropped: string }>(
      'SELECT calls_drop_partitions($1::date) AS dropped',
      oldest,
    );
    return { added, dropped: rows.map((row) => row.dropped) };
  }

  /** Another replica that runs a step does what is due. */
  private async alone<Row>(sql: string, month: string): Promise<Row[]> {
    return withLongStatements(this.database, STEP_MS_MAX, ({ manager }) =>
      manager.transaction(async (step) => {
        const [lock]: { taken: boolean }[] = await step.query(
          'SELECT pg_try_advisory_xact_lock($1) AS taken',
          [PARTITIONS_LOCK],
        );
        if (!lock?.taken) {
          return [];
        }
        const rows: Row[] = await step.query(sql, [month]);
        return rows;
      }),
    );
  }
}

function monthOf(time: Date, months: number): string {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1)).toISOString().slice(0, 10);
}

const MISSING = `
  WITH bounds AS (
    SELECT pg_get_expr(c.relpartbound, c.oid) AS text FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'calls'::regclass
  ), ranges AS (
    SELECT substring(text FROM 'FROM \\(''([0-9a-f-]{36})''\\)')::uuid AS first,
      substring(text FROM 'TO \\(''([0-9a-f-]{36})''\\)')::uuid AS past
    FROM bounds
  ), months AS (
    SELECT month::date FROM generate_series($1::date, $1::date + $3 * interval '1 month', '1 month') AS month
    UNION
    SELECT (date_trunc('month', to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0),
      'UTC') AT TIME ZONE 'UTC')::date
    FROM calls_default WHERE id >= calls_partition_bound($2::date) AND id < calls_partition_bound($1::date)
  )
  SELECT month::text FROM months WHERE NOT EXISTS (
    SELECT FROM ranges WHERE calls_partition_bound(month) < past
      AND (first IS NULL OR calls_partition_bound(month) >= first))
  ORDER BY month`;
