import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AccountTokens } from '../accounts/account-tokens';
import { LoginAddresses } from '../accounts/password-login';
import { Configuration } from '../config/configuration';
import { Clock, SystemClock } from '../runtime/clock';
import { TimedJob } from '../work/timers';
import { Idempotency } from './idempotency';
import { Ledger } from './ledger';
import { LedgerFigures, LedgerMetrics } from './ledger.metrics';
import { ReconciliationRepository } from './reconciliation';
import { SpendSpikes } from './spend-spikes';
import { UsageDays, UsagePartitions } from './usage-partitions';

const SWEPT_EVERY_MS = 10_000;

/**
 * Gives back what calls had reserved when their process died, and deletes expired claims, tokens and addresses of logins.
 * Every replica sweeps, so that it gets done whichever survives; a call that two sweep at once is ended only once.
 */
@Injectable()
export class Sweeper implements OnModuleDestroy {
  readonly job = new TimedJob('Sweeper', () => this.sweep());
  private readonly logger = new Logger('Sweeper');

  constructor(
    private readonly ledger: Ledger,
    private readonly idempotency: Idempotency,
    private readonly tokens: AccountTokens,
    private readonly loginAddresses: LoginAddresses,
    private readonly clock: Clock,
    private readonly metrics: LedgerMetrics,
  ) {}

  @Interval(SWEPT_EVERY_MS)
  tick(): Promise<void> {
    return this.job.tick();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.end();
  }

  async sweep(): Promise<number> {
    const now = this.clock.now();
    const swept = (await this.job.part('the sweep of calls', () => this.sweepCalls(now))) ?? 0;
    await this.job.part('the sweep of idempotency claims', () => this.idempotency.sweep(now));
    await this.job.part('the sweep of ended tokens', () => this.tokens.sweep(now));
    await this.job.part('the sweep of addresses of logins', () => this.loginAddresses.sweep());
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

const CHECKED_EVERY_MS = 60 * 60_000;
const CHECKED_WITHIN_MS = 5 * 60_000;

/** Compares every balance with the sum of its entries, so that the metrics can wake somebody if one is wrong. */
@Injectable()
export class Books implements OnModuleDestroy {
  readonly job = new TimedJob('Books', () => this.check());
  private readonly logger = new Logger('Books');

  constructor(
    private readonly reconciliation: ReconciliationRepository,
    private readonly figures: LedgerFigures,
  ) {}

  @Interval(CHECKED_EVERY_MS)
  tick(): Promise<void> {
    return this.job.tick();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.end();
  }

  async check(): Promise<void> {
    const reconciliation = await this.reconciliation.reconcile(CHECKED_WITHIN_MS);
    this.figures.checked(reconciliation);
    if (reconciliation.mismatches.length > 0) {
      const accounts = reconciliation.mismatches.map(({ accountId }) => accountId);
      this.logger.error({ message: 'balances are not the sums of their entries', accounts });
    }
  }
}

const DONE_EVERY_MS = 60 * 60 * 1000;

/**
 * Makes the monthly partitions of the usage log ahead of time, drops those beyond the retention and adds the hours of
 * finished days to the sums of their days. Every replica does this; two at once do no harm.
 */
@Injectable()
export class UsageUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  readonly job = new TimedJob('UsageUpkeep', (signal) => this.run(signal));
  private readonly logger = new Logger('UsageUpkeep');

  constructor(
    private readonly partitions: UsagePartitions,
    private readonly days: UsageDays,
    private readonly configuration: Configuration,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    void this.job.tick();
  }

  @Interval(DONE_EVERY_MS)
  tick(): Promise<void> {
    return this.job.tick();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.end();
  }

  async run(signal?: AbortSignal): Promise<void> {
    await this.job.part('the upkeep of partitions', () => this.keepPartitions());
    await this.job.part('the upkeep of days of usage', () =>
      this.days.addFinishedHours(this.clock.now(), signal),
    );
  }

  private async keepPartitions(): Promise<void> {
    // A call's partition follows from its id, and ids are made by the machine's own clock.
    const now = new SystemClock().now();
    const { added, dropped } = await this.partitions.keep(now, this.configuration.usageRetentionMonths);
    if (added.length + dropped.length > 0) {
      this.logger.log({ message: 'partitions of the usage log were changed', added, dropped });
    }
  }
}

const LOOKED_EVERY_MS = 60_000;

/** A timer does it and not the charge: no call should pay for reading a week. */
@Injectable()
export class UsageSpikes implements OnModuleDestroy {
  readonly job = new TimedJob('UsageSpikes', (signal) => this.spikes.tell(this.clock.now(), signal));

  constructor(
    private readonly spikes: SpendSpikes,
    private readonly clock: Clock,
  ) {}

  @Interval(LOOKED_EVERY_MS)
  tick(): Promise<void> {
    return this.job.tick();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.end();
  }
}
