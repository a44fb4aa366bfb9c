import { Global, Injectable, Logger, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ConsoleSessions } from '../accounts/console-sessions';
import { AccountTokens } from '../accounts/credentials';
import { LoginAddresses } from '../accounts/password-login';
import { Configuration } from '../config/configuration';
import { AccountShards } from '../database/account-shards';
import { DatabaseUrl } from '../database/connection-pool';
import { ProcessRegister } from '../database/process-register';
import { Clock, presentMs } from '../runtime/clock';
import { part, timed } from '../work/timers';
import { Idempotency } from './idempotency';
import { Ledger } from './ledger';
import { LedgerFigures, LedgerMetrics, OperatorLoss } from './ledger.metrics';
import { LeaseLedger } from './lease-ledger';
import { Balances, ReconciliationRepository } from './reconciliation';
import { ShardedLedger } from './sharded-ledger';
import { SpendSpikes } from './spend-spikes';
import { AdminCredits, Transactions } from './transactions';
import { UsageDays, UsageLog, UsagePartitions } from './usage-log';
import { UsageOverTime } from './usage-series';
import { CallList } from './call-list';
import { RevenueReport } from './revenue';

const SERVICES = [
  CallList,
  RevenueReport,
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
  UsageOverTime,
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
  register: ProcessRegister,
): Ledger {
  const ledgers = Array.from(
    { length: shards.count },
    () => new LeaseLedger(database, url.session, metrics, register),
  );
  const [only] = ledgers;
  return shards.count === 1 && only ? only : new ShardedLedger(shards, ledgers);
}

/**
 * Gives back the credit that calls had reserved when their process died before it could settle them. It also deletes
 * idempotency claims, ended tokens and addresses of logins that have expired. A call that two replicas sweep at once is ended
 * only once.
 */
@Injectable()
export class Sweeper {
  private readonly logger = new Logger('Sweeper');

  constructor(
    private readonly ledger: Ledger,
    private readonly idempotency: Idempotency,
    private readonly tokens: AccountTokens,
    private readonly sessions: ConsoleSessions,
    private readonly loginAddresses: LoginAddresses,
    private readonly clock: Clock,
    private readonly metrics: LedgerMetrics,
  ) {}

  /** Sweeps once and returns how many calls it ended. When one part fails, the others are still done. */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    const swept = (await part(this.logger, 'the sweep of calls', () => this.sweepCalls(now))) ?? 0;
    await part(this.logger, 'the sweep of idempotency claims', () => this.idempotency.sweep(now));
    await part(this.logger, 'the sweep of ended tokens', () => this.tokens.sweep(now));
    await part(this.logger, 'the sweep of sessions', () => this.sessions.sweep(now));
    await part(this.logger, 'the sweep of addresses of logins', () => this.loginAddresses.sweep());
    if (swept > 0) {
      this.logger.warn({ message: 'reservations of dead calls were released', count: swept });
    }
    return swept;
  }

  private async sweepCalls(now: Date): Promise<number> {
    const startedAtMs = performance.now();
    const swept = await this.ledger.sweep(now);
    this.metrics.sweep(performance.now() - startedAtMs);
    this.metrics.swept(swept);
    return swept;
  }
}

/** As many millions of entries as there may be: nobody waits for it, and it locks nothing. */
const CHECKED_WITHIN_MS = 5 * 60_000;

/** Compares every balance with the sum of its entries, so that the metrics can wake somebody if one is wrong. */
@Injectable()
export class Books {
  private readonly logger = new Logger('Books');

  constructor(
    private readonly reconciliation: ReconciliationRepository,
    private readonly figures: LedgerFigures,
  ) {}

  /** Checks once. */
  async check(): Promise<void> {
    const reconciliation = await this.reconciliation.reconcileNews(CHECKED_WITHIN_MS);
    this.figures.checked(reconciliation);
    if (reconciliation.mismatches.length > 0) {
      const accounts = reconciliation.mismatches.map(({ accountId }) => accountId);
      this.logger.error({ message: 'balances are not the sums of their entries', accounts });
    }
  }
}

/**
 * Keeps the usage log small and quick to read: it makes the monthly partitions ahead of time, drops those beyond the
 * retention and adds the hours of finished days to the sums of their days. Two replicas that do it at once do no
 * harm, and what a missed run left undone is done by the next.
 */
@Injectable()
export class UsageUpkeep {
  private readonly logger = new Logger('UsageUpkeep');

  constructor(
    private readonly partitions: UsagePartitions,
    private readonly days: UsageDays,
    private readonly configuration: Configuration,
    private readonly clock: Clock,
  ) {}

  /** Does what is due. When one part fails, the other is still done; the failed one is tried again an hour later. */
  async run(signal?: AbortSignal): Promise<void> {
    await part(this.logger, 'the sums of calls', () => this.days.rollUp(signal));
    await part(this.logger, 'the upkeep of partitions', () => this.keepPartitions());
    await part(this.logger, 'the upkeep of hours of usage', () => this.keepHours());
    await part(this.logger, 'the upkeep of days of usage', () =>
      this.days.addFinishedHours(this.clock.now(), signal),
    );
  }

  private async keepPartitions(): Promise<void> {
    // A call's partition follows from its id, and ids are not made by the injected clock.
    const now = new Date(presentMs());
    const { added, dropped } = await this.partitions.keep(now, this.configuration.usageRetentionMonths);
    if (added.length + dropped.length > 0) {
      this.logger.log({ message: 'partitions of the usage log were changed', added, dropped });
    }
  }

  private async keepHours(): Promise<void> {
    const { usageHoursRetentionDays } = this.configuration;
    const changed = await this.partitions.keepHours(new Date(presentMs()), usageHoursRetentionDays);
    if (changed.length > 0) {
      this.logger.log({ message: 'partitions of hours of usage were made or dropped', changed });
    }
  }
}

const HOUR_MS = 60 * 60_000;
const ROLLED_UP_EVERY_MS = 1_000;

export const LEDGER_TIMERS = [
  timed({ name: 'Sweeper', everyMs: 10_000, of: Sweeper, work: (sweeper) => sweeper.sweep() }),
  timed({
    name: 'Books',
    everyMs: HOUR_MS,
    first: 'with the background work',
    of: Books,
    work: (books) => books.check(),
  }),
  timed({
    name: 'UsageUpkeep',
    everyMs: HOUR_MS,
    first: 'at the start',
    of: UsageUpkeep,
    work: (upkeep, { signal }) => upkeep.run(signal),
  }),
  timed({
    name: 'UsageRollUp',
    everyMs: ROLLED_UP_EVERY_MS,
    of: UsageDays,
    work: (days, { signal }) => days.rollUpNews(signal),
  }),
  // Hours in which an account spends far more than it used to. No charge should pay for reading a week.
  timed({
    name: 'UsageSpikes',
    everyMs: 60_000,
    of: SpendSpikes,
    work: (spikes, { now, signal }) => spikes.tell(now, signal),
  }),
];
