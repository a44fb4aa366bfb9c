import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

const MONTHS_AHEAD = 3;
/** Any number will do, as long as every replica takes the same. */
const PARTITIONS_LOCK = 7_310_002;

/** What was done to the partitions of the calls: names of months added, of tables dropped. */
export interface PartitionChange {
  added: string[];
  dropped: string[];
}

/**
 * The monthly partitions of the calls. Months go by the time in a call's id, which is the machine's and not that of the
 * injected clock.
 */
@Injectable()
export class UsagePartitions {
  constructor(private readonly database: DataSource) {}

  /**
   * Adds the partitions of this month and of the next three where they are missing, and those whose calls are in
   * the default partition; drops what ended `monthsKept` months before this month or earlier. Each step is a transaction
   * of its own that gives up after waiting a second for a lock, so that calls never queue behind it for longer.
   * @throws QueryFailedError when a lock was not to be had: the next run tries again
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

  /** Runs a step if no other replica runs one; it has done or will do what is due. */
  private async alone<Row>(sql: string, month: string): Promise<Row[]> {
    return this.database.transaction(async (manager: EntityManager) => {
      // Calls that piled up in the default partition are moved in one go.
      await manager.query(`SET LOCAL statement_timeout = '10min'`);
      const [lock]: { taken: boolean }[] = await manager.query(
        'SELECT pg_try_advisory_xact_lock($1) AS taken',
        [PARTITIONS_LOCK],
      );
      if (!lock?.taken) {
        return [];
      }
      const rows: Row[] = await manager.query(sql, [month]);
      return rows;
    });
  }
}

/** The first day of the month that is some months after a time's, in UTC. */
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
