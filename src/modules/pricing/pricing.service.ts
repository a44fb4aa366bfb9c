import { Injectable } from '@nestjs/common';
import { apis } from '../../../generated/contract';
import type { OperationPolicy } from '../../contract/operation';
import { PriceList, type Price } from '../../core/pricing/price-list';

const OPERATIONS = apis.flatMap(({ operations }) => Object.values<OperationPolicy>(operations));

export interface PricedOperations {
  price: Price;
  /** The ids of the operations that have this price. */
  operations: string[];
}

export interface PricesInForce {
  version: string;
  prices: PricedOperations[];
}

/** The prices in force, the operator's own included, and what each of them is paid for. */
@Injectable()
export class PricingService {
  constructor(private readonly prices: PriceList) {}

  inForce(): PricesInForce {
    const prices = this.prices.all().map((price) => ({
      price,
      operations: OPERATIONS.filter((policy) => policy.price === price.name).map(
        ({ operationId }) => operationId,
      ),
    }));
    return { version: this.prices.version, prices };
  }
}
