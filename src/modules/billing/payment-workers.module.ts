import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import type { Job } from 'bullmq';
import { BillingModule } from './billing';
import { CURRENCIES } from './payment-chain';
import { PAYMENT_QUEUE, PaymentWatch, type WatchJob } from './payment-watch';

/**
 * Takes the looks at the chains, each chain for itself, so that a slow node delays nobody else. Jobs come at their interval
 * also while a look takes longer; one that waited for it would take the place of another chain's.
 */
@Processor(PAYMENT_QUEUE, { concurrency: CURRENCIES.length })
export class PaymentProcessor extends WorkerHost {
  constructor(private readonly watch: PaymentWatch) {
    super();
  }

  async process(job: Job<WatchJob>): Promise<void> {
    const { currency } = job.data;
    if (!this.watch.isUnderWay(currency)) {
      await this.watch.pass(currency);
    }
  }
}

/** What looks at the chains. A process of role `api` leaves it to other processes. */
@Module({ imports: [BillingModule], providers: [PaymentProcessor] })
export class PaymentWorkersModule {}
