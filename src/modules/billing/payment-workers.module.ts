import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import type { Job } from 'bullmq';
import { readJob } from '../../work/queue-worker';
import { BillingModule } from './billing';
import { CURRENCIES } from './payment-chain';
import { PAYMENT_QUEUE, PaymentWatch, WatchJob } from './payment-watch';

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
