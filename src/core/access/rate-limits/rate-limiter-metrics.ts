import { Injectable } from '@nestjs/common';
import { Metrics } from '../../../infrastructure/metrics/metrics';

/**
 * Why a call was decided without Redis: Redis failed or is not connected, or so many calls wait for Redis that one
 * more would wait too long.
 */
export type AloneBecause = 'unavailable' | 'queue_full';

/** Metrics by which the operator sees whether replicas share their rate limits. */
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

  /** Counts one call that this process decided without Redis. */
  decidedAlone(because: AloneBecause): void {
    this.alone[because].add();
  }

  /** Sets what the gauge `rate_limits_shared` shows. `isShared` is called whenever the metrics are read. */
  observeShared(isShared: () => boolean): void {
    this.isShared = isShared;
  }
}
