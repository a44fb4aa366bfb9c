import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { inBatches } from '../../../infrastructure/database/in-batches';
import { withLongStatements } from '../../../infrastructure/database/long-statements';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH_MS_MAX = 30_000;
const BATCHES = { sizeMax: 5000, batchesMax: 400 };

/** The daily sums of usage, which are made of the hourly sums so that long periods are read from few rows. */
@Injectable()
export class UsageDays {
  constructor(private readonly database: DataSource) {}

  /**
   * Adds the hours of all days that are over, at most two million in one run, and returns how many.
   * @param signal ends the run early when it is aborted
   */
  async addFinishedHours(now: Date, signal?: AbortSignal): Promise<number> {
    return inBatches({ ...BATCHES, signal }, (hoursMax) => this.addHours(now, hoursMax));
  }

  /**
   * Adds hours of days that are over to the sums of their days, at most `hoursMax` hours, and returns how many. Each
   * hour is marked as added or not, and reports read the hours that are not; so they are exact whether or not this has
   * run. It never waits for the lock of an hour: an hour that is being written is left to the next run.
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
