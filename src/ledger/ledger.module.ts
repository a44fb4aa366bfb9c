import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountShards } from '../database/account-shards';
import { DatabaseUrl } from '../database/connection';
import { ProcessRegister } from '../database/process-register';
import { GroupCommitLedger, ShardedLedger } from './group-commit-ledger';
import { Idempotency } from './idempotency';
import { Ledger } from './ledger';
import { LedgerFigures, LedgerMetrics, OperatorLoss } from './ledger.metrics';
import { Balances, ReconciliationRepository } from './reconciliation';
import { SpendSpikes } from './spend-spikes';
import { AdminCredits, Transactions } from './transactions';
import { UsageLog } from './usage-log';
import { UsageDays, UsagePartitions } from './usage-partitions';

const SERVICES = [
  AdminCredits,
  Balances,
  Idempotency,
  LedgerFigures,
  LedgerMetrics,
  OperatorLoss,
  ReconciliationRepository,
  SpendSpikes,
  Transactions,
  UsageDays,
  UsageLog,
  UsagePartitions,
];

@Global()
@Module({
  providers: [
    ...SERVICES,
    {
      provide: Ledger,
      inject: [AccountShards, DataSource, DatabaseUrl, LedgerMetrics, ProcessRegister],
      useFactory: ledgerOf,
    },
  ],
  exports: [...SERVICES, Ledger],
})
export class LedgerModule {}

function ledgerOf(
  shards: AccountShards,
  database: DataSource,
  url: DatabaseUrl,
  metrics: LedgerMetrics,
  { id: processId }: ProcessRegister,
): Ledger {
  const ledgers = Array.from(
    { length: shards.count },
    () => new GroupCommitLedger(database, url, metrics, processId),
  );
  const [only] = ledgers;
  return shards.count === 1 && only ? only : new ShardedLedger(shards, ledgers);
}
