import type { PriceList } from '../../../generated/types';
import { nanoToUsd } from '../../core/money/pricing/usd';
import type { PricesInForce } from './pricing.service';

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
