import { Ledger } from '../../../src/ledger/ledger';
import { parseUsd, usdToNano } from '../../../src/ledger/money';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { ledgerEntries } from '../../support/ledger/ledger-entries';
import { recordCall } from '../../support/api/recorded-call';
import type { World } from '../../support/api/world';

describeOperation(
  'getTransactionStats',
  () => ({}),
  (status) => {
    status(200, 'adds up by type and in all, to the nano-dollar', async (world) => {
      await post(world, 'deposit', '123456.789012345');
      await post(world, 'deposit', '0.000000001');
      await post(world, 'bonus', '0.1');
      await post(world, 'bonus', '0.2');
      await post(world, 'adjustment', '-0.000000002');
      await recordCall(world.service, world.owner, { charge: '0.000000001' });
      await recordCall(world.service, world.owner, { charge: '0.7' });
      const { body } = await callAs('getTransactionStats', world, {});
      expect(body).toEqual({
        total_deposited: 123466.789012346,
        total_charged: 0.700000001,
        total_refunded: 0,
        total_adjusted: -0.000000002,
        total_bonus: 0.3,
        net: 123466.389012343,
        count: 8,
        by_type: [
          { type: 'adjustment', count: 1, amount: -0.000000002 },
          { type: 'bonus', count: 2, amount: 0.3 },
          { type: 'charge', count: 2, amount: -0.700000001 },
          { type: 'deposit', count: 3, amount: 123466.789012346 },
        ],
      });
      const entries = await ledgerEntries(world.service, world.owner);
      expect(usdToNano(body.net)).toBe(entries.reduce((sum, { amountNanoUsd }) => sum + amountNanoUsd, 0n));
      expect(body.net).toBe((await callAs('getBalance', world, {})).body.balance);
    });
    status(200, 'sums only what was posted in the period', async (world) => {
      const { clock } = world.service;
      const begin = clock.now().toISOString();
      clock.advance(1000);
      const middle = clock.now().toISOString();
      await post(world, 'deposit', '7');
      const sums = async (query: Record<string, unknown>) => {
        const { body } = await callAs('getTransactionStats', world, { query });
        return [body.total_deposited, body.net, body.count];
      };
      expect(await sums({ start_date: begin, end_date: middle })).toEqual([10, 10, 1]);
      expect(await sums({ start_date: middle })).toEqual([7, 7, 1]);
      expect(await sums({ start_date: begin.slice(0, 10), end_date: begin.slice(0, 10) })).toEqual([
        17, 17, 2,
      ]);
    });
    status(200, 'is all zeros where there is nothing to sum', async (world) => {
      const query = { end_date: '2020-01-01' };
      const { body } = await callAs('getTransactionStats', world, { query });
      expect(body).toEqual({
        total_deposited: 0,
        total_charged: 0,
        total_refunded: 0,
        total_adjusted: 0,
        total_bonus: 0,
        net: 0,
        count: 0,
        by_type: [],
      });
    });
    status(200, 'sums nothing of another account', async (world) => {
      await recordCall(world.service, world.owner, { charge: '5' });
      const { body } = await callAs('getTransactionStats', world, {}, world.stranger);
      expect(body).toMatchObject({ total_charged: 0, net: 10, count: 1 });
    });
  },
);

async function post(world: World, type: 'deposit' | 'adjustment' | 'bonus', usd: string): Promise<void> {
  await world.service.app.get(Ledger).credit({
    accountId: world.owner.id,
    type,
    amountNanoUsd: parseUsd(usd),
    description: 'a correction',
    referenceId: null,
    requestId: null,
    now: world.service.clock.now(),
  });
}
