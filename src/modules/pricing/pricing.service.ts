import { Injectable } from '@nestjs/common';
import { apis } from '../../../generated/contract';
import { Estimates } from '../../contract/estimates';
import type { OperationPolicy } from '../../contract/operation';
import { PriceList, type Price } from '../../core/money/pricing/price-list';

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

/** The prices in force, the operator's own included, each with the operations that cost it. */
@Injectable()
export class PricingService {
  constructor(
    private readonly prices: PriceList,
    private readonly estimates: Estimates,
  ) {}

  inForce(): PricesInForce {
    const ofOperations = this.prices
      .all()
      .map((price) => ({ price, operations: operationIds(({ price: name }) => name === price.name) }));
    const ofModels = ofOperations.flatMap((priced) => this.ofModels(priced));
    return { version: this.prices.version, prices: [...ofOperations, ...ofModels] };
  }

  /** Only operations with an estimator are answered by a model, so only to them can the price of a model apply. */
  private ofModels({ price, operations }: PricedOperations): PricedOperations[] {
    const estimated = operations.filter((operationId) => this.estimates.of(operationId) !== null);
    const prices = estimated.length === 0 ? [] : this.prices.forEachModel(price.name);
    return prices.map((ofModel) => ({ price: ofModel, operations: estimated }));
  }
}

function operationIds(has: (policy: OperationPolicy) => boolean): string[] {
  return OPERATIONS.filter(has).map(({ operationId }) => operationId);
}
