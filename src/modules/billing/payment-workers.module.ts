import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import type { Job } from 'bullmq';
import { readJob } from '../../work/queue-worker';
import { timed } from '../../work/timers';
import { BillingModule } from './billing';
import { CURRENCIES } from './payment-chain';
import { DesertedPayments } from './payment-settlement';
import { PAYMENT_QUEUE, PaymentQueue, PaymentWatch, WatchJob } from './payment-watch';

/** Each chain for itself, so that a slow node delays nobody else. A job that comes while a look still runs is dropped. */
@Processor(PAYMENT_QUEUE, { concurrency: CURRENCIES.length })
export class PaymentProcessor extends WorkerHost {
  constructor(private readonly watch: PaymentWatch) {
    super();
  }

  async process(job: Job<WatchJob>): Promise<void> {
    const { currency } = readJob(WatchJob, job);
    if (!this.watch.isUnderWay(currency)) {
      await this.watch.pass(currency);
    }
  }
}

@Module({ imports: [BillingModule], providers: [PaymentProcessor] })
export class PaymentWorkersModule {}

export const BILLING_TIMERS = [
  // Payments of chains that are looked at no longer: no look can end them.
  timed({
    name: 'DesertedPayments',
    everyMs: 10 * 60_000,
    of: DesertedPayments,
    work: (payments, { now }) => payments.end(now),
  }),
  // An operator who empties Redis must not end payments unseen.
  timed({
    name: 'PaymentSchedule',
    everyMs: 60_000,
    first: 'with the background work',
    of: PaymentQueue,
    work: (queue) => queue.schedule(),
  }),
];
