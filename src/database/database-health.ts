import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { Metrics } from '../observability/metrics';
import { type Clock, resultWithin } from '../runtime/clock';
import { sqlStateOf } from './driver-errors';

@Injectable()
export class PoolFigures {
  constructor(metrics: Metrics, database: DataSource) {
    const pool = (database.driver as PostgresDriver).master as Pool;
    metrics.gauges('postgres_pool_connections', "Connections of this process' pool to Postgres.", () => [
      { labels: { state: 'in_use' }, value: pool.totalCount - pool.idleCount },
      { labels: { state: 'idle' }, value: pool.idleCount },
    ]);
    metrics.gauge(
      'postgres_pool_waiting',
      'Callers that wait for a connection of the pool.',
      () => pool.waitingCount,
    );
  }
}

type DatabaseState = 'ok' | 'disk full' | 'read-only' | 'away';

const CHECKED_WITHIN_MS = 2_000;
/** The database is looked at once in this time at most. Anybody may ask for its state, as often as he likes. */
const LOOKED_AT_EVERY_MS = 1_000;
const DISK_FULL = '53100';
const DISK_FAILS = '58030';

/**
 * Sorts a few long texts that do not fit in memory, so that some 400 KiB go to disk: a server with a full disk fails only where
 * it writes. Without the numbers beside them, Postgres 18 would count no memory for the texts.
 */
const CHECK = `
  SELECT count(*), current_setting('transaction_read_only')::boolean AS is_read_only FROM (
    SELECT number FROM generate_series(1, 400) AS number ORDER BY repeat(number::text, 400) COLLATE "C" OFFSET 0
  ) AS sorted`;

/** Tells whether the database can be asked and can write, as of a second ago at most. */
export class DatabaseCheck {
  private looked: Promise<DatabaseState> = Promise.resolve('away');
  private lookedAtMs = -Infinity;
  private isLooking = false;

  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** In two seconds; never throws. Asked during a look, or within a second of its beginning, it gives that look's answer. */
  state(): Promise<DatabaseState> {
    const nowMs = this.clock.now().getTime();
    const ageMs = nowMs - this.lookedAtMs;
    // After a clock was set back, an old answer must not hold until it has caught up.
    const isFresh = ageMs >= 0 && ageMs < LOOKED_AT_EVERY_MS;
    if (!this.isLooking && !isFresh) {
      this.lookedAtMs = nowMs;
      this.looked = this.look();
    }
    return this.looked;
  }

  private look(): Promise<DatabaseState> {
    this.isLooking = true;
    const looked = resultWithin<DatabaseState>(CHECKED_WITHIN_MS, this.write(), () => 'away');
    return looked.finally(() => (this.isLooking = false));
  }

  private async write(): Promise<DatabaseState> {
    try {
      return await this.database.transaction(async (manager) => {
        await manager.query(`SET LOCAL work_mem = '64kB'`);
        const [checked]: { is_read_only: boolean }[] = await manager.query(CHECK);
        return checked?.is_read_only ? 'read-only' : 'ok';
      });
    } catch (error) {
      return [DISK_FULL, DISK_FAILS].includes(sqlStateOf(error) ?? '') ? 'disk full' : 'away';
    }
  }
}
