import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import type { AttemptJob } from './attempts.repository';
import { DeliveryAttempts } from './delivery-attempts';
import { FAST_AT_ONCE_MAX, SLOW_AT_ONCE_MAX } from './delivery-bounds';
import { FAST_QUEUE, SLOW_QUEUE } from './delivery-queues';

/** Makes the attempts of the fast lane. */
@Processor(FAST_QUEUE, { concurrency: FAST_AT_ONCE_MAX })
export class FastDeliveryProcessor extends WorkerHost {
  constructor(private readonly attempts: DeliveryAttempts) {
    super();
  }

  process(job: Job<AttemptJob>): Promise<void> {
    return this.attempts.make(job.data);
  }
}

/** Makes the attempts of the slow lane. */
@Processor(SLOW_QUEUE, { concurrency: SLOW_AT_ONCE_MAX })
export class SlowDeliveryProcessor extends WorkerHost {
  constructor(private readonly attempts: DeliveryAttempts) {
    super();
  }

  process(job: Job<AttemptJob>): Promise<void> {
    return this.attempts.make(job.data);
  }
}
