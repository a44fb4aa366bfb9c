import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { PaymentQueue } from '../core/money/payments/payment-queue';
import { TimedJob } from './timed-job';

const ENSURED_EVERY_MS = 60_000;

/** Keeps the jobs that look at the chains in the queue: an operator who empties Redis must not end payments unseen. */
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
