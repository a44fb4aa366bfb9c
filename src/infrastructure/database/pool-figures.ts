import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { Metrics } from '../metrics/metrics';

/** How many of the pool's connections are in use, and how many callers wait for one, for the metrics. */
@Injectable()
export class PoolFigures {
  constructor(metrics: Metrics, database: DataSource) {
    const poolOf = (): Pool | null => {
      const master: unknown = (database.driver as PostgresDriver).master;
      return master instanceof Pool ? master : null;
    };
    metrics.gauges('postgres_pool_connections', "Connections of this process' pool to Postgres.", () => {
      const { totalCount = 0, idleCount = 0 } = poolOf() ?? {};
      return [
        { labels: { state: 'in_use' }, value: totalCount - idleCount },
        { labels: { state: 'idle' }, value: idleCount },
      ];
    });
    metrics.gauge(
      'postgres_pool_waiting',
      'Callers that wait for a connection of the pool.',
      () => poolOf()?.waitingCount ?? 0,
    );
  }
}
