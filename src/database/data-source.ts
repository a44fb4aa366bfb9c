import pg from 'pg';
import { type DataSourceOptions, DefaultNamingStrategy } from 'typeorm';
import { snakeCase } from '../runtime/json';
import {
  ANSWER_WITHIN_MS,
  DatabaseUrl,
  DeadlineClient,
  IDLE_MS_MAX,
  KEEP_ALIVE,
  ReconnectingPool,
  STATEMENT_MS_MAX,
} from './connection-pool';
import { MIGRATIONS } from './migrations';

class SnakeCaseNames extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string, embeddedPrefixes: string[]): string {
    return snakeCase([...embeddedPrefixes, customName || propertyName].join('_'));
  }
}

/** TypeORM never changes the schema: only migrate() does. */
export function dataSourceOptions(url: string | DatabaseUrl, poolSizeMax: number): DataSourceOptions {
  const { value, isPooled } = typeof url === 'string' ? new DatabaseUrl(url) : url;
  return {
    type: 'postgres',
    url: value,
    poolSize: poolSizeMax,
    migrations: MIGRATIONS,
    namingStrategy: new SnakeCaseNames(),
    synchronize: false,
    driver: { ...pg, Pool: ReconnectingPool },
    extra: {
      Client: DeadlineClient,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      idleTimeoutMillis: IDLE_MS_MAX,
      // A pooler refuses this; the role has it there (`requireFitPooler`).
      statement_timeout: isPooled ? undefined : STATEMENT_MS_MAX,
      ...KEEP_ALIVE,
    },
  };
}
