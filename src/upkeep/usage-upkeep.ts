import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Configuration } from '../config/configuration';
import { UsageDays } from '../core/money/usage/usage-days.repository';
import { UsagePartitions } from '../core/money/usage/usage-partitions.repository';
import { Clock, SystemClock } from '../infrastructure/clock/clock';
import { TimedJob } from './timed-job';

const DONE_EVERY_MS = 60 * 60 * 1000;

/**
 * Keeps the usage log small and quick to read: monthly partitions ahead of time, none beyond the retention, and days
 * made of the hours that are over. Every replica does it; two at once do no harm, and a missed run no more than time.
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

  /** Does what is due by now. One failing part leaves the other, and is tried again an hour later. */
  async run(signal?: AbortSignal): Promise<void> {
    await this.job.part('the upkeep of partitions', () => this.keepPartitions());
    await this.job.part('the upkeep of days of usage', () =>
      this.days.addFinishedHours(this.clock.now(), signal),
    );
  }

  private async keepPartitions(): Promise<void> {
    // Ids are made by the machine's own clock, whatever clock the calls go by.
    const now = new SystemClock().now();
    const { added, dropped } = await this.partitions.keep(now, this.configuration.usageRetentionMonths);
    if (added.length + dropped.length > 0) {
      this.logger.log({ message: 'partitions of the usage log were changed', added, dropped });
    }
  }
}
