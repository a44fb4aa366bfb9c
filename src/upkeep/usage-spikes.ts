import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SpendSpikes } from '../core/money/usage/spend-spikes';
import { Clock } from '../infrastructure/clock/clock';
import { TimedJob } from './timed-job';

const LOOKED_EVERY_MS = 60_000;

/**
 * Tells subscribers of hours in which their account spends far more than it used to. A timer does it and not the charge:
 * no call should pay for reading a week.
 */
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
