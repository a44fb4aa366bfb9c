import { apis, prices } from '../../../generated/contract';
import { Estimates, type OperationPolicy } from '../../contract/operation';
import { PriceList } from '../../ledger/money';
import { PricingService } from './features';

describe('PricingService', () => {
  it('names every priced operation under its price and no other', () => {
    const shown = new PricingService(new PriceList(prices), new Estimates()).inForce().prices;
    const listed = shown.flatMap(({ name, operations }) => operations.map((id) => [id, name]));
    const documented = apis
      .flatMap(({ operations }) => Object.values<OperationPolicy>(operations))
      .flatMap(({ operationId, price }) => (price === null ? [] : [[operationId, price]]));
    expect(listed.sort()).toEqual(documented.sort());
  });

  it("shows the operator's prices under a version of their own", () => {
    const own = new PriceList(prices, { chat_completion: { base: '0.0035', per_token: '0.000000015' } });
    const shown = new PricingService(own, new Estimates()).inForce();
    expect(shown.prices.find(({ name }) => name === 'chat_completion')).toMatchObject({
      base: 0.0035,
      per_token: 0.000000015,
      counts: 'input_and_output',
    });
    expect(shown.version).not.toBe(new PriceList(prices).version);
  });

  it('has no price per token where tokens are free', () => {
    const shown = new PricingService(new PriceList(prices), new Estimates()).inForce();
    expect(shown.prices.find(({ name }) => name === 'memory_operation')).toMatchObject({
      base: 0.0001,
      per_token: null,
      counts: null,
    });
  });
});
