import type { OnApplicationShutdown } from '@nestjs/common';
import type { UpstreamSettings } from '../../../config/upstream-settings';
import { Metrics } from '../../../infrastructure/metrics/metrics';
import { UpstreamMetrics } from './upstream-metrics';
import { UpstreamProvider } from './upstream-provider';

/** Whether calls to an upstream get through at present. */
export interface UpstreamState {
  readonly name: string;
  readonly status: 'ok' | 'unavailable';
  /** Why they do not. Anybody may read it: it holds neither the upstream's address nor its key. */
  readonly detail?: string;
}

/** The upstreams of the configuration, in the order in which they are asked. */
export class Upstreams implements OnApplicationShutdown {
  readonly providers: readonly UpstreamProvider[];

  constructor(settings: readonly UpstreamSettings[], metrics: Metrics = new Metrics()) {
    const counted = new UpstreamMetrics(metrics, () =>
      this.providers.map(({ name, isLeftAlone }) => [name, isLeftAlone]),
    );
    this.providers = settings.map(
      (upstream) => new UpstreamProvider(upstream, {}, counted.of(upstream.name)),
    );
  }

  /** The state of each upstream, as far as it is known from earlier calls: none of them is asked. */
  states(): UpstreamState[] {
    return this.providers.map(({ name, fault }) =>
      fault === null ? { name, status: 'ok' } : { name, status: 'unavailable', detail: fault },
    );
  }

  /** Closes all connections. All calls have been answered when the application shuts down. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.providers.map((provider) => provider.close()));
  }
}
