import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { AttemptJob } from './attempts.repository';
import type { HandedDelivery } from './relay.repository';

/** The queue of the receivers that answer quickly. */
export const FAST_QUEUE = 'webhook-deliveries';
/** The queue of slow_receivers, with workers of its own, so that dead receivers hold up nobody but one another. */
export const SLOW_QUEUE = 'webhook-deliveries-slow';

/** The two lanes of the queue that carry attempts to the workers. */
@Injectable()
export class DeliveryQueues {
  constructor(
    @InjectQueue(FAST_QUEUE) private readonly fastQueue: Queue<AttemptJob>,
    @InjectQueue(SLOW_QUEUE) private readonly slowQueue: Queue<AttemptJob>,
  ) {}

  /**
   * Puts attempts of one lane in its queue. An attempt that is there already is not added again. Jobs leave no trace
   * when they end: the delivery's record is in Postgres, and a job that stayed would keep the next of its name away.
   * @throws QueueUnavailable when the queue is away, after some five seconds
   */
  async add(isSlow: boolean, handed: readonly HandedDelivery[]): Promise<void> {
    const jobs = handed.map(({ id, attempt }) => ({
      name: 'attempt',
      data: { deliveryId: id, attempt },
      opts: { jobId: `${id}-${attempt}`, removeOnComplete: true, removeOnFail: true },
    }));
    await (isSlow ? this.slowQueue : this.fastQueue).addBulk(jobs);
  }
}
