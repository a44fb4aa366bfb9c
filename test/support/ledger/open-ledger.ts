import { DataSource } from 'typeorm';
import { AccessKeyEntity } from '../../../src/accounts/access-keys';
import { Account } from '../../../src/accounts/accounts';
import { type AccountDatabases, openAccountDatabases } from '../../../src/database/account-databases';
import type { ProcessRegister } from '../../../src/database/process-register';
import { DatabaseUrl } from '../../../src/database/connection-pool';
import { ledgerOf } from '../../../src/ledger/ledger.module';
import type { Ledger } from '../../../src/ledger/ledger';
import { LedgerMetrics } from '../../../src/ledger/ledger.metrics';
import { dataSourceOptions } from '../../../src/database/data-source';
import { Metrics } from '../../../src/observability/metrics';
import { registerOf } from '../database/process-register';

const POOL_SIZE_MAX = 8;

/** A ledger as one process of the service has it, without the service. */
export interface OpenLedger {
  ledger: Ledger;
  metrics: Metrics;
  /** The process's row, which its ledger and repositories stand on. */
  register: ProcessRegister;
  /** The process's pool, for the repositories that change what the ledger reads. */
  database: DataSource;
  databases: AccountDatabases;
  close(): Promise<void>;
}

/** Opens a ledger that shares nothing but the database with others: two of them are two replicas. */
export async function openLedger(databaseUrl: string): Promise<OpenLedger> {
  const options = { ...dataSourceOptions(databaseUrl, POOL_SIZE_MAX), entities: [Account, AccessKeyEntity] };
  const database = await new DataSource(options).initialize();
  const metrics = new Metrics();
  const databases = await openAccountDatabases(database, Number(process.env.TEST_ACCOUNT_SCHEMAS ?? 1));
  const register = registerOf(database, databaseUrl, databases);
  const ledger = ledgerOf(databases, new DatabaseUrl(databaseUrl), new LedgerMetrics(metrics), register);
  await register.onModuleInit();
  const close = async (): Promise<void> => {
    await ledger.onApplicationShutdown();
    await register.onApplicationShutdown();
    await database.destroy();
  };
  return { ledger, metrics, register, database: databases.everyone, databases, close };
}
