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
/** Anybody may ask for the state, so the database is checked at most this often. */
const LOOKED_AT_EVERY_MS = 1_000;
const DISK_FULL = '53100';
const DISK_FAILS = '58030';

/**
 * Sends 400 KiB to disk, since a full disk fails only writes. Postgres 18 counts no memory for the texts
 * without the numbers beside them.
 */
const CHECK = `
  SELECT count(*), current_setting('transaction_read_only')::boolean AS is_read_only FROM (
    SELECT number FROM generate_series(1, 400) AS number ORDER BY repeat(number::text, 400) COLLATE "C" OFFSET 0
  ) AS sorted`;

export class DatabaseCheck {
  private looked: Promise<DatabaseState> = Promise.resolve('away');
  private lookedAtMs = -Infinity;
  private isLooking = false;

  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Answers in two seconds and never throws. Within a second it repeats the last answer. */
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
