import { AdminActions } from '../../../src/accounts/admin-actions';
import { Idempotency } from '../../../src/ledger/idempotency';
import { AdminCredits } from '../../../src/ledger/transactions';
import { Ledger } from '../../../src/ledger/ledger';
import { newId } from '../../../src/runtime/ids';
import { actionsOn } from '../../support/api/admin-actions';
import { callAs } from '../../support/api/call-as';
import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { describeOperation, type DescribeStatus } from '../../support/api/describe-operation';
import { ledgerEntries } from '../../support/ledger/ledger-entries';
import type { World } from '../../support/api/world';

/** Twice the time that the operation may take: so long a dead process keeps its claim. */
const LEASE_MS = 20_000;

const creditOf = (world: World, fields: object = {}) => ({
  user_id: world.owner.id,
  amount_usd: 5,
  reason: 'Bank transfer',
  ...fields,
});

describeOperation(
  'addCredits',
  (world, variant) => ({ body: creditOf(world, { amount_usd: 1 + variant }) }),
  (status) => {
    refusals(status);
    credits(status);
    retriesAfterACrash(status);
  },
);

function refusals(status: DescribeStatus): void {
  status(400, 'refuses what is no credit, and adds nothing', async (world) => {
    const bodies = [
      {},
      { user_id: world.owner.id, amount_usd: 5 },
      { user_id: world.owner.id, reason: 'r' },
      { amount_usd: 5, reason: 'r' },
      creditOf(world, { user_id: 'owner' }),
      creditOf(world, { amount_usd: 0 }),
      creditOf(world, { amount_usd: -5 }),
      creditOf(world, { amount_usd: 0.0000000001 }),
      creditOf(world, { amount_usd: 1_000_000.01 }),
      creditOf(world, { amount_usd: '5' }),
      creditOf(world, { amount_usd: null }),
      creditOf(world, { amount_usd: true }),
      creditOf(world, { reason: '' }),
      creditOf(world, { reason: 'r'.repeat(501) }),
      creditOf(world, { reason: 'a NUL \0' }),
      creditOf(world, { type: 'bonus' }),
      [creditOf(world)],
    ];
    const before = await ledgerEntries(world.service, world.owner);
    const answers = await Promise.all(bodies.map((body) => callAs('addCredits', world, { body })));
    expect(answers.map((answer) => answer.status)).toEqual(bodies.map(() => 400));
    expect(await ledgerEntries(world.service, world.owner)).toEqual(before);
  });
  status(400, 'refuses an Idempotency-Key of more than 255 characters', async (world) => {
    const headers = { 'idempotency-key': 'k'.repeat(256) };
    expect((await callAs('addCredits', world, { body: creditOf(world), headers })).status).toBe(400);
  });
  status(404, 'refuses an account that does not exist, and forgets the Idempotency-Key', async (world) => {
    const headers = { 'idempotency-key': newId() };
    const unknown = { body: creditOf(world, { user_id: newId() }), headers };
    for (const attempt of [
      await callAs('addCredits', world, unknown),
      await callAs('addCredits', world, unknown),
    ]) {
      expect([attempt.status, attempt.body.error]).toEqual([404, 'Not Found']);
    }
    expect((await callAs('addCredits', world, { body: creditOf(world), headers })).status).toBe(201);
  });
  status(422, 'refuses an amount that is finer than the ledger counts, and adds nothing', async (world) => {
    for (const amount of [1.0000000001, 0.0000000015]) {
      const answer = await callAs('addCredits', world, { body: creditOf(world, { amount_usd: amount }) });
      expect([answer.status, answer.body.error]).toEqual([422, 'Unprocessable']);
    }
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
  });
}

function credits(status: DescribeStatus): void {
  status(201, 'adds a deposit to the account that is named, and to no other', async (world) => {
    const headers = { 'x-request-id': 'bank-transfer-1' };
    const answer = await callAs('addCredits', world, { body: creditOf(world), headers });
    expect(answer.body).toEqual({
      id: expect.any(String),
      type: 'deposit',
      amount: 5,
      balance_after: 15,
      description: 'Bank transfer',
      reference_id: null,
      request_id: answer.headers['x-request-id'],
      key_id: null,
      status: 'posted',
      created_at: world.service.clock.now().toISOString(),
    });
    expect(await world.balanceNanoUsd()).toBe(15_000_000_000n);
    expect(await world.balanceNanoUsd(world.stranger)).toBe(10_000_000_000n);
    expect(await world.balanceNanoUsd(world.admin)).toBe(0n);
    expect(await actionsOn(world)).toMatchObject([
      {
        admin_id: world.admin.id,
        operation: 'addCredits',
        subject_id: answer.body.id,
        reason: 'Bank transfer',
        before: { balance: 10 },
        after: { balance: 15, amount_usd: 5 },
      },
    ]);
    const read = await callAs('getTransaction', world, { params: { id: answer.body.id } });
    expect(read.body).toEqual(answer.body);
  });
  status(201, 'keeps the smallest, the longest and the largest amount to the nano-dollar', async (world) => {
    const amounts = [
      { usd: 0.000000001, nanoUsd: 1n },
      { usd: 123456.789012345, nanoUsd: 123_456_789_012_345n },
      { usd: 1_000_000, nanoUsd: 1_000_000_000_000_000n },
    ];
    let balance = await world.balanceNanoUsd();
    for (const { usd, nanoUsd } of amounts) {
      const answer = await callAs('addCredits', world, { body: creditOf(world, { amount_usd: usd }) });
      balance += nanoUsd;
      expect(answer.body.amount).toBe(usd);
      const newest = (await ledgerEntries(world.service, world.owner)).at(-1);
      expect(newest).toMatchObject({ amountNanoUsd: nanoUsd, balanceAfterNanoUsd: balance });
    }
  });
  status(201, 'makes a refused call possible at once', async (world) => {
    await world.setBalanceUsd(world.owner, '0');
    const call = { body: { key: 'k', value: 'v' } };
    expect((await callAs('createMemory', world, call)).status).toBe(402);
    await callAs('addCredits', world, { body: creditOf(world, { amount_usd: 0.0001 }) });
    expect((await callAs('createMemory', world, call)).status).toBe(201);
    expect(await world.balanceNanoUsd()).toBe(0n);
  });
  status(201, 'adds twice what is asked for twice without an Idempotency-Key', async (world) => {
    const request = { body: creditOf(world) };
    const first = await callAs('addCredits', world, request);
    const second = await callAs('addCredits', world, request);
    expect(second.body.id).not.toBe(first.body.id);
    expect(await world.balanceNanoUsd()).toBe(20_000_000_000n);
  });
  status(201, 'loses none of twenty credits that arrive at once', async (world) => {
    const requests = Array.from({ length: 20 }, () => callAs('addCredits', world, { body: creditOf(world) }));
    const balances = (await Promise.all(requests)).map((answer) => answer.body.balance_after);
    expect(balances.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => 15 + 5 * index));
    expect(await ledgerFaults(world.service.database)).toEqual([]);
  });
}

function retriesAfterACrash(status: DescribeStatus): void {
  status(201, 'gives a retry the same transaction when the stored answer was lost', async (world) => {
    const request = { body: creditOf(world), headers: { 'idempotency-key': newId() } };
    const first = await callAs('addCredits', world, request);
    await world.service.database.query('DELETE FROM idempotency_claims WHERE account_id = $1', [
      world.admin.id,
    ]);
    const retry = await callAs('addCredits', world, request);
    expect([retry.status, retry.body]).toEqual([201, first.body]);
    expect(retry.headers['idempotent-replayed']).toBeUndefined();
    expect(await world.balanceNanoUsd()).toBe(15_000_000_000n);
  });
  status(
    201,
    'adds once when the process died after the credit and before its answer was stored',
    async (world) => {
      const request = { body: creditOf(world), headers: { 'idempotency-key': newId() } };
      const first = await callAs('addCredits', world, request);
      await loseAnswer(world);
      expect((await callAs('addCredits', world, request)).status).toBe(409);
      world.service.clock.advance(LEASE_MS);
      const retries = await Promise.all(
        Array.from({ length: 10 }, () => callAs('addCredits', world, request)),
      );
      expect(retries.filter((retry) => ![201, 409].includes(retry.status))).toEqual([]);
      const last = await callAs('addCredits', world, request);
      expect([last.headers['idempotent-replayed'], last.body]).toEqual(['true', first.body]);
      expect(await world.balanceNanoUsd()).toBe(15_000_000_000n);
    },
  );
  status(422, 'refuses another request under the key of a call that died, however late', async (world) => {
    const headers = { 'idempotency-key': newId() };
    await callAs('addCredits', world, { body: creditOf(world), headers });
    await loseAnswer(world);
    world.service.clock.advance(LEASE_MS);
    const answer = await callAs('addCredits', world, { body: creditOf(world, { amount_usd: 6 }), headers });
    expect(answer.status).toBe(422);
    expect(await world.balanceNanoUsd()).toBe(15_000_000_000n);
  });
  status(201, 'adds once when the process died before the credit', async (world) => {
    const { app, clock } = world.service;
    const died = new Error('the process died');
    jest.spyOn(app.get(Ledger), 'creditWithin').mockRejectedValueOnce(died);
    jest.spyOn(app.get(Idempotency), 'abandon').mockRejectedValueOnce(died);
    const request = { body: creditOf(world), headers: { 'idempotency-key': newId() } };
    const statuses = [(await callAs('addCredits', world, request)).status];
    statuses.push((await callAs('addCredits', world, request)).status);
    clock.advance(LEASE_MS);
    statuses.push((await callAs('addCredits', world, request)).status);
    expect(statuses).toEqual([500, 409, 201]);
    expect(await world.balanceNanoUsd()).toBe(15_000_000_000n);
  });
  status(201, 'adds once when the first try failed after its credit', async (world) => {
    const credits = world.service.app.get(AdminCredits);
    const give = credits.give.bind(credits);
    jest.spyOn(credits, 'give').mockImplementationOnce(async (...order) => {
      await give(...order);
      throw new Error('the connection was lost');
    });
    const request = { body: creditOf(world), headers: { 'idempotency-key': newId() } };
    const failed = await callAs('addCredits', world, request);
    const toAnother = { ...request, body: creditOf(world, { user_id: world.stranger.id }) };
    const other = await callAs('addCredits', world, toAnother);
    const retry = await callAs('addCredits', world, request);
    expect([failed.status, other.status, retry.status]).toEqual([500, 422, 201]);
    expect(await world.balanceNanoUsd(world.stranger)).toBe(10_000_000_000n);
    expect(retry.body).toMatchObject({ amount: 5, balance_after: 15, request_id: failed.body.request_id });
    expect(await world.balanceNanoUsd()).toBe(15_000_000_000n);
    expect(await actionsOn(world)).toHaveLength(1);
  });
  status(201, 'adds nothing that is not on record', async (world) => {
    const actions = world.service.app.get(AdminActions);
    jest.spyOn(actions, 'record').mockRejectedValueOnce(new Error('the connection was lost'));
    const request = { body: creditOf(world), headers: { 'idempotency-key': newId() } };
    expect((await callAs('addCredits', world, request)).status).toBe(500);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    expect((await callAs('addCredits', world, request)).status).toBe(201);
    expect(await world.balanceNanoUsd()).toBe(15_000_000_000n);
    expect(await actionsOn(world)).toHaveLength(1);
  });
}

/** What a process leaves that died after its credit: the claim, without an answer. */
async function loseAnswer({ service, admin }: World): Promise<void> {
  await service.database.query(
    'UPDATE idempotency_claims SET status = NULL, answer = NULL WHERE account_id = $1',
    [admin.id],
  );
}
