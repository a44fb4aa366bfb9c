import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountShards } from '../../infrastructure/database/account-shards';
import { DatabaseUrl } from '../../infrastructure/database/database-url';
import { ProcessRegister } from '../../infrastructure/processes/process-register';
import { Idempotency } from './idempotency/idempotency';
import { Balances } from './ledger/balances.repository';
import { GroupCommitLedger } from './ledger/group-commit-ledger';
import { Ledger } from './ledger/ledger';
import { LedgerFigures } from './ledger/ledger-figures';
import { LedgerMetrics } from './ledger/ledger-metrics';
import { OperatorLoss } from './ledger/operator-loss';
import { ReconciliationRepository } from './ledger/reconciliation.repository';
import { ShardedLedger } from './ledger/sharded-ledger';
import { Transactions } from './ledger/transactions.repository';
import { ChainWatches } from './payments/chain-watches.repository';
import { ConfirmationRules } from './payments/confirmation-rules';
import { DesertedPayments } from './payments/deserted-payments';
import { NetworkCheck } from './payments/network-check';
import { NewPayments } from './payments/new-payments';
import { PaymentChecks } from './payments/payment-checks';
import { PaymentEvents } from './payments/payment-events';
import { PaymentMethods } from './payments/payment-methods';
import { PaymentMetrics } from './payments/payment-metrics';
import { PAYMENT_QUEUE, PaymentQueue } from './payments/payment-queue';
import { PaymentQuotes } from './payments/payment-quotes';
import { AdminCredits } from './ledger/admin-credits';
import { PaymentReviews } from './payments/payment-reviews';
import { PaymentSettlement } from './payments/payment-settlement';
import { PaymentWatch } from './payments/payment-watch';
import { Payments } from './payments/payments.repository';
import { PriceSources } from './payments/prices/price-sources';
import { PriceList } from './pricing/price-list';
import { SpendSpikes } from './usage/spend-spikes';
import { UsageDays } from './usage/usage-days.repository';
import { UsageLog } from './usage/usage-log.repository';
import { UsagePartitions } from './usage/usage-partitions.repository';

const SERVICES = [
  Balances,
  DesertedPayments,
  Idempotency,
  LedgerFigures,
  LedgerMetrics,
  NewPayments,
  OperatorLoss,
  PaymentChecks,
  PaymentMethods,
  PaymentMetrics,
  PaymentQueue,
  AdminCredits,
  PaymentReviews,
  Payments,
  PaymentSettlement,
  PaymentWatch,
  ReconciliationRepository,
  SpendSpikes,
  Transactions,
  UsageDays,
  UsageLog,
  UsagePartitions,
];

/**
 * The ledger, the prices, the usage log, the payments that buy credit, and the stored answers that
 * retries get free of charge.
 */
@Module({})
export class MoneyModule {
  static with(prices: PriceList, confirmationRules: ConfirmationRules): DynamicModule {
    return {
      module: MoneyModule,
      global: true,
      imports: [BullModule.registerQueue({ name: PAYMENT_QUEUE })],
      providers: [
        ...SERVICES,
        ChainWatches,
        NetworkCheck,
        PaymentEvents,
        PaymentQuotes,
        PriceSources,
        { provide: ConfirmationRules, useValue: confirmationRules },
        { provide: PriceList, useValue: prices },
        {
          provide: Ledger,
          inject: [AccountShards, DataSource, DatabaseUrl, LedgerMetrics, ProcessRegister],
          useFactory: ledgerOf,
        },
      ],
      exports: [...SERVICES, PriceList, Ledger],
    };
  }
}

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
