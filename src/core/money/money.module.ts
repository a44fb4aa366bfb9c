import { Module, type DynamicModule } from '@nestjs/common';
import { Idempotency } from './idempotency/idempotency';
import { Balances } from './ledger/balances.repository';
import { GroupCommitLedger } from './ledger/group-commit-ledger';
import { Ledger } from './ledger/ledger';
import { LedgerMetrics } from './ledger/ledger-metrics';
import { OperatorLoss } from './ledger/operator-loss';
import { ReconciliationRepository } from './ledger/reconciliation.repository';
import { Transactions } from './ledger/transactions.repository';
import { PriceList } from './pricing/price-list';
import { SpendSpikes } from './usage/spend-spikes';
import { UsageDays } from './usage/usage-days.repository';
import { UsageLog } from './usage/usage-log.repository';
import { UsagePartitions } from './usage/usage-partitions.repository';

const SERVICES = [
  Balances,
  Idempotency,
  LedgerMetrics,
  OperatorLoss,
  ReconciliationRepository,
  SpendSpikes,
  Transactions,
  UsageDays,
  UsageLog,
  UsagePartitions,
];

/** The ledger, the prices, the usage log, and the stored answers that retries get free of charge. */
@Module({})
export class MoneyModule {
  static with(prices: PriceList): DynamicModule {
    return {
      module: MoneyModule,
      global: true,
      providers: [
        ...SERVICES,
        { provide: PriceList, useValue: prices },
        { provide: Ledger, useClass: GroupCommitLedger },
      ],
      exports: [...SERVICES, PriceList, Ledger],
    };
  }
}
