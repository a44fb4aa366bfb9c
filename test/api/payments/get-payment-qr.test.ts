import { PaymentWatch } from '../../../src/modules/billing/payment-watch';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { onePayment, openPayment } from '../../support/payments/open-payment';
import { readQr } from '../../support/payments/read-qr';

describeOperation(
  'getPaymentQr',
  async (world) => ({ params: { payment_id: (await onePayment(world)).id } }),
  (status) => {
    status(200, 'draws what a wallet reads as the payment’s URI', async (world) => {
      for (const currency of ['BTC', 'ETH', 'SOL'] as const) {
        const params = { payment_id: (await openPayment(world, { currency, usd: '123.456789012' })).id };
        const { body: payment } = await callAs('getPayment', world, { params });
        const answer = await callAs('getPaymentQr', world, { params });
        expect(answer.headers['content-type']).toMatch(/^image\/svg\+xml/);
        expect(answer.text).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
        expect(readQr(answer.text)).toBe(payment.payment_uri);
        expect(payment.qr_path).toBe(`/api/payments/payments/${payment.id}/qr.svg`);
      }
    });

    status(200, 'draws it for a payment that has expired too', async (world) => {
      const payment = await openPayment(world);
      world.service.clock.advance(16 * 60_000);
      await world.service.app.get(PaymentWatch).pass('BTC');
      const answer = await callAs('getPaymentQr', world, { params: { payment_id: payment.id } });
      expect(readQr(answer.text)).toBe(`bitcoin:${payment.address}?amount=0.0005`);
    });
  },
);
