import { DataSource } from 'typeorm';
import { AccessKey } from '../../../src/core/access/access-keys/access-key.entity';
import { Account } from '../../../src/core/access/accounts/account.entity';
import { GroupCommitLedger } from '../../../src/core/money/ledger/group-commit-ledger';
import type { Ledger } from '../../../src/core/money/ledger/ledger';
import { LedgerMetrics } from '../../../src/core/money/ledger/ledger-metrics';
import { dataSourceOptions } from '../../../src/infrastructure/database/data-source-options';
import { DatabaseUrl } from '../../../src/infrastructure/database/database-url';
import { Metrics } from '../../../src/infrastructure/metrics/metrics';

const POOL_SIZE_MAX = 8;

/** A ledger as one process of the service has it, without the service. */
export interface OpenLedger {
  ledger: Ledger;
  metrics: Metrics;
  /** The process's pool, for the repositories that change what the ledger reads. */
  database: DataSource;
  close(): Promise<void>;
}

/** Opens a ledger that shares nothing but the database with others: two of them are two replicas. */
export async function openLedger(databaseUrl: string): Promise<OpenLedger> {
  const options = { ...dataSourceOptions(databaseUrl, POOL_SIZE_MAX), entities: [Account, AccessKey] };
  const database = await new DataSource(options).initialize();
  const metrics = new Metrics();
  const ledger = new GroupCommitLedger(database, new DatabaseUrl(databaseUrl), new LedgerMetrics(metrics));
  const close = async (): Promise<void> => {
    await ledger.onApplicationShutdown();
    await database.destroy();
  };
  return { ledger, metrics, database, close };
}
