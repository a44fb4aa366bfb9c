import { Module } from '@nestjs/common';
import { pricingApi, type PricingApi } from '../../../generated/contract';
import type { PriceList } from '../../../generated/types';
import { Serves } from '../../contract/serves';
import { nanoToUsd } from '../../ledger/usd';
import { type PricesInForce, PricingService } from './features';

export function toPriceList({ version, prices }: PricesInForce): PriceList {
  return {
    version,
    currency: 'USD',
    prices: prices.map(({ price, operations }) => ({
      name: price.name,
      title: price.title,
      model: price.model,
      base: nanoToUsd(price.baseNanoUsd),
      per_token: price.perTokenNanoUsd === null ? null : nanoToUsd(price.perTokenNanoUsd),
      per_output_token: price.perOutputTokenNanoUsd === null ? null : nanoToUsd(price.perOutputTokenNanoUsd),
      counts: price.counts,
      operations,
    })),
  };
}

@Serves(pricingApi)
class PricingController implements PricingApi {
  constructor(private readonly pricing: PricingService) {}

  async getPricing(): Promise<PriceList> {
    return Promise.resolve(toPriceList(this.pricing.inForce()));
  }
}

@Module({ controllers: [PricingController], providers: [PricingService] })
export class PricingModule {}
