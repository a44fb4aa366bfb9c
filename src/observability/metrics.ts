import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import { Clock, endedWithin } from '../runtime/clock';

/** Values must come from the code or the document: callers could fill the memory with series. */
type Labels = Record<string, string>;

interface Sample {
  suffix: string;
  labels: Labels;
  value: number;
}

interface Series {
  samples(): Sample[];
}

class Family<Member extends Series> {
  private readonly members = new Map<string, { labels: Labels; member: Member }>();

  constructor(
    readonly name: string,
    private readonly help: string,
    private readonly type: 'counter' | 'gauge' | 'histogram',
    private readonly make: () => Member,
  ) {}

  /** Callers keep the series, because the look-up costs more than counting. */
  labelled(labels: Labels): Member {
    const key = JSON.stringify(labels);
    const known = this.members.get(key)?.member;
    const member = known ?? this.make();
    this.members.set(key, { labels, member });
    return member;
  }

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

export class Counter {
  private total = 0;

  add(count = 1): void {
    this.total += count;
  }

  samples(): Sample[] {
    return [{ suffix: '', labels: {}, value: this.total }];
  }
}

export class Histogram {
  /** Values above the bound before, up to each bound; the last counts those above all. */
  private readonly counts: Float64Array;
  private sum = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let index = 0;
    while (value > (this.bounds[index] ?? Infinity)) {
      index += 1;
    }
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += value;
  }

  /** Prometheus' buckets are cumulative. */
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

const WAITED_MS_MAX = 1_000;
const FRESH_MS = 5_000;

interface Polled<Figures> {
  readonly latest: Figures;
}

/** One read at a time, at most every five seconds. A failed read leaves the values. */
export class PolledFigures {
  private readonly sources: (() => Promise<void>)[] = [];
  private readAtMs = -Infinity;
  private reading: Promise<void> | null = null;

  constructor(private readonly failed: () => void) {}

  add<Figures>(first: Figures, read: () => Promise<Figures>): Polled<Figures> {
    const polled = { latest: first };
    this.sources.push(async () => {
      polled.latest = await read();
    });
    return polled;
  }

  /** Never rejects. */
  async refresh(): Promise<void> {
    if (this.reading === null && performance.now() - this.readAtMs >= FRESH_MS) {
      this.reading = this.readAll().finally(() => {
        this.readAtMs = performance.now();
        this.reading = null;
      });
    }
    await endedWithin(WAITED_MS_MAX, Promise.resolve(this.reading));
  }

  /** In sequence, to need a single database connection. */
  private async readAll(): Promise<void> {
    for (const read of this.sources) {
      await read().catch(this.failed);
    }
  }
}

/** prom-client's look-up by labels is ten times slower. */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  readonly contentType = this.registry.contentType;
  private readonly failedReads = this.counter(
    'metrics_reads_failed_total',
    'Reads of the database or the queue for these metrics that failed.',
  ).labelled({});
  private readonly polled = new PolledFigures(() => this.failedReads.add());

  /** @throws Error when the name is taken */
  counter(name: string, help: string): Family<Counter> {
    return this.add(new Family(name, help, 'counter', () => new Counter()));
  }

  /** @param bounds ascending, in the unit of the metric's name. @throws Error when the name is taken */
  histogram(name: string, help: string, bounds: readonly number[]): Family<Histogram> {
    return this.add(new Family(name, help, 'histogram', () => new Histogram(bounds)));
  }

  /** @param read for each scrape. @throws Error when the name is taken */
  gauge(name: string, help: string, read: () => number): void {
    this.gauges(name, help, () => [{ labels: {}, value: read() }]);
  }

  poll<Figures>(first: Figures, read: () => Promise<Figures>): Polled<Figures> {
    return this.polled.add(first, read);
  }

  /** @param read for each scrape, by labels. @throws Error when the name is taken */
  gauges(name: string, help: string, read: () => readonly { labels: Labels; value: number }[]): void {
    const gauge = { samples: () => read().map((sample) => ({ suffix: '', ...sample })) };
    this.add(new Family(name, help, 'gauge', () => gauge)).labelled({});
  }

  /** Call once per process: the observers of prom-client are never removed. */
  observeProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  async text(): Promise<string> {
    await this.polled.refresh();
    return this.registry.metrics();
  }

  private add<Added extends Family<Series>>(family: Added): Added {
    this.registry.registerMetric(family as unknown as Metric);
    return family;
  }
}

export const LATENCY_WINDOW_SECONDS = 300;
const SLOT_MS = 30_000;
const SLOTS = (LATENCY_WINDOW_SECONDS * 1000) / SLOT_MS;
const LEAST_MS = 0.1;
const GROWTH = 1.1;
/** The last bucket ends above ten minutes, and takes whatever is longer. */
const BUCKETS = 165;

export interface RecentLatency {
  kind: string;
  count: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}

interface Slot {
  number: number;
  counts: Uint32Array;
}

/** A ring of ten fixed-size histograms for each kind. Percentiles are exact to a tenth. */
@Injectable()
export class RecentLatencies {
  private readonly rings = new Map<string, (Slot | undefined)[]>();

  constructor(private readonly clock: Clock) {}

  /** @param kind must come from the code or the document, never from a caller */
  note(kind: string, durationMs: number): void {
    let ring = this.rings.get(kind);
    if (!ring) {
      ring = [];
      this.rings.set(kind, ring);
    }
    const number = this.slotNumber();
    let slot = ring[number % SLOTS];
    if (slot?.number !== number) {
      slot = { number, counts: new Uint32Array(BUCKETS) };
      ring[number % SLOTS] = slot;
    }
    const bucket = bucketOf(durationMs);
    slot.counts[bucket] = (slot.counts[bucket] ?? 0) + 1;
  }

  all(): RecentLatency[] {
    const oldest = this.slotNumber() - SLOTS;
    return [...this.rings].flatMap(([kind, ring]) => {
      const counts = new Float64Array(BUCKETS);
      for (const slot of ring) {
        if (slot && slot.number > oldest) {
          slot.counts.forEach((count, bucket) => (counts[bucket] = (counts[bucket] ?? 0) + count));
        }
      }
      const count = counts.reduce((sum, some) => sum + some, 0);
      const at = (share: number) => percentileMs(counts, count * share);
      return count === 0 ? [] : [{ kind, count, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) }];
    });
  }

  private slotNumber(): number {
    return Math.floor(this.clock.now().getTime() / SLOT_MS);
  }
}

function bucketOf(durationMs: number): number {
  const bucket = Math.ceil(Math.log(durationMs / LEAST_MS) / Math.log(GROWTH));
  return bucket >= 0 ? Math.min(bucket, BUCKETS - 1) : 0;
}

function percentileMs(counts: Float64Array, rank: number): number {
  let below = 0;
  const bucket = counts.findIndex((count) => (below += count) >= rank && count > 0);
  return Math.round(LEAST_MS * GROWTH ** bucket * 100) / 100;
}
