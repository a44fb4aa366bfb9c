import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';

/**
 * The labels of a series. Their values must come from the code or the OpenAPI document: if callers could choose them,
 * they could fill the memory with series.
 */
type Labels = Record<string, string>;

/** One line of the text form, without the name and the labels of its series. */
interface Sample {
  suffix: string;
  labels: Labels;
  value: number;
}

/** One metric with certain labels: a count, a distribution or a gauge. */
interface Series {
  samples(): Sample[];
}

/** All series of one metric. They share its name and differ in their labels. */
class Family<Member extends Series> {
  private readonly members = new Map<string, { labels: Labels; member: Member }>();

  constructor(
    readonly name: string,
    private readonly help: string,
    private readonly type: 'counter' | 'gauge' | 'histogram',
    private readonly make: () => Member,
  ) {}

  /**
   * The series with these labels. From now on it is part of the metrics, even at 0. Callers should keep it, because
   * finding it again costs more than counting.
   */
  labelled(labels: Labels): Member {
    const key = JSON.stringify(labels);
    const known = this.members.get(key)?.member;
    const member = known ?? this.make();
    this.members.set(key, { labels, member });
    return member;
  }

  /** The values of all series, in the form that prom-client expects when it reads the registry. */
  get() {
    const values = [...this.members.values()].flatMap(({ labels, member }) =>
      member.samples().map(({ suffix, labels: own, value }) => ({
        metricName: this.name + suffix,
        labels: { ...labels, ...own },
        value,
      })),
    );
    const { name, help, type } = this;
    return Promise.resolve({ name, help, type, values, aggregator: 'sum' as const });
  }
}

/** A Prometheus counter: a count that starts at 0 with the process and only grows. */
export class Tally {
  private total = 0;

  /** Adds to the count, 1 unless told otherwise. */
  add(count = 1): void {
    this.total += count;
  }

  /** The one line of the text form. */
  samples(): Sample[] {
    return [{ suffix: '', labels: {}, value: this.total }];
  }
}

/** A Prometheus histogram: how many observed values were at or below each bound, and the sum of all values. */
export class Distribution {
  /**
   * For each bound, how many values were at or below it but above the bound before. The last counts those above all.
   */
  private readonly counts: Float64Array;
  private sum = 0;

  /** @param bounds upper bounds, ascending, in the unit of the metric's name */
  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  /** Counts one value, which is in the unit of the bounds. */
  observe(value: number): void {
    let index = 0;
    while (value > (this.bounds[index] ?? Infinity)) {
      index += 1;
    }
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += value;
  }

  /** The lines of the text form. Each bucket includes the counts of the buckets below it. */
  samples(): Sample[] {
    let below = 0;
    const buckets = Array.from(this.counts, (count, index) => {
      below += count;
      return { suffix: '_bucket', labels: { le: String(this.bounds[index] ?? '+Inf') }, value: below };
    });
    const total = { suffix: '_count', labels: {}, value: below };
    return [...buckets, { suffix: '_sum', labels: {}, value: this.sum }, total];
  }
}

/** A read that takes longer is not waited for; it may still end, and then shows in the next scrape. */
const WAITED_MS_MAX = 1_000;
const FRESH_MS = 5_000;

/** Figures that have to be asked for, of the database or of the queue, whenever somebody reads the metrics. */
interface Polled<Figures> {
  /** As they were read last. */
  readonly latest: Figures;
}

/**
 * Reads figures for scrapes in a way in which scrapes can do no harm: one read at a time, none twice within five seconds
 * however often somebody scrapes, and no scrape waits longer than a second for all of them. A read that fails leaves the
 * figures as they were, and is counted.
 */
export class PolledFigures {
  private readonly sources: (() => Promise<void>)[] = [];
  private readAtMs = -Infinity;
  private reading: Promise<void> | null = null;

  /** @param failed is called for every read that failed */
  constructor(private readonly failed: () => void) {}

  /** @param first what is shown until the first read */
  add<Figures>(first: Figures, read: () => Promise<Figures>): Polled<Figures> {
    const polled = { latest: first };
    this.sources.push(async () => {
      polled.latest = await read();
    });
    return polled;
  }

  /** Reads all figures anew, unless that was done just now. Never rejects. */
  async refresh(): Promise<void> {
    if (this.reading === null && performance.now() - this.readAtMs >= FRESH_MS) {
      this.reading = this.readAll().finally(() => {
        this.readAtMs = performance.now();
        this.reading = null;
      });
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, WAITED_MS_MAX);
    });
    await Promise.race([this.reading, late]);
    clearTimeout(timer);
  }

  /** One after the other: all together they need one connection to the database. */
  private async readAll(): Promise<void> {
    for (const read of this.sources) {
      await read().catch(this.failed);
    }
  }
}

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
