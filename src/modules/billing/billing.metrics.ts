import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Metrics, type Counter } from '../../observability/metrics';
import { Clock } from '../../runtime/clock';
import type { ChainTip, Currency } from './payment-chain';
import { PaymentChains } from './payment-chains';
import { Payments } from './payments.repository';

interface ChainWatch {
  currency: Currency;
  succeededAt: Date | null;
  failedAt: Date | null;
  tipHeight: number | null;
  tipTime: Date | null;
  fault: string | null;
}

@Injectable()
export class ChainWatches {
  constructor(private readonly database: DataSource) {}

  async succeeded(currency: Currency, tip: ChainTip, now: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO chain_watches (currency, succeeded_at, tip_height, tip_time) VALUES ($1, $2, $3, $4)
       ON CONFLICT (currency) DO UPDATE SET succeeded_at = excluded.succeeded_at, tip_height = excluded.tip_height,
         tip_time = excluded.tip_time`,
      [currency, now, tip.height, tip.time],
    );
  }

  async failed(currency: Currency, fault: string, now: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO chain_watches (currency, failed_at, fault) VALUES ($1, $2, $3)
       ON CONFLICT (currency) DO UPDATE SET failed_at = excluded.failed_at, fault = excluded.fault`,
      [currency, now, fault],
    );
  }

  async all(): Promise<ChainWatch[]> {
    const rows: (Omit<ChainWatch, 'tipHeight'> & { tipHeight: string | null })[] = await this.database.query(
      `SELECT currency, succeeded_at AS "succeededAt", failed_at AS "failedAt", tip_height AS "tipHeight",
         tip_time AS "tipTime", fault FROM chain_watches`,
    );
    return rows.map((row) => ({ ...row, tipHeight: row.tipHeight === null ? null : Number(row.tipHeight) }));
  }
}

interface PaymentFigures {
  open: ReadonlyMap<Currency, number>;
  reviews: number;
  watches: readonly ChainWatch[];
}

/** Any replica may take a look, so each reads from the database how they went, at a scrape. */
@Injectable()
export class PaymentMetrics {
  private readonly figures: { readonly latest: PaymentFigures };
  private readonly startedAt: Date;
  private readonly failedLooks: ReadonlyMap<Currency, Counter>;

  constructor(
    metrics: Metrics,
    private readonly chains: PaymentChains,
    payments: Payments,
    chainWatches: ChainWatches,
    private readonly clock: Clock,
  ) {
    this.startedAt = clock.now();
    const none: PaymentFigures = { open: new Map(), reviews: 0, watches: [] };
    this.figures = metrics.poll(none, async () => ({
      open: await payments.openCounts(),
      reviews: await payments.reviewCount(),
      watches: await chainWatches.all(),
    }));
    metrics.gauges('payments_open', 'Payments that wait for their chain.', () =>
      this.perChain((currency) => this.figures.latest.open.get(currency) ?? 0),
    );
    metrics.gauges('payment_watch_lag_seconds', 'Seconds since a chain was looked at with success.', () =>
      this.perChain((currency) => this.ageSeconds(this.watchOf(currency)?.succeededAt ?? this.startedAt)),
    );
    metrics.gauges('payment_node_up', 'Whether the last look at a chain succeeded: 1 or 0.', () =>
      this.perChain((currency) => (this.isUp(currency) ? 1 : 0)),
    );
    metrics.gauges(
      'payment_chain_height',
      'The newest block that was seen of a chain; 0 before the first.',
      () => this.perChain((currency) => this.watchOf(currency)?.tipHeight ?? 0),
    );
    metrics.gauges('payment_chain_tip_seconds', "Age of that block by the chain's own time; 0 before.", () =>
      this.perChain((currency) => this.ageSeconds(this.watchOf(currency)?.tipTime ?? null)),
    );
    const failures = metrics.counter(
      'payment_looks_failed_total',
      'Looks at a chain by this process that failed.',
    );
    this.failedLooks = new Map(
      chains.all().map(({ currency }) => [currency, failures.labelled({ currency })]),
    );
    metrics.gauge(
      'payments_in_review',
      'Payments that a person has to look at.',
      () => this.figures.latest.reviews,
    );
  }

  lookFailed(currency: Currency): void {
    this.failedLooks.get(currency)?.add();
  }

  private perChain(value: (currency: Currency) => number) {
    return this.chains.all().map(({ currency }) => ({ labels: { currency }, value: value(currency) }));
  }

  private watchOf(currency: Currency): ChainWatch | undefined {
    return this.figures.latest.watches.find((watch) => watch.currency === currency);
  }

  private ageSeconds(time: Date | null): number {
    return time === null ? 0 : Math.max(0, (this.clock.now().getTime() - time.getTime()) / 1000);
  }

  private isUp(currency: Currency): boolean {
    const { succeededAt, failedAt } = this.watchOf(currency) ?? { succeededAt: null, failedAt: null };
    return succeededAt !== null && (failedAt === null || failedAt < succeededAt);
  }
}
