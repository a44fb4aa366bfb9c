import { PaymentWatch } from '../../../src/modules/billing/payment-watch';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { subscribe } from '../../support/events/subscribe';
import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { ledgerEntries } from '../../support/ledger/ledger-entries';
import { look, REPLACED, transferOf } from '../../support/payments/chain-looks';
import { onePayment, openPayment } from '../../support/payments/open-payment';
import { paymentEvents } from '../../support/payments/payment-events';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

describeOperation(
  'getPayment',
  async (world) => ({ params: { payment_id: (await onePayment(world)).id } }),
  (status) => {
    status(200, 'shows what was answered when it was created', async (world) => {
      const body = { amount_usd: 123.456789012, currency: 'SOL' };
      const created = await callAs('createPayment', world, { body });
      expect((await get(world, created.body.id)).body).toEqual(created.body);
    });

    status(200, 'shows a transfer on its way, which is no credit yet', async (world) => {
      const payment = await openPayment(world, { usd: '500' });
      const transfer = transferOf(500_000n, { state: 'pending', confirmations: 0, isFinal: false });
      const firstSeenAt = world.service.clock.now().toISOString();
      await look(world, payment, [transfer]);
      expect((await get(world, payment.id)).body).toMatchObject({
        status: 'created',
        detected_at: firstSeenAt,
        received_crypto: 0.005,
        received_crypto_text: '0.005',
        credited_usd: 0,
        tx_hash: transfer.txHash,
        transfers: [
          {
            tx_hash: transfer.txHash,
            amount_crypto: 0.005,
            amount_crypto_text: '0.005',
            state: 'pending',
            confirmations: 0,
            late: false,
            credited_usd: 0,
            transaction_id: null,
            first_seen_at: firstSeenAt,
          },
        ],
      });
      world.service.clock.advance(MINUTE_MS);
      await look(world, payment, [{ ...transfer, state: 'included', confirmations: 1 }]);
      const included = (await get(world, payment.id)).body;
      expect([included.status, included.confirmations, included.required_confirmations]).toEqual([
        'confirming',
        1,
        2,
      ]);
      expect(included.transfers[0]?.first_seen_at).toBe(firstSeenAt);
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    });

    status(200, 'shows one that nobody paid as expired, after its time and not before', async (world) => {
      await subscribe(world.service.database, world.owner.id, { events: ['payment.expired'] });
      const payment = await openPayment(world);
      const watch = world.service.app.get(PaymentWatch);
      const before = await ledgerEntries(world.service, world.owner);
      world.service.clock.advance(15 * MINUTE_MS);
      await watch.pass('BTC');
      expect((await get(world, payment.id)).body.status).toBe('created');
      world.service.clock.advance(1);
      await watch.pass('ETH');
      expect((await get(world, payment.id)).body.status).toBe('created');
      await watch.pass('BTC');
      await watch.pass('BTC');
      expect((await get(world, payment.id)).body).toMatchObject({ status: 'expired', failure_reason: null });
      expect(await paymentEvents(world)).toEqual([
        {
          type: 'payment.expired',
          operation: null,
          occurredAt: world.service.clock.now(),
          data: {
            payment_id: payment.id,
            user_id: world.owner.id,
            amount_usd: 50,
            currency: 'BTC',
            expires_at: payment.expiresAt.toISOString(),
          },
        },
      ]);
      expect(await ledgerEntries(world.service, world.owner)).toEqual(before);
    });

    status(200, 'shows one whose transaction was replaced as failed, and why', async (world) => {
      await subscribe(world.service.database, world.owner.id, { events: ['*'] });
      const payment = await openPayment(world);
      const transfer = transferOf(payment.expectedBase, {
        state: 'pending',
        confirmations: 0,
        isFinal: false,
      });
      await look(world, payment, [transfer]);
      await look(world, payment, [{ ...transfer, ...REPLACED }]);
      expect((await get(world, payment.id)).body.status).toBe('created');
      world.service.clock.advance(15 * MINUTE_MS + 1);
      await world.service.app.get(PaymentWatch).pass('BTC');
      const reason = 'The transaction was replaced by another one.';
      expect((await get(world, payment.id)).body).toMatchObject({
        status: 'failed',
        failure_reason: reason,
        received_crypto_text: '0',
        transfers: [{ state: 'replaced', credited_usd: 0 }],
      });
      const told = await paymentEvents(world);
      expect(told.map(({ type }) => type)).toEqual(['payment.created', 'payment.failed']);
      expect(told[1]?.data).toMatchObject({ payment_id: payment.id, reason, tx_hash: transfer.txHash });
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    });

    status(
      200,
      'shows what came late and too little, too much or afterwards, and each credit',
      async (world) => {
        await subscribe(world.service.database, world.owner.id, {
          events: ['payment.confirmed', 'balance.updated'],
        });
        const payment = await openPayment(world);
        await look(world, payment, [transferOf(20_000n, { id: `part:${payment.id}` })]);
        expect((await get(world, payment.id)).body).toMatchObject({ status: 'confirming', underpaid: false });
        world.service.clock.advance(15 * MINUTE_MS + 1);
        await world.service.app.get(PaymentWatch).pass('BTC');
        expect((await get(world, payment.id)).body).toMatchObject({
          status: 'confirmed',
          underpaid: true,
          overpaid: false,
          late: false,
          credited_usd: 20,
        });
        world.service.clock.advance(DAY_MS / 2);
        await look(world, payment, [transferOf(50_000n)]);
        const { body } = await get(world, payment.id);
        expect(body).toMatchObject({ overpaid: true, late: true, credited_usd: 70, received_crypto: 0.0007 });
        expect(body.transfers.map(({ credited_usd, late }) => [credited_usd, late])).toEqual([
          [20, false],
          [50, true],
        ]);
        const { body: list } = await callAs('listTransactions', world, {
          query: { order: 'asc', offset: 1 },
        });
        expect(
          list.transactions.map(({ id, type, amount, reference_id }) => [id, type, amount, reference_id]),
        ).toEqual([
          [body.transfers[0]?.transaction_id, 'deposit', 20, `payment:${payment.id}`],
          [body.transfers[1]?.transaction_id, 'deposit', 50, `payment:${payment.id}:2`],
        ]);
        const told = await paymentEvents(world);
        expect(told.map(({ type }) => type).sort()).toEqual([
          'balance.updated',
          'balance.updated',
          'payment.confirmed',
        ]);
        const confirmed = told.find(({ type }) => type === 'payment.confirmed')?.data;
        const came = { received_crypto: 0.0002, received_crypto_text: '0.0002', credited_usd: 20 };
        expect(confirmed).toMatchObject({ ...came, underpaid: true, overpaid: false, late: false });
        expect(await world.balanceNanoUsd()).toBe(80_000_000_000n);
        expect(await ledgerFaults(world.service.database)).toEqual([]);
      },
    );
  },
);

function get(world: World, id: string) {
  return callAs('getPayment', world, { params: { payment_id: id } });
}
