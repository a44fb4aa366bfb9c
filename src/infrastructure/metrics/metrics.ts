import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Registry, type Metric } from 'prom-client';
import { Distribution } from './distribution';
import { PolledFigures, type Polled } from './polled-figures';
import { Family, type Labels, type Series } from './family';
import { Tally } from './tally';

/**
 * The metrics of one application. They have a registry of their own, not prom-client's global one, because several
 * applications may run in one process. Names and units follow the rules of Prometheus: base units such as seconds, and
 * counters that end in `_total`. Counting only adds numbers in plain fields; the metrics of prom-client look up their
 * labels each time, which costs more than ten times as much.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  readonly contentType = this.registry.contentType;
  private readonly failedReads = this.counter(
    'metrics_reads_failed_total',
    'Reads of the database or the queue for these metrics that failed.',
  ).labelled({});
  private readonly polled = new PolledFigures(() => this.failedReads.add());

  /**
   * Registers a counter.
   * @param help a sentence for people who read the metrics
   * @throws Error when the name is taken
   */
  counter(name: string, help: string): Family<Tally> {
    return this.add(new Family(name, help, 'counter', () => new Tally()));
  }

  /**
   * Registers a histogram.
   * @param bounds the upper bounds of the buckets, ascending, in the unit of the metric's name
   * @throws Error when the name is taken
   */
  histogram(name: string, help: string, bounds: readonly number[]): Family<Distribution> {
    return this.add(new Family(name, help, 'histogram', () => new Distribution(bounds)));
  }

  /**
   * Registers a value that goes up and down.
   * @param read returns the present value, and is called whenever the metrics are read
   * @throws Error when the name is taken
   */
  gauge(name: string, help: string, read: () => number): void {
    const gauge = { samples: () => [{ suffix: '', labels: {}, value: read() }] };
    this.add(new Family(name, help, 'gauge', () => gauge)).labelled({});
  }

  /**
   * Has figures read whenever somebody reads the metrics, within bounds (PolledFigures); gauges then show the latest.
   * @param first what is shown until the first read
   */
  poll<Figures>(first: Figures, read: () => Promise<Figures>): Polled<Figures> {
    return this.polled.add(first, read);
  }

  /**
   * Registers values that go up and down, one for each set of labels.
   * @param read returns the present values, and is called whenever the metrics are read
   * @throws Error when the name is taken
   */
  gauges(name: string, help: string, read: () => readonly { labels: Labels; value: number }[]): void {
    const gauge = { samples: () => read().map((sample) => ({ suffix: '', ...sample })) };
    this.add(new Family(name, help, 'gauge', () => gauge)).labelled({});
  }

  /**
   * Adds the metrics of the process: processor time, memory, event loop lag, garbage collection and handles. To be
   * called only once in a process, where it starts: their observers are never removed, and two applications in one
   * process would report the same numbers.
   */
  observeProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** All metrics in Prometheus's text format 0.0.4. */
  async text(): Promise<string> {
    await this.polled.refresh();
    return this.registry.metrics();
  }

  private add<Added extends Family<Series>>(family: Added): Added {
    this.registry.registerMetric(family as unknown as Metric);
    return family;
  }
}
