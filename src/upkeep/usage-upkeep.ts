import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Configuration } from '../config/configuration';
import { UsageDays } from '../core/money/usage/usage-days.repository';
import { UsagePartitions } from '../core/money/usage/usage-partitions.repository';
import { Clock, SystemClock } from '../infrastructure/clock/clock';
import { TimedJob } from './timed-job';

const DONE_EVERY_MS = 60 * 60 * 1000;

/**
 * Keeps the usage log small and quick to read: it makes the monthly partitions ahead of time, drops those beyond the
 * retention and adds the hours of finished days to the sums of their days. Every replica does this. Two at once do no
 * harm, and what a missed run left undone is done by the next.
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

  /** Does what is due. When one part fails, the other is still done; the failed one is tried again an hour later. */
  async run(signal?: AbortSignal): Promise<void> {
    await this.job.part('the upkeep of partitions', () => this.keepPartitions());
    await this.job.part('the upkeep of days of usage', () =>
      this.days.addFinishedHours(this.clock.now(), signal),
    );
  }

  private async keepPartitions(): Promise<void> {
    // A call's partition follows from its id, and ids are made by the machine's own clock, not by the injected one.
    const now = new SystemClock().now();
    const { added, dropped } = await this.partitions.keep(now, this.configuration.usageRetentionMonths);
    if (added.length + dropped.length > 0) {
      this.logger.log({ message: 'partitions of the usage log were changed', added, dropped });
    }
  }
}
