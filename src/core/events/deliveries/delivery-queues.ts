import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { AttemptOrder } from './attempts.repository';
import { FAST_PER_JOB_MAX, JOBS_WAITING_MAX } from './delivery-bounds';
import type { HandedDelivery } from './relay.repository';

/** The queue of the receivers that answer quickly. */
export const FAST_QUEUE = 'webhook-deliveries';
/** The queue of slow_receivers, with workers of its own, so that dead receivers hold up nobody but one another. */
export const SLOW_QUEUE = 'webhook-deliveries-slow';

/** What a job carries: attempts that are made at the same time. */
export interface AttemptsJob {
  attempts: AttemptOrder[];
}

/** The two lanes of the queue that carry attempts to the workers. */
@Injectable()
export class DeliveryQueues {
  constructor(
    @InjectQueue(FAST_QUEUE) private readonly fastQueue: Queue<AttemptsJob>,
    @InjectQueue(SLOW_QUEUE) private readonly slowQueue: Queue<AttemptsJob>,
  ) {}

  /**
   * Puts attempts of one lane in its queue. One that is there already may come to be there twice; only one of the two
   * jobs makes it. Jobs leave no trace when they end: the record of deliveries is in Postgres.
   * @throws QueueUnavailable when the queue is away, after some five seconds
   */
  async add(isSlow: boolean, handed: readonly HandedDelivery[]): Promise<void> {
    const orders = handed.map(({ id, attempt }) => ({ deliveryId: id, attempt }));
    const size = isSlow ? 1 : FAST_PER_JOB_MAX;
    const jobs = Array.from({ length: Math.ceil(orders.length / size) }, (_, index) => ({
      name: 'attempts',
      data: { attempts: orders.slice(index * size, (index + 1) * size) },
      opts: { removeOnComplete: true, removeOnFail: true },
    }));
    await (isSlow ? this.slowQueue : this.fastQueue).addBulk(jobs);
  }

  /**
   * Whether so many jobs wait in a lane that nobody seems to work them off.
   * @throws QueueUnavailable when the queue is away
   */
  async areFull(): Promise<boolean> {
    const waiting = await Promise.all(
      [this.fastQueue, this.slowQueue].map((queue) => queue.getWaitingCount()),
    );
    return waiting.some((count) => count >= JOBS_WAITING_MAX);
  }
}
