import type { Payment } from '../../../src/core/money/payments/payment';
import { formatUsd } from '../../../src/core/money/pricing/usd';
import { newId } from '../../../src/infrastructure/ids/ids';
import { callAs } from '../../support/api/call-as';
import { describeOperation, type DescribeStatus } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { subscribe } from '../../support/events/subscribe';
import { faultsInBooks } from '../../support/ledger/books';
import { ledgerEntries } from '../../support/ledger/ledger-entries';
import { look, paymentInReview, transferOf } from '../../support/payments/chain-looks';
import { openPayment } from '../../support/payments/open-payment';
import { toldToOwner } from '../../support/payments/told-payments';

const HOUR_MS = 3_600_000;

describeOperation(
  'resolvePayment',
  async (world, variant) => {
    // The tests that come by themselves look whether the request has changed the balance, which making the payment does.
    const before = await world.balanceNanoUsd();
    const { id } = await paymentInReview(world);
    await world.setBalanceUsd(world.owner, formatUsd(before));
    return { params: { payment_id: id }, body: { note: 'Double spend.', adjust_usd: -(1 + variant) } };
  },
  (status) => {
    refusals(status);
    decisions(status);
    races(status);
    unvaluedTransfers(status);
  },
);

function refusals(status: DescribeStatus): void {
  status(400, 'refuses what is no decision, and changes nothing', async (world) => {
    const payment = await paymentInReview(world);
    const bodies = [
      {},
      { note: '' },
      { note: 'n'.repeat(501) },
      { note: 'a NUL \0' },
      { adjust_usd: -50 },
      { note: 'n', adjust_usd: '5' },
      { note: 'n', adjust_usd: 1_000_000.01 },
      { note: 'n', adjust_usd: -1_000_000.01 },
      { note: 'n', status: 'failed' },
      [{ note: 'n' }],
    ];
    for (const body of bodies) {
      expect((await resolve(world, payment, body)).status).toBe(400);
    }
    expect(await world.balanceNanoUsd()).toBe(60_000_000_000n);
    expect(await needsReview(world, payment)).toBe(true);
  });
  status(409, 'refuses a payment that needs no review', async (world) => {
    const payment = await openPayment(world);
    const answer = await resolve(world, payment, { note: 'n', adjust_usd: 5 });
    expect([answer.status, answer.body.message]).toEqual([409, 'The payment needs no review.']);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
  });
  status(409, 'refuses a second decision, and adjusts nothing by it', async (world) => {
    const payment = await paymentInReview(world);
    expect((await resolve(world, payment, { note: 'Debited.', adjust_usd: -50 })).status).toBe(200);
    expect((await resolve(world, payment, { note: 'Again.', adjust_usd: -10 })).status).toBe(409);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
  });
  status(422, 'refuses a debit beyond what is available, and keeps the review', async (world) => {
    const payment = await paymentInReview(world);
    await world.setBalanceUsd(world.owner, '49.999999999');
    const before = await ledgerEntries(world.service, world.owner);
    const answer = await resolve(world, payment, { note: 'n', adjust_usd: -50 });
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'The account has 49.999999999 USD available; no more can be taken.',
    ]);
    expect(await ledgerEntries(world.service, world.owner)).toEqual(before);
    expect(await needsReview(world, payment)).toBe(true);
    expect((await resolve(world, payment, { note: 'n', adjust_usd: -49.999999999 })).status).toBe(200);
    expect(await world.balanceNanoUsd()).toBe(0n);
  });
  status(422, 'does not take what a call in flight holds', async (world) => {
    const payment = await paymentInReview(world);
    await world.service.database.query('UPDATE balances SET reserved_nano = 1 WHERE account_id = $1', [
      world.owner.id,
    ]);
    expect((await resolve(world, payment, { note: 'n', adjust_usd: -60 })).status).toBe(422);
    expect((await resolve(world, payment, { note: 'n', adjust_usd: -59.999999999 })).status).toBe(200);
    await world.service.database.query('UPDATE balances SET reserved_nano = 0 WHERE account_id = $1', [
      world.owner.id,
    ]);
  });
  status(422, 'refuses an adjustment that is finer than the ledger counts', async (world) => {
    const payment = await paymentInReview(world);
    for (const adjust_usd of [-0.0000000001, 1.0000000001]) {
      const answer = await resolve(world, payment, { note: 'n', adjust_usd });
      expect([answer.status, answer.body.message]).toEqual([
        422,
        'adjust_usd is finer than 0.000000001 USD.',
      ]);
    }
    expect(await needsReview(world, payment)).toBe(true);
  });
}

function decisions(status: DescribeStatus): void {
  status(200, 'debits with the note, and notes who decided and when', async (world) => {
    await subscribe(world.service.database, world.owner.id, { events: ['balance.updated'] });
    const payment = await paymentInReview(world);
    const since = world.service.clock.now().toISOString();
    world.service.clock.advance(HOUR_MS);
    const answer = await resolve(world, payment, { note: 'Double spend; debited.', adjust_usd: -50 });
    expect(answer.body.review).toEqual({
      needed: false,
      reason: 'A credited transfer is no longer on the chain.',
      since,
      resolved_at: world.service.clock.now().toISOString(),
      resolved_by: world.admin.id,
      note: 'Double spend; debited.',
    });
    expect(answer.body.payment).toMatchObject({ id: payment.id, status: 'confirmed', credited_usd: 50 });
    const newest = (await ledgerEntries(world.service, world.owner)).at(-1);
    expect(newest).toEqual({
      id: expect.any(String),
      type: 'adjustment',
      amountNanoUsd: -50_000_000_000n,
      balanceAfterNanoUsd: 10_000_000_000n,
      description: 'Double spend; debited.',
      requestId: answer.headers['x-request-id'],
    });
    const told = (await toldToOwner(world)).at(-1);
    expect(told).toMatchObject({
      operation: 'resolvePayment',
      data: { change: -50, new_balance: 10, reason: 'adjustment', transaction_id: newest?.id },
    });
    expect(await faultsInBooks(world.service.database)).toEqual([]);
  });
  status(200, 'credits, and adjusts nothing where it is not asked to', async (world) => {
    const credited = await paymentInReview(world);
    await resolve(world, credited, { note: 'Bad luck of ours.', adjust_usd: 0.000000001 });
    expect(await world.balanceNanoUsd()).toBe(60_000_000_001n);
    const left = await paymentInReview(world);
    const before = await ledgerEntries(world.service, world.owner);
    expect((await resolve(world, left, { note: 'Written off.' })).body.review.needed).toBe(false);
    const zero = await paymentInReview(world);
    const again = await ledgerEntries(world.service, world.owner);
    expect((await resolve(world, zero, { note: 'Written off.', adjust_usd: 0 })).status).toBe(200);
    expect(await ledgerEntries(world.service, world.owner)).toEqual(again);
    expect(again).toHaveLength(before.length + 1);
    expect(await faultsInBooks(world.service.database)).toEqual([]);
  });
  status(200, 'ends one review: what comes back, or vanishes once more, needs the next', async (world) => {
    const payment = await openPayment(world);
    const transfer = transferOf(payment.expectedBase);
    const lost = { ...transfer, state: 'missing', confirmations: 0, isFinal: false } as const;
    await look(world, payment, [transfer]);
    await look(world, payment, [lost]);
    await resolve(world, payment, { note: 'A reorganisation; it will come back.' });
    expect(await look(world, payment, [lost])).toBe('unchanged');
    await look(world, payment, [transfer]);
    expect(await needsReview(world, payment)).toBe(true);
    await resolve(world, payment, { note: 'It came back.' });
    await look(world, payment, [lost]);
    expect(await needsReview(world, payment)).toBe(true);
    await resolve(world, payment, { note: 'Debited.', adjust_usd: -50 });
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    const [, , ...adjustments] = await ledgerEntries(world.service, world.owner);
    expect(adjustments).toHaveLength(1);
  });
}

function races(status: DescribeStatus): void {
  status(200, 'takes one of ten decisions that race', async (world) => {
    const payment = await paymentInReview(world);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        resolve(world, payment, { note: `decision ${index}`, adjust_usd: -(index + 1) }),
      ),
    );
    const taken = answers.flatMap((answer, index) => (answer.status === 200 ? [index] : []));
    expect(answers.filter((answer) => ![200, 409].includes(answer.status))).toEqual([]);
    expect(taken).toHaveLength(1);
    expect(await world.balanceNanoUsd()).toBe(
      60_000_000_000n - BigInt(Number(taken[0]) + 1) * 1_000_000_000n,
    );
    expect(await faultsInBooks(world.service.database)).toEqual([]);
  });
  status(200, 'passes over no look that comes at the same time', async (world) => {
    const payment = await paymentInReview(world);
    const further = transferOf(10_000n);
    const [answer] = await Promise.all([
      resolve(world, payment, { note: 'Debited.', adjust_usd: -50 }),
      look(world, payment, [further]),
    ]);
    await look(world, payment, [further]);
    expect(answer.status).toBe(200);
    expect(await world.balanceNanoUsd()).toBe(20_000_000_000n);
  });
}

function unvaluedTransfers(status: DescribeStatus): void {
  status(200, 'settles what no price was there for, so that it is not credited once more', async (world) => {
    const payment = await openPayment(world);
    const { clock } = world.service;
    clock.advance(HOUR_MS);
    const late = transferOf(payment.expectedBase);
    await look(world, payment, [late], { presentRateNanoUsd: null });
    clock.advance(7 * HOUR_MS);
    await look(world, payment, [late], { presentRateNanoUsd: null });
    expect(await needsReview(world, payment)).toBe(true);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    await resolve(world, payment, { note: 'Valued by hand.', adjust_usd: 48.5 });
    await look(world, payment, [late]);
    expect(await world.balanceNanoUsd()).toBe(58_500_000_000n);
    expect(await needsReview(world, payment)).toBe(false);
    expect(await faultsInBooks(world.service.database)).toEqual([]);
  });
}

function resolve(world: World, { id }: Payment, body: unknown) {
  const headers = { 'idempotency-key': newId() };
  return callAs('resolvePayment', world, { params: { payment_id: id }, body, headers });
}

async function needsReview(world: World, { id }: Payment): Promise<boolean> {
  const query = { user_id: world.owner.id, needs_review: true };
  const { body } = await callAs('listAllPayments', world, { query });
  return body.payments.some(({ payment }) => payment.id === id);
}
