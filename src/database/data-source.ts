import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { SnakeCaseNames } from './columns';
import {
  ANSWER_WITHIN_MS,
  DatabaseUrl,
  DeadlineClient,
  IDLE_MS_MAX,
  KEEP_ALIVE_AFTER_MS,
  PatientPool,
  STATEMENT_MS_MAX,
} from './connection-pool';
import { Baseline1765100000000 } from './migrations/1765100000000-baseline';
import { ProcessLeases1765200000000 } from './migrations/1765200000000-process-leases';
import { Leases1765300000000 } from './migrations/1765300000000-leases';
import { CachedTokens1765400000000 } from './migrations/1765400000000-cached-tokens';
import { CacheWriteTokens1765500000000 } from './migrations/1765500000000-cache-write-tokens';
import { Console1765600000000 } from './migrations/1765600000000-console';
import { DaysOfAllAccounts1765700000000 } from './migrations/1765700000000-days-of-all-accounts';
import { PlaygroundCaps1765800000000 } from './migrations/1765800000000-playground-caps';
import { WorkingProcesses1765900000000 } from './migrations/1765900000000-working-processes';
import { SummedCharges1766000000000 } from './migrations/1766000000000-summed-charges';

/**
 * How TypeORM connects to the database. It never changes the schema by itself: only migrate() runs migrations. A
 * connection and the answer of a statement are waited for within five seconds (`connection-pool.ts`); withLongStatements()
 * gives statements more time.
 * @param poolSizeMax how many connections are open at most
 */
export function dataSourceOptions(url: string | DatabaseUrl, poolSizeMax: number): DataSourceOptions {
  const { value, isPooled } = typeof url === 'string' ? new DatabaseUrl(url) : url;
  return {
    type: 'postgres',
    url: value,
    poolSize: poolSizeMax,
    migrations: [
      Baseline1765100000000,
      ProcessLeases1765200000000,
      Leases1765300000000,
      CachedTokens1765400000000,
      CacheWriteTokens1765500000000,
      Console1765600000000,
      DaysOfAllAccounts1765700000000,
      PlaygroundCaps1765800000000,
      WorkingProcesses1765900000000,
      SummedCharges1766000000000,
    ],
    namingStrategy: new SnakeCaseNames(),
    synchronize: false,
    driver: { ...pg, Pool: PatientPool },
    extra: {
      Client: DeadlineClient,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      idleTimeoutMillis: IDLE_MS_MAX,
      // A pooler refuses it of a connection; there the role has it (session-address.ts).
      statement_timeout: isPooled ? undefined : STATEMENT_MS_MAX,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    },
  };
}
