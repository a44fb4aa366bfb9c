import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { CURRENCIES } from '../../../infrastructure/chain/payment-chain';
import { PAYMENT_QUEUE, type WatchJob } from './payment-queue';
import { PaymentWatch } from './payment-watch';

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
