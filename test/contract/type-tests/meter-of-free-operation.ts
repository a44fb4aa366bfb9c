import { pricingApi, type GetPricingCall, type PricingApi } from '../../../generated/contract';
import type { PriceList } from '../../../generated/types';
import { Serves } from '../../../src/contract/operation';

@Serves(pricingApi)
export class Served {
  // @ts-expect-error The operation is free, so nothing was reserved that a meter could report on.
  getPricing({ meter }: GetPricingCall): Promise<PriceList> {
    return Promise.reject(new Error(String(meter)));
  }
}

@Serves(pricingApi)
export class Declared implements PricingApi {
  // @ts-expect-error The operation is free, so nothing was reserved that a meter could report on.
  getPricing({ meter }: GetPricingCall): Promise<PriceList> {
    return Promise.reject(new Error(String(meter)));
  }
}
