import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Configuration, InvalidConfiguration } from '../../../../config/configuration';
import { CURRENCIES, type Currency } from '../../../../infrastructure/chain/payment-chain';
import { Clock } from '../../../../infrastructure/clock/clock';
import { Metrics } from '../../../../infrastructure/metrics/metrics';
import { CurrencyPrices } from './currency-prices';
import { PriceFeed } from './price-feed';
import { readPriceSources } from './price-source-settings';
import type { Quote } from './quote';

/** What coins cost, by the operator's price sources. They are asked when a quote is wanted, and not otherwise. */
@Injectable()
export class PriceSources implements OnModuleDestroy {
  private readonly prices: Readonly<Record<Currency, CurrencyPrices>>;

  /** @throws InvalidConfiguration naming every fault of PRICE_SOURCES */
  constructor({ payments }: Configuration, clock: Clock, metrics: Metrics) {
    const { sources, faults } = readPriceSources(payments.priceSources);
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

  /**
   * The median of what the sources say now, or said within the last minute.
   * @throws PriceUnavailable where fewer than two of them agree within 2 %
   */
  async quote(currency: Currency): Promise<Quote> {
    return this.prices[currency].quote();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(Object.values(this.prices).map((prices) => prices.close()));
  }
}
