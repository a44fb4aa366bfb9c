import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { look, transferOf } from '../../support/payments/chain-looks';
import { openPayment } from '../../support/payments/open-payment';

describeOperation(
  'listPayments',
  () => ({}),
  (status) => {
    status(
      200,
      'lists the newest first, each as by itself, and nothing of another account',
      async (world) => {
        const first = await openPayment(world);
        world.service.clock.advance(1);
        const second = await openPayment(world, { currency: 'SOL', usd: '2.5' });
        await openPayment(world, { account: world.stranger });
        const { body } = await callAs('listPayments', world, {});
        expect(body).toMatchObject({ total: 2, limit: 20, offset: 0 });
        expect(body.payments.map(({ id }) => id)).toEqual([second.id, first.id]);
        const alone = await callAs('getPayment', world, { params: { payment_id: second.id } });
        expect(body.payments[0]).toEqual(alone.body);
        const none = await callAs('listPayments', world, {}, world.admin);
        expect(none.body).toEqual({ payments: [], total: 0, limit: 20, offset: 0 });
      },
    );

    status(200, 'finds by status, currency and time, also together', async (world) => {
      const { clock } = world.service;
      const paid = await openPayment(world);
      await look(world, paid, [transferOf(paid.expectedBase)]);
      clock.advance(3_600_000);
      const noon = clock.now().toISOString();
      const waiting = await openPayment(world, { currency: 'ETH' });
      const other = await openPayment(world);
      expect(await found(world, { status: 'confirmed' })).toEqual([paid.id]);
      expect(await found(world, { status: 'failed' })).toEqual([]);
      expect(await found(world, { currency: 'ETH' })).toEqual([waiting.id]);
      expect(await found(world, { status: 'created', currency: 'BTC' })).toEqual([other.id]);
      expect(await found(world, { start_date: noon })).toEqual([waiting.id, other.id]);
      expect(await found(world, { end_date: noon })).toEqual([paid.id]);
      expect(await found(world, { end_date: noon, currency: 'ETH' })).toEqual([]);
    });

    status(
      200,
      'has each payment on one page, whatever the order, though times and amounts are equal',
      async (world) => {
        for (const usd of ['20', '30', '20', '30', '20']) {
          await openPayment(world, { usd });
        }
        for (const sort of ['created_at', 'amount_usd']) {
          for (const order of ['asc', 'desc']) {
            const { body: all } = await callAs('listPayments', world, { query: { sort, order } });
            const paged: string[] = [];
            for (let offset = 0; offset < 5; offset += 2) {
              const { body } = await callAs('listPayments', world, {
                query: { sort, order, limit: 2, offset },
              });
              expect(body).toMatchObject({ total: 5, limit: 2, offset });
              paged.push(...body.payments.map(({ id }) => id));
            }
            expect(paged).toEqual(all.payments.map(({ id }) => id));
            expect(new Set(paged).size).toBe(5);
            const amounts = all.payments.map(({ amount_usd: usd }) => usd);
            const ascending = [20, 20, 20, 30, 30];
            const expected = order === 'asc' ? ascending : ascending.toReversed();
            expect(sort === 'amount_usd' ? amounts : expected).toEqual(expected);
          }
        }
      },
    );
  },
);

/** The ids of what a query finds, the first created first. */
async function found(world: World, query: object): Promise<string[]> {
  const { body } = await callAs('listPayments', world, { query: { order: 'asc', ...query } });
  expect(body.total).toBe(body.payments.length);
  return body.payments.map(({ id }) => id);
}
