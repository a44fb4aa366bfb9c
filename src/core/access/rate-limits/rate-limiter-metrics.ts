import { Injectable } from '@nestjs/common';
import { Metrics } from '../../../infrastructure/metrics/metrics';

/** Redis failed or is away; or more calls wait for it than are good for anybody. */
export type AloneBecause = 'unavailable' | 'queue_full';

/** How the shared rate limits fare, in numbers for the operator. */
@Injectable()
export class RateLimiterMetrics {
  private readonly alone;
  private isShared = () => false;

  constructor(metrics: Metrics) {
    const alone = metrics.counter(
      'rate_limits_decided_alone_total',
      'Calls whose rate limits this process decided alone although they are to be shared through Redis.',
    );
    this.alone = {
      unavailable: alone.labelled({ because: 'unavailable' }),
      queue_full: alone.labelled({ because: 'queue_full' }),
    };
    metrics.gauge(
      'rate_limits_shared',
      'Whether rate limits are counted in Redis, together with the other replicas: 1 or 0.',
      () => (this.isShared() ? 1 : 0),
    );
  }

  decidedAlone(because: AloneBecause): void {
    this.alone[because].add();
  }

  /** `isShared` is asked only when the metrics are read. */
  observeShared(isShared: () => boolean): void {
    this.isShared = isShared;
  }
}
