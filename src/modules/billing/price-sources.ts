import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Configuration, InvalidConfiguration } from '../../config/configuration';
import { NANO_PER_USD } from '../../ledger/money';
import { type Counter, Metrics } from '../../observability/metrics';
import { Clock } from '../../runtime/clock';
import { valueAt } from '../../runtime/json';
import type { PriceSource } from './payment';
import { CURRENCIES, type Currency, type PaymentChain } from './payment-chain';
import { type PricePlace, readPriceSources } from './price-source-settings';
import { OperatorCallFailed, OperatorHttp } from '../../http/operator-http';

/** Two per cent of the median. */
const SPREAD_PARTS = 50n;

/** At least two within 2 % of the median and of one another; the median of two lies between any two. */
export function agreedPrice(prices: readonly PriceSource[]) {
  const sorted = prices.toSorted((one, other) => (one.rateNanoUsd < other.rateNanoUsd ? -1 : 1));
  const median = medianOf(sorted.map(({ rateNanoUsd }) => rateNanoUsd));
  const isClose = (one: bigint, other: bigint) => distance(one, other) * SPREAD_PARTS <= median;
  const near = sorted.filter(({ rateNanoUsd }) => isClose(rateNanoUsd, median));
  const agree = near.some((price, index) => {
    const before = near[index - 1];
    return before !== undefined && isClose(before.rateNanoUsd, price.rateNanoUsd);
  });
  return agree ? { rateNanoUsd: median, near, far: sorted.filter((price) => !near.includes(price)) } : null;
}

function medianOf(sorted: readonly bigint[]): bigint {
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0n;
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0n;
  return (lower + upper) / 2n;
}

function distance(one: bigint, other: bigint): bigint {
  return one < other ? other - one : one - other;
}

const SOURCES_MIN = 2;

class CurrencyPrices {
  private readonly logger = new Logger('CurrencyPrices');
  private firstAskedAt: Date | null = null;
  private lastAskedAt: Date | null = null;
  private farNames: ReadonlySet<string> = new Set();

  constructor(
    private readonly currency: Currency,
    private readonly feeds: readonly PriceFeed[],
    private readonly clock: Clock,
  ) {}

  /** Waits for recently failed sources only if it needs them: one that hangs would hold up every payment. */
  async quote(): Promise<Quote> {
    if (this.feeds.length < SOURCES_MIN) {
      throw new PriceUnavailable(this.currency, 'fewer than two sources know it');
    }
    this.lastAskedAt = this.clock.now();
    this.firstAskedAt ??= this.lastAskedAt;
    const refreshes = this.feeds.map((feed) => ({ wasFailing: feed.hasFailed, done: feed.refresh() }));
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

  /** The age of the older of the two youngest prices, both of which a quote needs; 0 while nobody asks. */
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

  private freshPrices(): PriceSource[] {
    return this.feeds.flatMap((feed) => feed.freshPrice() ?? []);
  }

  private agreed(prices: readonly PriceSource[]): Quote | null {
    const agreed = agreedPrice(prices);
    if (!agreed) {
      return null;
    }
    this.logDistant(agreed.far);
    return { rateNanoUsd: agreed.rateNanoUsd, takenAt: this.clock.now(), sources: agreed.near };
  }

  /** Logged once until the source is near again: it may stay off for hours of quotes. */
  private logDistant(far: readonly PriceSource[]): void {
    for (const { name } of far.filter((price) => !this.farNames.has(price.name))) {
      this.logger.warn(`${this.currency}: ${name} is more than 2 % off the median, and left out`);
    }
    this.farNames = new Set(far.map(({ name }) => name));
  }

  private secondsSince(time: Date): number {
    return Math.max(0, this.clock.now().getTime() - time.getTime()) / 1000;
  }
}

@Injectable()
export class PriceSources implements OnApplicationShutdown {
  private readonly prices: Readonly<Record<Currency, CurrencyPrices>>;

  constructor(
    { priceSources }: Configuration,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    const { sources, faults } = readPriceSources(priceSources);
    if (faults.length > 0) {
      throw new InvalidConfiguration(faults);
    }
    const failures = metrics.counter(
      'payment_price_fetches_failed_total',
      'Requests to a price source that gave no price.',
    );
    const pricesOf = (currency: Currency): CurrencyPrices => {
      const feeds = sources.flatMap(({ name, places }) => {
        const place = places.get(currency);
        const tally = failures.labelled({ source: name });
        return place ? [new PriceFeed(name, `${currency} at ${name}`, place, clock, tally)] : [];
      });
      return new CurrencyPrices(currency, feeds, clock);
    };
    this.prices = { BTC: pricesOf('BTC'), ETH: pricesOf('ETH'), SOL: pricesOf('SOL') };
    metrics.gauge(
      'payment_price_age_seconds',
      'Age of the oldest price that a quote of the last minute had to stand on: beyond 60 there are no quotes.',
      () => Math.max(...CURRENCIES.map((currency) => this.prices[currency].neededAgeSeconds())),
    );
  }

  async quote({ currency, isSandbox }: Pick<PaymentChain, 'currency' | 'isSandbox'>): Promise<Quote> {
    return isSandbox ? sandboxQuote(currency, this.clock.now()) : this.prices[currency].quote();
  }

  /** After the calls in flight have ended, which may ask for a price. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(Object.values(this.prices).map((prices) => prices.close()));
  }
}

const RATES_NANO_USD: Readonly<Record<Currency, bigint>> = {
  BTC: 100_000n * NANO_PER_USD,
  ETH: 4_000n * NANO_PER_USD,
  SOL: 200n * NANO_PER_USD,
};

export function sandboxQuote(currency: Currency, now: Date): Quote {
  const rateNanoUsd = RATES_NANO_USD[currency];
  return { rateNanoUsd, takenAt: now, sources: [{ name: 'sandbox', rateNanoUsd, takenAt: now }] };
}

export interface Quote {
  readonly rateNanoUsd: bigint;
  readonly takenAt: Date;
  readonly sources: readonly PriceSource[];
}

export class PriceUnavailable extends Error {
  /** @param reason never contains a URL */
  constructor(
    readonly currency: Currency,
    readonly reason: string,
  ) {
    super(`no price of ${currency}: ${reason}`);
    this.name = new.target.name;
  }
}

const LENGTH_MAX = 64;
const EXPONENT_DIGITS_MAX = 2;

/** Thousands of times what any coin has cost: a larger number is in another unit. */
const PRICE_MAX_NANO_USD = 1_000_000_000n * NANO_PER_USD;

const DECIMAL = new RegExp(String.raw`^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,${EXPONENT_DIGITS_MAX}}))?$`, 'i');

export function readPrice(value: unknown): bigint | null {
  if (typeof value !== 'string' && typeof value !== 'number') {
    return null;
  }
  // A double prints as its shortest decimal, so up to 15 digits come out as written.
  const text = String(value);
  const match = text.length > LENGTH_MAX ? null : DECIMAL.exec(text);
  if (!match) {
    return null;
  }
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const nanoUsd = shifted(BigInt(whole + fraction), Number(exponent) - fraction.length + 9);
  return nanoUsd > 0n && nanoUsd <= PRICE_MAX_NANO_USD ? nanoUsd : null;
}

function shifted(digits: bigint, places: number): bigint {
  return places >= 0 ? digits * 10n ** BigInt(places) : digits / 10n ** BigInt(-places);
}

const PRICE_AGE_MAX_MS = 60_000;

const FETCH_INTERVAL_MIN_MS = 10_000;

const BOUNDS = { timeoutMs: 4_000, answerBytesMax: 64 * 1024 };

class PriceFeed {
  private readonly logger = new Logger('PriceFeed');
  private readonly http: OperatorHttp;
  private readonly path: string;
  private last: PriceSource | null = null;
  private askedAt: Date | null = null;
  private fetching: Promise<void> | null = null;
  hasFailed = false;
  private isClosed = false;

  constructor(
    private readonly name: string,
    private readonly title: string,
    private readonly place: PricePlace,
    private readonly clock: Clock,
    private readonly failures: Counter,
  ) {
    const { pathname, search } = new URL(place.url);
    // A base URL would lose the slash at its end.
    this.http = new OperatorHttp(new URL('/', place.url).href, BOUNDS);
    this.path = pathname + search;
  }

  get lastTakenAt(): Date | null {
    return this.last?.takenAt ?? null;
  }

  freshPrice(): PriceSource | null {
    return this.last !== null && this.isWithin(this.last.takenAt, PRICE_AGE_MAX_MS) ? this.last : null;
  }

  async refresh(): Promise<void> {
    if (this.askedAt === null || !this.isWithin(this.askedAt, FETCH_INTERVAL_MIN_MS - 1)) {
      this.fetching ??= this.fetch().finally(() => {
        this.fetching = null;
      });
    }
    await this.fetching;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.http.close();
    await this.fetching;
  }

  private async fetch(): Promise<void> {
    this.askedAt = this.clock.now();
    try {
      const rateNanoUsd = await this.fetchRate();
      this.last = { name: this.name, rateNanoUsd, takenAt: this.clock.now() };
      if (this.hasFailed) {
        this.logger.log(`${this.title}: there is a price again`);
      }
      this.hasFailed = false;
    } catch (error) {
      this.noteFailure(error);
    }
  }

  private async fetchRate(): Promise<bigint> {
    const { status, json } = await this.http.json({ path: this.path });
    if (status !== 200) {
      throw new OperatorCallFailed(`the answer has the status ${status}`, status);
    }
    const rateNanoUsd = readPrice(valueAt(json, this.place.pointer));
    if (rateNanoUsd === null) {
      throw new OperatorCallFailed('what the pointer leads to is no price', status);
    }
    return rateNanoUsd;
  }

  /** Only the first of a row of failures is logged. */
  private noteFailure(error: unknown): void {
    if (this.isClosed) {
      return;
    }
    this.failures.add();
    if (!this.hasFailed) {
      this.logger.warn(`${this.title}: no price: ${(error as Error).message}`);
    }
    this.hasFailed = true;
  }

  /** A future time is not within: the clock was set back, and the age is unknown. */
  private isWithin(time: Date, spanMs: number): boolean {
    const ageMs = this.clock.now().getTime() - time.getTime();
    return ageMs >= 0 && ageMs <= spanMs;
  }
}
