import type { AttemptOrder } from '../../../src/modules/webhooks/delivery-attempts.repository';
import { DeliveryQueues, type ClaimedDelivery } from '../../../src/modules/webhooks/delivery-dispatcher';

/** Stands in for both queues, and holds what is put in them until the test takes it out. */
export class HeldQueues extends DeliveryQueues {
  readonly fast: ClaimedDelivery[] = [];
  readonly slow: ClaimedDelivery[] = [];
  /** What the queue fails with; null while it takes jobs. */
  fault: Error | null = null;
  /** Whether so many jobs wait that nobody seems to work them off. */
  isFull = false;

  constructor() {
    const none = null as never;
    super(none, none);
  }

  override add(isSlow: boolean, handed: readonly ClaimedDelivery[]): Promise<void> {
    if (this.fault) {
      return Promise.reject(this.fault);
    }
    (isSlow ? this.slow : this.fast).push(...handed);
    return Promise.resolve();
  }

  override areFull(): Promise<boolean> {
    return Promise.resolve(this.isFull);
  }

  /** Takes all jobs out, those of the fast lane first. */
  take(): AttemptOrder[] {
    return [...this.fast.splice(0), ...this.slow.splice(0)].map(({ id, attempt }) => ({
      deliveryId: id,
      attempt,
    }));
  }
}
