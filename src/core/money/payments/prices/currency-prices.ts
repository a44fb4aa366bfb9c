import { Logger } from '@nestjs/common';
import type { Currency } from '../../../../infrastructure/chain/payment-chain';
import { Clock } from '../../../../infrastructure/clock/clock';
import { agreedPrice } from './agreed-price';
import { PRICE_AGE_MAX_MS, type PriceFeed } from './price-feed';
import { PriceUnavailable, type Quote, type SourcePrice } from './quote';

/** A quote stands on at least so many sources. */
const SOURCES_MIN = 2;

/** The price of one coin at all sources that know it. */
export class CurrencyPrices {
  private readonly logger = new Logger('CurrencyPrices');
  private firstAskedAt: Date | null = null;
  private lastAskedAt: Date | null = null;
  private farNames: ReadonlySet<string> = new Set();

  constructor(
    private readonly currency: Currency,
    private readonly feeds: readonly PriceFeed[],
    private readonly clock: Clock,
  ) {}

  /**
   * What enough sources agree on. Waits for sources that failed when they were last asked only where the others are not
   * enough: one that answers nothing would otherwise hold up every payment until its time is over.
   * @throws PriceUnavailable
   */
  async quote(): Promise<Quote> {
    if (this.feeds.length < SOURCES_MIN) {
      throw new PriceUnavailable(this.currency, 'fewer than two sources know it');
    }
    this.lastAskedAt = this.clock.now();
    this.firstAskedAt ??= this.lastAskedAt;
    const refreshes = this.feeds.map((feed) => ({ wasFailing: feed.isFailing, done: feed.refresh() }));
    await Promise.all(refreshes.filter(({ wasFailing }) => !wasFailing).map(({ done }) => done));
    const early = this.agreed(this.freshPrices());
    if (early) {
      return early;
    }
    await Promise.all(refreshes.map(({ done }) => done));
    const prices = this.freshPrices();
    const quote = this.agreed(prices);
    if (!quote) {
      throw new PriceUnavailable(
        this.currency,
        prices.length < SOURCES_MIN
          ? `only ${prices.length} of ${this.feeds.length} sources told one within the last minute`
          : `no two of ${prices.length} sources are within 2 % of the median and of one another`,
      );
    }
    return quote;
  }

  /**
   * How old the older of the two youngest prices is, of which a quote needs both: above a minute nothing can be sold for this
   * coin. Without two prices it counts from the first quote that was asked for.
   * @returns seconds; 0 while nobody asks for quotes, because no source is asked then either
   */
  neededAgeSeconds(): number {
    if (this.lastAskedAt === null || this.secondsSince(this.lastAskedAt) > PRICE_AGE_MAX_MS / 1000) {
      return 0;
    }
    const ages = this.feeds
      .map(({ lastTakenAt }) => this.secondsSince(lastTakenAt ?? this.firstAskedAt ?? this.clock.now()))
      .sort((one, other) => one - other);
    return ages[SOURCES_MIN - 1] ?? 0;
  }

  async close(): Promise<void> {
    await Promise.all(this.feeds.map((feed) => feed.close()));
  }

  private freshPrices(): SourcePrice[] {
    return this.feeds.flatMap((feed) => feed.freshPrice() ?? []);
  }

  private agreed(prices: readonly SourcePrice[]): Quote | null {
    const agreed = agreedPrice(prices);
    if (!agreed) {
      return null;
    }
    this.tellWhoIsOff(agreed.far);
    return { rateNanoUsd: agreed.rateNanoUsd, takenAt: this.clock.now(), sources: agreed.near };
  }

  /** A source may stay off for hours, while there are many quotes: it is told once, until it is near again. */
  private tellWhoIsOff(far: readonly SourcePrice[]): void {
    for (const { name } of far.filter((price) => !this.farNames.has(price.name))) {
      this.logger.warn(`${this.currency}: ${name} is more than 2 % off the median, and left out`);
    }
    this.farNames = new Set(far.map(({ name }) => name));
  }

  private secondsSince(time: Date): number {
    return Math.max(0, this.clock.now().getTime() - time.getTime()) / 1000;
  }
}
