import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Registry, type Metric } from 'prom-client';
import { Distribution } from './distribution';
import { Family, type Series } from './family';
import { Tally } from './tally';

/**
 * Everything that one application counts; never prom-client's global registry, for several applications may run in one
 * process. Names and units follow Prometheus: base units (seconds), counters end in `_total`. Counting is plain work
 * on numbers: prom-client's own metrics look their labels up each time, at more than ten times the cost.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  readonly contentType = this.registry.contentType;

  /** @throws Error when the name is taken, like the two below */
  counter(name: string, help: string): Family<Tally> {
    return this.add(new Family(name, help, 'counter', () => new Tally()));
  }

  /** @param bounds upper bounds of the buckets, ascending */
  histogram(name: string, help: string, bounds: readonly number[]): Family<Distribution> {
    return this.add(new Family(name, help, 'histogram', () => new Distribution(bounds)));
  }

  /** A value that goes up and down, asked for whenever the metrics are read. */
  gauge(name: string, help: string, read: () => number): void {
    const gauge = { samples: () => [{ suffix: '', labels: {}, value: read() }] };
    this.add(new Family(name, help, 'gauge', () => gauge)).labelled({});
  }

  /**
   * Adds processor time, memory, event loop lag, garbage collection and handles of the process. Called once, by the
   * process's entry: what observes them is never let go, and two applications would observe the same.
   */
  observeProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** All metrics in Prometheus's text format 0.0.4. */
  async text(): Promise<string> {
    return this.registry.metrics();
  }

  private add<Added extends Family<Series>>(family: Added): Added {
    this.registry.registerMetric(family as unknown as Metric);
    return family;
  }
}
