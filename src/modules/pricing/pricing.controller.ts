import { pricingApi, type PricingApi } from '../../../generated/contract';
import type { PriceList } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { toPriceList } from './pricing.mapper';
import { PricingService } from './pricing.service';

@Serves(pricingApi)
export class PricingController implements PricingApi {
  constructor(private readonly pricing: PricingService) {}

  async getPricing(): Promise<PriceList> {
    return Promise.resolve(toPriceList(this.pricing.inForce()));
  }
}
