import type { OnApplicationShutdown } from '@nestjs/common';
import type { UpstreamSettings } from '../../../config/upstream-settings';
import { UpstreamProvider } from './upstream-provider';

export interface UpstreamState {
  readonly name: string;
  readonly status: 'ok' | 'unavailable';
  /** For everybody: holds neither address nor key. */
  readonly detail?: string;
}

/** The upstreams of the configuration, in the order in which they are asked. */
export class Upstreams implements OnApplicationShutdown {
  readonly providers: readonly UpstreamProvider[];

  constructor(settings: readonly UpstreamSettings[]) {
    this.providers = settings.map((upstream) => new UpstreamProvider(upstream));
  }

  /** What is known without asking any of them. */
  states(): UpstreamState[] {
    return this.providers.map(({ name, fault }) =>
      fault === null ? { name, status: 'ok' } : { name, status: 'unavailable', detail: fault },
    );
  }

  /** The calls in flight are answered by now. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.providers.map((provider) => provider.close()));
  }
}
