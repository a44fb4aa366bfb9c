import { PriceSources, PriceUnavailable } from '../../../src/modules/billing/price-sources';
import { ChainUnavailable } from '../../../src/modules/billing/payment-chain';
import { PaymentChains } from '../../../src/modules/billing/payment-chains';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { TestService } from '../../support/api/service';
import { World } from '../../support/api/world';

describeOperation(
  'listPaymentMethods',
  () => ({}),
  (status) => {
    status(200, 'lists what the sandbox plays, with its bounds and its fixed prices', async (world) => {
      const { body } = await callAs('listPaymentMethods', world, {});
      const playing = {
        network: 'sandbox',
        is_sandbox: true,
        maximum_usd: 10_000,
        expiry_minutes: 15,
        available: true,
        unavailable_reason: null,
      };
      expect(body.methods).toEqual([
        {
          ...playing,
          currency: 'BTC',
          name: 'Bitcoin',
          minimum_usd: 10,
          confirmations: [
            { up_to_usd: 100, confirmations: 1 },
            { up_to_usd: 1_000, confirmations: 2 },
            { up_to_usd: 10_000, confirmations: 3 },
            { up_to_usd: null, confirmations: 6 },
          ],
          rate: 100_000,
        },
        {
          ...playing,
          currency: 'ETH',
          name: 'Ether',
          minimum_usd: 10,
          confirmations: [
            { up_to_usd: 1_000, confirmations: 12 },
            { up_to_usd: null, confirmations: 64 },
          ],
          rate: 4_000,
        },
        {
          ...playing,
          currency: 'SOL',
          name: 'Solana',
          minimum_usd: 2,
          confirmations: [{ up_to_usd: null, confirmations: 32 }],
          rate: 200,
        },
      ]);
    });

    status(200, 'says of the currency alone whose node or price is away that it is', async (world) => {
      const { app } = world.service;
      const bitcoin = app.get(PaymentChains).get('BTC');
      if (bitcoin === null) {
        throw new Error('the sandbox plays every chain');
      }
      jest.spyOn(bitcoin, 'network').mockRejectedValueOnce(new ChainUnavailable('10.0.0.7 is down'));
      const { body: without } = await callAs('listPaymentMethods', world, {});
      expect(without.methods.map(({ currency, available }) => [currency, available])).toEqual([
        ['BTC', false],
        ['ETH', true],
        ['SOL', true],
      ]);
      expect(without.methods[0]).toMatchObject({
        network: null,
        rate: 100_000,
        unavailable_reason: 'The chain can not be asked.',
      });
      jest
        .spyOn(app.get(PriceSources), 'quote')
        .mockRejectedValueOnce(new PriceUnavailable('BTC', 'fewer than two sources know it'));
      const { body: unpriced } = await callAs('listPaymentMethods', world, {});
      expect(unpriced.methods[0]).toMatchObject({
        network: 'sandbox',
        rate: null,
        available: false,
        unavailable_reason: 'No price can be had.',
      });
    });
  },
);

describe('without chains, where there is no sandbox', () => {
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    service = await TestService.start({ SERVICE_ENVIRONMENT: 'live' });
    world = await World.create(service);
  });
  afterAll(async () => service.stop());

  it('no currency is taken, and the methods say so', async () => {
    const { body } = await callAs('listPaymentMethods', world, {});
    expect(body.methods.map(({ unavailable_reason: reason }) => reason)).toEqual([
      'This service takes no BTC.',
      'This service takes no ETH.',
      'This service takes no SOL.',
    ]);
    for (const method of body.methods) {
      expect(method).toMatchObject({ network: null, is_sandbox: false, available: false, rate: null });
    }
  });

  it.each(['BTC', 'ETH', 'SOL'])('a payment in %s is refused', async (currency) => {
    const answer = await callAs('createPayment', world, { body: { amount_usd: 50, currency } });
    expect([answer.status, answer.body.message]).toEqual([
      422,
      `This service takes no ${currency}; GET /api/payments/payments/methods says what it takes.`,
    ]);
    expect((await callAs('listPayments', world, {})).body.total).toBe(0);
  });
});
