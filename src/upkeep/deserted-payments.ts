import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DesertedPayments } from '../core/money/payments/deserted-payments';
import { Clock } from '../infrastructure/clock/clock';
import { TimedJob } from './timed-job';

const ENDED_EVERY_MS = 10 * 60_000;

/** Ends payments of chains that are looked at no longer. No look can do it, so a timer does. */
@Injectable()
export class DesertedPaymentsUpkeep implements OnModuleDestroy {
  readonly job = new TimedJob('DesertedPayments', () => this.payments.end(this.clock.now()));

  constructor(
    private readonly payments: DesertedPayments,
    private readonly clock: Clock,
  ) {}

  @Interval(ENDED_EVERY_MS)
  tick(): Promise<void> {
    return this.job.tick();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.end();
  }
}
