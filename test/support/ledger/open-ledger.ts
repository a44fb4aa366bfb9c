import { DataSource } from 'typeorm';
import { AccessKeyEntity } from '../../../src/accounts/access-keys';
import { Account } from '../../../src/accounts/accounts';
import { AccountDatabases } from '../../../src/database/account-databases';
import type { ProcessRegister } from '../../../src/database/process-register';
import { LeaseLedger } from '../../../src/ledger/lease-ledger';
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
  const register = registerOf(database, databaseUrl);
  const ledger = new LeaseLedger(database, databaseUrl, new LedgerMetrics(metrics), register);
  await register.onModuleInit();
  const close = async (): Promise<void> => {
    await ledger.onApplicationShutdown();
    await register.onApplicationShutdown();
    await database.destroy();
  };
  return { ledger, metrics, register, database, databases: AccountDatabases.only(database), close };
}
