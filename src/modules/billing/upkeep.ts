import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../runtime/clock';
import { TimedJob } from '../../work/timers';
import { DesertedPayments } from './payment-settlement';
import { PaymentQueue } from './payment-watch';

const ENDED_EVERY_MS = 10 * 60_000;

/** No look can end payments of chains that are looked at no longer, so a timer does. */
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

const ENSURED_EVERY_MS = 60_000;

/** An operator who empties Redis must not end payments unseen. */
@Injectable()
export class PaymentSchedule implements OnModuleDestroy {
  readonly job = new TimedJob('PaymentSchedule', () => this.queue.schedule());

  constructor(private readonly queue: PaymentQueue) {}

  @Interval(ENSURED_EVERY_MS)
  tick(): Promise<void> {
    return this.job.tick();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.end();
  }
}
