import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { DeliveryAttempts } from './delivery-attempts';
import { FAST_JOBS_AT_ONCE_MAX, SLOW_JOBS_AT_ONCE_MAX } from './delivery-bounds';
import { FAST_QUEUE, SLOW_QUEUE, type AttemptsJob } from './delivery-queues';

/** Makes the attempts of the fast lane. */
@Processor(FAST_QUEUE, { concurrency: FAST_JOBS_AT_ONCE_MAX })
export class FastDeliveryProcessor extends WorkerHost {
  constructor(private readonly attempts: DeliveryAttempts) {
    super();
  }

  process(job: Job<AttemptsJob>): Promise<void> {
    return this.attempts.makeAll(job.data.attempts);
  }
}

/** Makes the attempts of the slow lane. */
@Processor(SLOW_QUEUE, { concurrency: SLOW_JOBS_AT_ONCE_MAX })
export class SlowDeliveryProcessor extends WorkerHost {
  constructor(private readonly attempts: DeliveryAttempts) {
    super();
  }

  process(job: Job<AttemptsJob>): Promise<void> {
    return this.attempts.makeAll(job.data.attempts);
  }
}
