import { Ledger } from '../../../src/ledger/ledger';
import { parseUsd, usdToNano } from '../../../src/ledger/money';
import { callAs } from '../../support/api/call-as';
import { describeOperation, type DescribeStatus } from '../../support/api/describe-operation';
import { ledgerEntries } from '../../support/ledger/ledger-entries';
import { recordCall } from '../../support/api/recorded-call';
import type { World } from '../../support/api/world';

describeOperation(
  'listTransactions',
  () => ({}),
  (status) => {
    refusals(status);
    records(status);
    pages(status);
  },
);

function refusals(status: DescribeStatus): void {
  status(400, 'refuses parameters outside of what is documented, naming them', async (world) => {
    const queries = [
      { limit: 0 },
      { limit: 101 },
      { limit: 1.5 },
      { limit: 'all' },
      { limit: '' },
      { offset: -1 },
      { offset: 100_001 },
      { sort: 'balance_after' },
      { sort: 'amount; DROP TABLE accounts' },
      { order: 'up' },
      { start_date: 'yesterday' },
      { end_date: '2026-02-30' },
      { status: 'pending' },
      { type: 'gift' },
      { user_id: world.stranger.id },
    ];
    for (const query of queries) {
      const answer = await callAs('listTransactions', world, { query });
      expect([answer.status, answer.body.details.map(({ field }) => field)]).toEqual([
        400,
        Object.keys(query),
      ]);
    }
  });
}

function records(status: DescribeStatus): void {
  status(200, 'agrees with the ledger to the nano-dollar, newest first', async (world) => {
    await credit(world, '0.000000001');
    await credit(world, '123456.789012345');
    await recordCall(world.service, world.owner, { charge: '0.000000001' });
    await recordCall(world.service, world.owner, { charge: '0.3' });
    await recordCall(world.service, world.owner, { charge: '123456.489012344' });
    const { body } = await callAs('listTransactions', world, {});
    const shown = body.transactions.map((transaction) => ({
      id: transaction.id,
      type: transaction.type,
      amountNanoUsd: usdToNano(transaction.amount),
      balanceAfterNanoUsd: usdToNano(transaction.balance_after),
      description: transaction.description,
      requestId: transaction.request_id,
    }));
    expect(shown).toEqual((await ledgerEntries(world.service, world.owner)).reverse());
    expect(body.transactions.map(({ amount }) => amount)).toEqual([
      -123456.489012344, -0.3, -0.000000001, 123456.789012345, 0.000000001, 10,
    ]);
    const balance = await callAs('getBalance', world, {});
    expect(body.transactions.at(0)?.balance_after).toBe(balance.body.balance);
  });
  status(200, 'links a charge to its key and to the receipt of its call', async (world) => {
    const call = await callAs('createMemory', world, { body: { key: 'k', value: 'v' } });
    const { body } = await callAs('listTransactions', world, { query: { limit: 1 } });
    expect(body.transactions).toMatchObject([
      {
        type: 'charge',
        amount: -0.0001,
        balance_after: 9.9999,
        description: 'createMemory',
        key_id: world.owner.keyId,
        request_id: call.headers['x-request-id'],
        status: 'posted',
      },
    ]);
    const receipt = await callAs('getRequestReceipt', world, {
      params: { request_id: body.transactions[0]?.request_id ?? '' },
    });
    expect(receipt.body.transaction_id).toBe(body.transactions[0]?.id);
  });
  status(200, 'lists nothing of another account, nor what cost nothing', async (world) => {
    await recordCall(world.service, world.owner, { charge: '1' });
    await recordCall(world.service, world.stranger, { charge: '1', status: 500 });
    const { body } = await callAs('listTransactions', world, {}, world.stranger);
    expect(body).toMatchObject({ total: 1, transactions: [{ type: 'deposit', amount: 10 }] });
  });
}

function pages(status: DescribeStatus): void {
  status(
    200,
    'has each transaction on one page, whatever the order, though times and amounts are equal',
    async (world) => {
      for (const usd of ['1', '2', '1', '1', '2', '1']) {
        await credit(world, usd);
      }
      const entries = await ledgerEntries(world.service, world.owner);
      const ascending = {
        created_at: entries.map(({ id }) => id),
        // Equal amounts stay in the order in which they were posted: Array.sort is stable.
        amount: [...entries].sort((a, b) => Number(a.amountNanoUsd - b.amountNanoUsd)).map(({ id }) => id),
      };
      for (const sort of ['created_at', 'amount'] as const) {
        for (const order of ['asc', 'desc']) {
          const ids: string[] = [];
          for (const offset of [0, 3, 6]) {
            const query = { sort, order, limit: 3, offset };
            const { body } = await callAs('listTransactions', world, { query });
            expect(body).toMatchObject({ total: 7, limit: 3, offset });
            ids.push(...body.transactions.map(({ id }) => id));
          }
          expect(ids).toEqual(order === 'asc' ? ascending[sort] : ascending[sort].toReversed());
        }
      }
    },
  );
  status(200, 'keeps the oldest pages as they are while transactions arrive', async (world) => {
    await credit(world, '1');
    await credit(world, '2');
    const query = { order: 'asc', limit: 2 };
    const before = await callAs('listTransactions', world, { query });
    await credit(world, '3');
    const after = await callAs('listTransactions', world, { query });
    expect(after.body).toEqual({ ...before.body, total: 4 });
    const next = await callAs('listTransactions', world, { query: { ...query, offset: 2 } });
    expect(next.body.transactions.map(({ amount }) => amount)).toEqual([2, 3]);
  });
  status(200, 'sorts by amount with what was spent below what was added', async (world) => {
    await credit(world, '0.5');
    await recordCall(world.service, world.owner, { charge: '2' });
    await recordCall(world.service, world.owner, { charge: '3' });
    const query = { sort: 'amount', order: 'asc' };
    const { body } = await callAs('listTransactions', world, { query });
    expect(body.transactions.map(({ amount }) => amount)).toEqual([-3, -2, 0.5, 10]);
  });
  status(200, 'is empty beyond the last transaction, and still tells how many there are', async (world) => {
    const { body } = await callAs('listTransactions', world, { query: { offset: 100_000 } });
    expect(body).toEqual({ transactions: [], total: 1, limit: 20, offset: 100_000 });
  });
  status(
    200,
    'takes a period from its start up to but without its end, and a date as a whole day',
    async (world) => {
      const { clock } = world.service;
      const first = clock.now();
      await credit(world, '1');
      clock.advance(1000);
      await credit(world, '2');
      const second = clock.now();
      const amounts = async (query: object) =>
        (
          await callAs('listTransactions', world, { query: { ...query, order: 'asc' } })
        ).body.transactions.map(({ amount }) => amount);
      const day = first.toISOString().slice(0, 10);
      expect(await amounts({ start_date: first.toISOString(), end_date: second.toISOString() })).toEqual([
        10, 1,
      ]);
      expect(await amounts({ start_date: second.toISOString() })).toEqual([2]);
      expect(await amounts({ end_date: first.toISOString() })).toEqual([]);
      expect(await amounts({ start_date: day, end_date: day })).toEqual([10, 1, 2]);
      expect(await amounts({ end_date: '2025-12-31' })).toEqual([]);
    },
  );
  status(200, 'filters by type and by status, and counts what it filtered', async (world) => {
    await credit(world, '1', 'bonus');
    await recordCall(world.service, world.owner, { charge: '3' });
    for (const [type, amounts] of [
      ['deposit', [10]],
      ['bonus', [1]],
      ['charge', [-3]],
      ['refund', []],
      ['adjustment', []],
    ] as const) {
      const { body } = await callAs('listTransactions', world, { query: { type } });
      expect([body.transactions.map(({ amount }) => amount), body.total]).toEqual([amounts, amounts.length]);
    }
    const posted = await callAs('listTransactions', world, { query: { status: 'posted' } });
    expect(posted.body.total).toBe(3);
  });
}

async function credit(
  { service, owner }: World,
  usd: string,
  type: 'deposit' | 'bonus' = 'deposit',
): Promise<void> {
  await service.app.get(Ledger).credit({
    accountId: owner.id,
    type,
    amountNanoUsd: parseUsd(usd),
    description: 'a credit',
    referenceId: null,
    requestId: null,
    now: service.clock.now(),
  });
}
