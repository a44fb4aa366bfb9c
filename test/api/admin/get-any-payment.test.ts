import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { paymentInReview } from '../../support/payments/chain-looks';
import { onePayment, openPayment } from '../../support/payments/open-payment';

describeOperation(
  'getAnyPayment',
  async (world) => ({ params: { payment_id: (await onePayment(world)).id } }),
  (status) => {
    status(200, 'is the payment as the list has it, whoever owns it', async (world) => {
      for (const payment of [
        await paymentInReview(world),
        await openPayment(world, { account: world.stranger }),
      ]) {
        const { body } = await callAs('getAnyPayment', world, { params: { payment_id: payment.id } });
        const list = await callAs('listAllPayments', world, { query: { user_id: payment.accountId } });
        expect(list.body.payments).toEqual([body]);
      }
    });
  },
);
