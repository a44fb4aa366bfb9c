import type { Queue } from 'bullmq';
import type { AttemptOrder } from '../../../src/modules/webhooks/delivery-attempts.repository';
import type { AttemptsJob } from '../../../src/modules/webhooks/delivery-dispatcher';

/** Stands in for both queues, and holds what is put in them until the test takes it out. */
export class HeldQueues {
  readonly fast: AttemptOrder[] = [];
  readonly slow: AttemptOrder[] = [];
  /** What the queues fail with; null while they take jobs. */
  fault: Error | null = null;
  /** Whether so many jobs wait that nobody seems to work them off. */
  isFull = false;
  readonly fastQueue = this.holding(this.fast);
  readonly slowQueue = this.holding(this.slow);

  /** Takes all jobs out, those of the fast lane first. */
  take(): AttemptOrder[] {
    return [...this.fast.splice(0), ...this.slow.splice(0)];
  }

  private holding(held: AttemptOrder[]): Queue<AttemptsJob> {
    const queue = {
      addBulk: (jobs: { data: AttemptsJob }[]) => {
        if (this.fault) {
          return Promise.reject(this.fault);
        }
        held.push(...jobs.flatMap(({ data }) => data.attempts));
        return Promise.resolve([]);
      },
      getWaitingCount: () => Promise.resolve(this.isFull ? Infinity : 0),
    };
    return queue as unknown as Queue<AttemptsJob>;
  }
}
