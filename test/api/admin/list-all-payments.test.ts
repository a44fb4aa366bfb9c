import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { look, paymentInReview, transferOf } from '../../support/payments/chain-looks';
import { openPayment } from '../../support/payments/open-payment';

describeOperation(
  'listAllPayments',
  () => ({}),
  (status) => {
    status(200, 'lists the payments of all accounts, each as its owner sees it', async (world) => {
      world.service.clock.advance(1);
      const start_date = world.service.clock.now().toISOString();
      const own = await openPayment(world);
      const foreign = await openPayment(world, { account: world.stranger, currency: 'ETH' });
      const { body } = await callAs('listAllPayments', world, { query: { start_date } });
      expect(body.payments.map(({ payment }) => payment.id).sort()).toEqual([own.id, foreign.id].sort());
      const seen = await callAs('getPayment', world, { params: { payment_id: own.id } }, world.owner);
      expect(body.payments.find(({ payment }) => payment.id === own.id)).toEqual({
        payment: seen.body,
        review: {
          needed: false,
          reason: null,
          since: null,
          resolved_at: null,
          resolved_by: null,
          note: null,
        },
        version: expect.any(String),
      });
    });

    status(200, 'finds by account, status, currency and need of a review, also together', async (world) => {
      const { owner, stranger } = world;
      const waiting = await openPayment(world, { currency: 'ETH' });
      const paid = await openPayment(world);
      await look(world, paid, [transferOf(paid.expectedBase)]);
      world.service.clock.advance(1000);
      const questionable = await paymentInReview(world);
      const user_id = owner.id;
      expect(await found(world, { user_id })).toEqual([waiting.id, paid.id, questionable.id]);
      expect(await found(world, { user_id: stranger.id })).toEqual([]);
      expect(await found(world, { user_id, status: 'confirmed' })).toEqual([paid.id, questionable.id]);
      expect(await found(world, { user_id, currency: 'ETH' })).toEqual([waiting.id]);
      expect(await found(world, { user_id, needs_review: true })).toEqual([questionable.id]);
      expect(await found(world, { user_id, needs_review: false, status: 'confirmed' })).toEqual([paid.id]);
      expect(await found(world, { user_id, end_date: questionable.createdAt.toISOString() })).toEqual([
        waiting.id,
        paid.id,
      ]);
    });

    status(200, 'says why a person has to look, and since when', async (world) => {
      const { id } = await paymentInReview(world);
      const query = { user_id: world.owner.id, needs_review: true };
      const { body } = await callAs('listAllPayments', world, { query });
      expect(body.total).toBe(1);
      expect(body.payments[0]).toMatchObject({
        payment: { id, status: 'confirmed', credited_usd: 50, received_crypto: 0 },
        review: {
          needed: true,
          reason: 'A credited transfer is no longer on the chain.',
          since: world.service.clock.now().toISOString(),
          resolved_at: null,
          resolved_by: null,
          note: null,
        },
      });
    });

    status(200, 'has each payment on one page, by amount too', async (world) => {
      for (const usd of ['30', '20', '20', '30', '20']) {
        await openPayment(world, { usd });
      }
      const query = { user_id: world.owner.id, sort: 'amount_usd', order: 'asc' };
      const { body: all } = await callAs('listAllPayments', world, { query });
      expect(all.payments.map(({ payment }) => payment.amount_usd)).toEqual([20, 20, 20, 30, 30]);
      const pages = await Promise.all(
        [0, 2, 4].map((offset) =>
          callAs('listAllPayments', world, { query: { ...query, limit: 2, offset } }),
        ),
      );
      expect(pages.flatMap(({ body }) => body.payments)).toEqual(all.payments);
    });
  },
);

/** The ids of what a query finds, the first created first. */
async function found(world: World, query: object): Promise<string[]> {
  const { body } = await callAs('listAllPayments', world, { query: { order: 'asc', ...query } });
  expect(body.total).toBe(body.payments.length);
  return body.payments.map(({ payment }) => payment.id);
}
