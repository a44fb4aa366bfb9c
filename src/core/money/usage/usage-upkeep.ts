import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Configuration } from '../../../config/configuration';
import { Clock, SystemClock } from '../../../infrastructure/clock/clock';
import { UsagePartitions } from './usage-partitions.repository';
import { UsageDays } from './usage-days.repository';

const DONE_EVERY_MS = 60 * 60 * 1000;
const HOURS_AT_ONCE_MAX = 5000;
const ROUNDS_MAX = 400;

/**
 * Keeps the usage log small and quick to read: monthly partitions ahead of time, none beyond the retention, and days
 * made of the hours that are over. Every replica does it; two at once do no harm, and a missed run no more than time.
 */
@Injectable()
export class UsageUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('UsageUpkeep');
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private isEnding = false;

  constructor(
    private readonly partitions: UsagePartitions,
    private readonly days: UsageDays,
    private readonly configuration: Configuration,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run();
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.run());
    }, DONE_EVERY_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.isEnding = true;
    if (this.timer) {
      clearInterval(this.timer);
    }
    await this.running;
  }

  /** Does what is due by now. One failing part leaves the other, and is tried again an hour later. */
  async run(): Promise<void> {
    await this.part('partitions', async () => {
      // Ids are made by the machine's own clock, whatever clock the calls go by.
      const { added, dropped } = await this.partitions.keep(
        new SystemClock().now(),
        this.configuration.usageRetentionMonths,
      );
      if (added.length + dropped.length > 0) {
        this.logger.log({ message: 'partitions of the calls were changed', added, dropped });
      }
    });
    await this.part('days of usage', () => this.addHours());
  }

  private async addHours(): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const count = await this.days.addHours(this.clock.now(), HOURS_AT_ONCE_MAX);
      if (count < HOURS_AT_ONCE_MAX || this.isEnding) {
        break;
      }
    }
  }

  private async part(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.error({ message: `the upkeep of ${name} failed and is tried again`, error: String(error) });
    }
  }
}
