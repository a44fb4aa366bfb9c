import { PaymentWatch } from '../../../src/modules/billing/payment-watch';
import type { Payment } from '../../../src/modules/billing/payment';
import { Payments } from '../../../src/modules/billing/payments.repository';
import { callAs } from '../../support/api/call-as';
import { describeOperation, type DescribeStatus } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { subscribe } from '../../support/events/subscribe';
import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { ledgerEntries } from '../../support/ledger/ledger-entries';
import { look, REPLACED, transferOf } from '../../support/payments/chain-looks';
import { openPayment } from '../../support/payments/open-payment';
import { paymentEvents } from '../../support/payments/payment-events';

const EXPIRY_MS = 15 * 60_000;

describeOperation(
  'confirmPayment',
  async (world) => ({ params: { payment_id: (await openPayment(world)).id } }),
  (status) => {
    refusals(status);
    credits(status);
    races(status);
    events(status);
  },
);

function refusals(status: DescribeStatus): void {
  status(409, 'refuses a payment that is over, and credits nothing more', async (world) => {
    const paid = await openPayment(world);
    await confirm(world, paid);
    const replaced = await openPayment(world);
    const pending = { state: 'pending', confirmations: 0, isFinal: false } as const;
    const transfer = transferOf(replaced.expectedBase, pending);
    await look(world, replaced, [transfer]);
    await look(world, replaced, [{ ...transfer, ...REPLACED }]);
    const unpaid = await openPayment(world);
    world.service.clock.advance(EXPIRY_MS + 1);
    await world.service.app.get(PaymentWatch).pass('BTC');
    const before = await ledgerEntries(world.service, world.owner);
    for (const [payment, ended] of [
      [paid, 'confirmed'],
      [replaced, 'failed'],
      [unpaid, 'expired'],
    ] as const) {
      const answer = await confirm(world, payment);
      expect([answer.status, answer.body.message]).toEqual([409, `The payment is ${ended} already.`]);
    }
    expect(await ledgerEntries(world.service, world.owner)).toEqual(before);
  });
  status(503, 'says when to try again where the payment’s network can’t be asked', async (world) => {
    const payment = await openPayment(world);
    await notPlayed(world, payment, 'regtest');
    const answer = await confirm(world, payment);
    const message = "BTC payments can't be taken right now: the chain can not be asked.";
    expect([answer.status, answer.body.message, answer.headers['retry-after']]).toEqual([503, message, '15']);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
  });
}

function credits(status: DescribeStatus): void {
  status(200, 'never credits what the chain does not show', async (world) => {
    const payment = await openPayment(world);
    await notPlayed(world, payment, 'sandbox');
    const answer = await confirm(world, payment);
    expect([answer.status, answer.body.status, answer.body.transfers]).toEqual([200, 'created', []]);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
  });
  status(200, 'credits the nominal amount of each currency in the sandbox, once', async (world) => {
    let balance = await world.balanceNanoUsd();
    for (const [currency, usd, nanoUsd] of [
      ['BTC', '10.000000001', 10_000_000_001n],
      ['ETH', '9999.999999999', 9_999_999_999_999n],
      ['SOL', '2', 2_000_000_000n],
    ] as const) {
      const payment = await openPayment(world, { currency, usd });
      const { body } = await confirm(world, payment);
      expect(body).toMatchObject({
        status: 'confirmed',
        amount_usd: Number(usd),
        credited_usd: Number(usd),
        received_crypto_text: body.amount_crypto_text,
        tx_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        underpaid: false,
        overpaid: false,
        late: false,
        confirmed_at: world.service.clock.now().toISOString(),
      });
      balance += nanoUsd;
      const newest = (await ledgerEntries(world.service, world.owner)).at(-1);
      expect(newest).toEqual({
        id: body.transfers[0]?.transaction_id,
        type: 'deposit',
        amountNanoUsd: nanoUsd,
        balanceAfterNanoUsd: balance,
        description: `${currency} payment`,
        requestId: null,
      });
      expect((await confirm(world, payment)).status).toBe(409);
    }
    expect(await world.balanceNanoUsd()).toBe(balance);
    expect(await ledgerFaults(world.service.database)).toEqual([]);
  });
  status(200, 'leaves nothing for the watcher to credit or to change', async (world) => {
    const payment = await openPayment(world);
    const { body } = await confirm(world, payment);
    world.service.clock.advance(3_600_000);
    await world.service.app.get(PaymentWatch).pass('BTC');
    expect((await callAs('getPayment', world, { params: { payment_id: payment.id } })).body).toEqual(body);
    expect(await world.balanceNanoUsd()).toBe(60_000_000_000n);
  });
  status(200, 'credits as late what it plays after the payment’s time', async (world) => {
    const payment = await openPayment(world);
    world.service.clock.advance(EXPIRY_MS + 3_600_000);
    expect((await confirm(world, payment)).body).toMatchObject({
      status: 'confirmed',
      late: true,
      credited_usd: 50,
    });
    expect(await world.balanceNanoUsd()).toBe(60_000_000_000n);
  });
  status(200, 'makes a refused call possible at once', async (world) => {
    await world.setBalanceUsd(world.owner, '0');
    const call = { body: { key: 'k', value: 'v' } };
    expect((await callAs('createMemory', world, call)).status).toBe(402);
    await confirm(world, await openPayment(world));
    expect((await callAs('createMemory', world, call)).status).toBe(201);
  });
}

function races(status: DescribeStatus): void {
  status(200, 'credits once when it is called twenty times at once, and needs no review', async (world) => {
    const payment = await openPayment(world, { currency: 'SOL' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(world, payment)));
    expect(answers.filter((answer) => ![200, 409].includes(answer.status))).toEqual([]);
    expect(await world.balanceNanoUsd()).toBe(60_000_000_000n);
    expect(await reviewed(world, payment)).toBe(false);
    expect(await ledgerFaults(world.service.database)).toEqual([]);
  });
  status(200, 'credits once while the watcher looks too', async (world) => {
    const payment = await openPayment(world, { currency: 'SOL' });
    const { app } = world.service;
    await Promise.all(
      Array.from({ length: 10 }, () => [confirm(world, payment), app.get(PaymentWatch).pass('SOL')]).flat(),
    );
    expect(await world.balanceNanoUsd()).toBe(60_000_000_000n);
    expect(await reviewed(world, payment)).toBe(false);
  });
  status(200, 'changes nothing where another call has come to the end meanwhile', async (world) => {
    const payment = await openPayment(world, { currency: 'SOL' });
    const { body } = await confirm(world, payment);
    jest.spyOn(world.service.app.get(Payments), 'get').mockResolvedValueOnce(payment);
    const late = await confirm(world, payment);
    expect([late.status, late.body]).toEqual([200, body]);
    expect(await reviewed(world, payment)).toBe(false);
    expect(await world.balanceNanoUsd()).toBe(60_000_000_000n);
  });
  status(200, 'goes on from where a call that died has come to', async (world) => {
    const payment = await openPayment(world, { currency: 'SOL' });
    const seen = { id: `sandbox:${payment.id}`, confirmations: 1, isFinal: false };
    await look(world, payment, [transferOf(payment.expectedBase, seen)]);
    expect((await confirm(world, payment)).body).toMatchObject({ status: 'confirmed', credited_usd: 50 });
    expect(await reviewed(world, payment)).toBe(false);
  });
}

function events(status: DescribeStatus): void {
  status(200, 'tells subscribers of the confirmation and of the balance, each once', async (world) => {
    const { service, owner } = world;
    await subscribe(service.database, owner.id, {
      events: ['payment.confirming', 'payment.confirmed', 'balance.updated'],
    });
    const payment = await openPayment(world, { currency: 'SOL' });
    const { body } = await confirm(world, payment);
    const common = {
      payment_id: payment.id,
      user_id: owner.id,
      amount_usd: 50,
      currency: 'SOL',
      amount_crypto: 0.25,
      tx_hash: body.tx_hash,
    };
    const told = { operation: 'confirmPayment', occurredAt: service.clock.now() };
    expect(await paymentEvents(world)).toEqual([
      {
        ...told,
        type: 'payment.confirming',
        data: { ...common, confirmations: 1, required_confirmations: 32 },
      },
      {
        ...told,
        type: 'balance.updated',
        data: expect.objectContaining({
          previous_balance: 10,
          new_balance: 60,
          change: 50,
          reason: 'deposit',
          reference_id: `payment:${payment.id}`,
          transaction_id: body.transfers[0]?.transaction_id,
        }),
      },
      {
        ...told,
        type: 'payment.confirmed',
        data: {
          ...common,
          confirmations: 100,
          received_crypto: body.received_crypto,
          received_crypto_text: body.received_crypto_text,
          credited_usd: 50,
          underpaid: false,
          overpaid: false,
          late: false,
          previous_balance: 10,
          new_balance: 60,
        },
      },
    ]);
  });
}

function confirm(world: World, { id }: Payment) {
  return callAs('confirmPayment', world, { params: { payment_id: id } });
}

/** Makes a payment one of a chain that nobody plays. */
async function notPlayed({ service }: World, { id }: Payment, network: string): Promise<void> {
  await service.database.query('UPDATE payments SET is_sandbox = false, network = $2 WHERE id = $1', [
    id,
    network,
  ]);
}

/** Whether the payment was ever brought up for a review. */
async function reviewed({ service }: World, { id }: Payment): Promise<boolean> {
  const rows: unknown[] = await service.database.query(
    'SELECT 1 FROM payments WHERE id = $1 AND review_reason IS NOT NULL',
    [id],
  );
  return rows.length > 0;
}
