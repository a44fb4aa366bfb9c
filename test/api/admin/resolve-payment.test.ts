import type { Payment } from '../../../src/modules/billing/payment';
import { TOO_MANY_TRANSFERS } from '../../../src/modules/billing/reducer';
import { formatUsd } from '../../../src/ledger/money';
import type { TransferSighting } from '../../../src/modules/billing/payment-chain';
import { newId } from '../../../src/runtime/ids';
import { actionsOn } from '../../support/api/admin-actions';
import { callAs } from '../../support/api/call-as';
import { describeOperation, type DescribeStatus } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { subscribe } from '../../support/events/subscribe';
import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { ledgerEntries } from '../../support/ledger/ledger-entries';
import { look, paymentInReview, REPLACED, transferOf } from '../../support/payments/chain-looks';
import { openPayment } from '../../support/payments/open-payment';
import { paymentEvents } from '../../support/payments/payment-events';

const HOUR_MS = 3_600_000;

describeOperation(
  'resolvePayment',
  async (world, variant) => {
    // The tests that come by themselves look whether the request has changed the balance, which making the payment does.
    const before = await world.balanceNanoUsd();
    const { id } = await paymentInReview(world);
    await world.setBalanceUsd(world.owner, formatUsd(before));
    const expected_version = await versionOf(world, id);
    return {
      params: { payment_id: id },
      body: { note: 'Double spend.', adjust_usd: -(1 + variant), expected_version },
    };
  },
  (status) => {
    refusals(status);
    changesSinceSeen(status);
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
      { note: 'n', expected_version: '' },
      { note: 'n', expected_version: 'v'.repeat(65) },
      { note: 'n', expected_version: 1 },
    ];
    const expected_version = await versionOf(world, payment.id);
    for (const body of [...bodies.map((body) => ({ expected_version, ...body })), { note: 'n' }, [{}]]) {
      expect((await resolveExactly(world, payment, body)).status).toBe(400);
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

function changesSinceSeen(status: DescribeStatus): void {
  status(409, 'refuses to credit by hand what was credited by itself since it was seen', async (world) => {
    const { payment, late } = await unvaluedPayment(world);
    const seen = await versionOf(world, payment.id);
    const before = await world.balanceNanoUsd();
    await look(world, payment, [late]);
    expect(await world.balanceNanoUsd()).toBe(before + 50_000_000_000n);
    const decision = { note: 'Valued by hand.', adjust_usd: 50, expected_version: seen };
    await expectChanged(world, payment, decision);
    expect(await world.balanceNanoUsd()).toBe(before + 50_000_000_000n);
    expect((await resolve(world, payment, { note: 'Credited by itself.' })).status).toBe(200);
    expect(await ledgerFaults(world.service.database)).toEqual([]);
  });
  status(409, 'keeps a loss that was found after the reason that was seen', async (world) => {
    const payment = await openPayment(world);
    const transfer = transferOf(payment.expectedBase);
    await look(world, payment, [transfer], { review: TOO_MANY_TRANSFERS });
    const seen = await versionOf(world, payment.id);
    await look(world, payment, [{ ...transfer, ...REPLACED }], { review: TOO_MANY_TRANSFERS });
    await expectChanged(world, payment, { note: 'Spam.', expected_version: seen });
    const { review } = (await callAs('getAnyPayment', world, { params: { payment_id: payment.id } })).body;
    expect(review.reason).toBe(`${TOO_MANY_TRANSFERS} A credited transfer is no longer on the chain.`);
    expect((await resolve(world, payment, { note: 'Debited.', adjust_usd: -50 })).status).toBe(200);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
  });
  status(409, 'refuses a decision that was made of the review before', async (world) => {
    const payment = await openPayment(world);
    const transfer = transferOf(payment.expectedBase);
    const lost = { ...transfer, state: 'missing', confirmations: 0, isFinal: false } as const;
    await look(world, payment, [transfer]);
    await look(world, payment, [lost]);
    const seen = await versionOf(world, payment.id);
    await resolve(world, payment, { note: 'A reorganisation.' });
    await look(world, payment, [transfer]);
    await expectChanged(world, payment, { note: 'Debited.', adjust_usd: -50, expected_version: seen });
    expect(await world.balanceNanoUsd()).toBe(60_000_000_000n);
  });
  status(200, 'takes a decision though blocks were counted since it was seen', async (world) => {
    const { payment, late } = await unvaluedPayment(world, { confirmations: 3 });
    const seen = await versionOf(world, payment.id);
    expect(await look(world, payment, [{ ...late, confirmations: 4 }], { presentRateNanoUsd: null })).toBe(
      'changed',
    );
    const decision = { note: 'Valued by hand.', adjust_usd: 48.5, expected_version: seen };
    expect((await resolveExactly(world, payment, decision)).status).toBe(200);
    expect(await world.balanceNanoUsd()).toBe(58_500_000_000n);
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
    expect(await actionsOn(world)).toMatchObject([
      {
        admin_id: world.admin.id,
        operation: 'resolvePayment',
        subject_id: payment.id,
        reason: 'Double spend; debited.',
        before: { review_needed: true, review_reason: 'A credited transfer is no longer on the chain.' },
        after: { review_needed: false, adjust_usd: -50 },
        request_id: answer.headers['x-request-id'],
      },
    ]);
    expect(newest).toEqual({
      id: expect.any(String),
      type: 'adjustment',
      amountNanoUsd: -50_000_000_000n,
      balanceAfterNanoUsd: 10_000_000_000n,
      description: 'Double spend; debited.',
      requestId: answer.headers['x-request-id'],
    });
    const told = (await paymentEvents(world)).at(-1);
    expect(told).toMatchObject({
      operation: 'resolvePayment',
      data: { change: -50, new_balance: 10, reason: 'adjustment', transaction_id: newest?.id },
    });
    expect(await ledgerFaults(world.service.database)).toEqual([]);
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
    expect(await ledgerFaults(world.service.database)).toEqual([]);
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
    const expected_version = await versionOf(world, payment.id);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        resolveExactly(world, payment, {
          note: `decision ${index}`,
          adjust_usd: -(index + 1),
          expected_version,
        }),
      ),
    );
    const taken = answers.flatMap((answer, index) => (answer.status === 200 ? [index] : []));
    expect(answers.filter((answer) => ![200, 409].includes(answer.status))).toEqual([]);
    expect(taken).toHaveLength(1);
    expect(await world.balanceNanoUsd()).toBe(
      60_000_000_000n - BigInt(Number(taken[0]) + 1) * 1_000_000_000n,
    );
    expect(await ledgerFaults(world.service.database)).toEqual([]);
  });
  status(200, 'finds its decision again when the first try died before it answered', async (world) => {
    const payment = await paymentInReview(world);
    const key = newId();
    const expected_version = await versionOf(world, payment.id);
    const body = { note: 'Debited.', adjust_usd: -50, expected_version };
    const first = await resolveExactly(world, payment, body, key);
    expect([first.status, first.body.review.note]).toEqual([200, 'Debited.']);
    expect(first.body.version).not.toBe(expected_version);
    const replayed = await resolveExactly(world, payment, body, key);
    expect([replayed.body, replayed.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
    await forgetClaims(world);
    const retry = await resolveExactly(world, payment, body, key);
    expect([retry.status, retry.body]).toEqual([200, first.body]);
    await forgetClaims(world);
    expect((await resolveExactly(world, payment, { ...body, adjust_usd: -5 }, key)).status).toBe(409);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    expect(await actionsOn(world)).toHaveLength(1);
    expect(await ledgerFaults(world.service.database)).toEqual([]);
  });
  status(200, 'decides nothing of the next review by a late retry for the one before', async (world) => {
    const payment = await openPayment(world);
    const transfer = transferOf(payment.expectedBase);
    const lost = { ...transfer, state: 'missing', confirmations: 0, isFinal: false } as const;
    await look(world, payment, [transfer]);
    await look(world, payment, [lost]);
    const key = newId();
    const expected_version = await versionOf(world, payment.id);
    const body = { note: 'A reorganisation.', adjust_usd: -1, expected_version };
    await resolveExactly(world, payment, body, key);
    await look(world, payment, [transfer]);
    await forgetClaims(world);
    expect((await resolveExactly(world, payment, body, key)).body.review.needed).toBe(true);
    expect(await world.balanceNanoUsd()).toBe(59_000_000_000n);
  });
  status(200, 'passes over no look that comes at the same time', async (world) => {
    const payment = await paymentInReview(world);
    const further = transferOf(10_000n);
    const decision = { note: 'Debited.', adjust_usd: -50 };
    const expected_version = await versionOf(world, payment.id);
    const [answer] = await Promise.all([
      resolveExactly(world, payment, { ...decision, expected_version }),
      look(world, payment, [further]),
    ]);
    // Where the look came first, the decision was made of less than there was.
    if (answer.status === 409) {
      expect((await resolve(world, payment, decision)).status).toBe(200);
    }
    await look(world, payment, [further]);
    expect([200, 409]).toContain(answer.status);
    expect(await world.balanceNanoUsd()).toBe(20_000_000_000n);
  });
}

function unvaluedTransfers(status: DescribeStatus): void {
  status(200, 'settles what no price was there for, so that it is not credited once more', async (world) => {
    const { payment, late } = await unvaluedPayment(world);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    await resolve(world, payment, { note: 'Valued by hand.', adjust_usd: 48.5 });
    await look(world, payment, [late]);
    expect(await world.balanceNanoUsd()).toBe(58_500_000_000n);
    expect(await needsReview(world, payment)).toBe(false);
    expect(await ledgerFaults(world.service.database)).toEqual([]);
  });
}

/** A payment of 50 USD whose coins came late, and for which no price could be had for hours: a person has to look at it. */
async function unvaluedPayment(
  world: World,
  { confirmations = 100 }: { confirmations?: number } = {},
): Promise<{ payment: Payment; late: TransferSighting }> {
  const payment = await openPayment(world);
  const { clock } = world.service;
  clock.advance(HOUR_MS);
  const late = transferOf(payment.expectedBase, { confirmations });
  await look(world, payment, [late], { presentRateNanoUsd: null });
  clock.advance(7 * HOUR_MS);
  await look(world, payment, [late], { presentRateNanoUsd: null });
  expect(await needsReview(world, payment)).toBe(true);
  return { payment, late };
}

/** Leaves things as a process does that died between its work and its answer. */
async function forgetClaims({ service, admin }: World): Promise<void> {
  await service.database.query('DELETE FROM idempotency_claims WHERE account_id = $1', [admin.id]);
}

/** Decides by what the payment is now. */
async function resolve(world: World, payment: Payment, decision: { note: string; adjust_usd?: number }) {
  const expected_version = await versionOf(world, payment.id);
  return resolveExactly(world, payment, { ...decision, expected_version });
}

async function versionOf(world: World, payment_id: string): Promise<string> {
  return (await callAs('getAnyPayment', world, { params: { payment_id } })).body.version;
}

/** The payment still needs its review, and nobody is on record for it. */
async function expectChanged(world: World, payment: Payment, body: object): Promise<void> {
  const before = await actionsOn(world);
  const answer = await resolveExactly(world, payment, body);
  expect([answer.status, answer.body.message]).toEqual([
    409,
    'The payment has changed since it had this expected_version; read it again and decide by what it has become.',
  ]);
  expect(answer.headers['retry-after']).toBeUndefined();
  expect(await needsReview(world, payment)).toBe(true);
  expect(await actionsOn(world)).toEqual(before);
}

function resolveExactly(world: World, { id }: Payment, body: unknown, key = newId()) {
  const headers = { 'idempotency-key': key };
  return callAs('resolvePayment', world, { params: { payment_id: id }, body, headers });
}

async function needsReview(world: World, { id }: Payment): Promise<boolean> {
  const query = { user_id: world.owner.id, needs_review: true };
  const { body } = await callAs('listAllPayments', world, { query });
  return body.payments.some(({ payment }) => payment.id === id);
}
