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

/** Columns in snake case, as the SQL of migrations and repositories writes them. */
class SnakeCaseNames extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string, embeddedPrefixes: string[]): string {
    return snakeCase([...embeddedPrefixes, customName || propertyName].join('_'));
  }
}

/** TypeORM never changes the schema by itself: only migrate() runs migrations. */
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
      // A pooler refuses it of a connection; there the role has it (`requireFitPooler`).
      statement_timeout: isPooled ? undefined : STATEMENT_MS_MAX,
      ...KEEP_ALIVE,
    },
  };
}
