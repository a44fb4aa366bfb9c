import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Configuration } from '../../../config/configuration';
import type { Currency } from '../../../infrastructure/chain/payment-chain';
import { PaymentChains } from '../../../infrastructure/chain/payment-chains';

export const PAYMENT_QUEUE = 'payments';

/**
 * Where in each interval the looks begin. BullMQ would take the first look's place, and keep it when the interval changes: of a
 * shorter one each look that is missed would then cost the rest of the old one. 0 means that it may choose.
 */
const OFFSET_MS = 1;

/** A look at a chain that is due. */
export interface WatchJob {
  currency: Currency;
}

/** The jobs that look at the chains: one for each, again and again, whichever worker takes it. */
@Injectable()
export class PaymentQueue {
  constructor(
    @InjectQueue(PAYMENT_QUEUE) private readonly queue: Queue<WatchJob>,
    private readonly chains: PaymentChains,
    private readonly configuration: Configuration,
  ) {}

  /** Makes sure that the jobs repeat, also after the queue was emptied. Any number of processes may do it at any time. */
  async schedule(): Promise<void> {
    const every = this.configuration.payments.pollSeconds * 1000;
    await Promise.all(
      this.chains
        .all()
        .map(({ currency }) =>
          this.queue.upsertJobScheduler(
            `watch-${currency}`,
            { every, offset: OFFSET_MS },
            { name: 'watch', data: { currency } },
          ),
        ),
    );
  }
}
