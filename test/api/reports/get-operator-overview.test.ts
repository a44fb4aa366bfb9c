import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'getOperatorOverview',
  () => ({}),
  (status) => {
    status(200, 'counts what waits, and what came in', async (world) => {
      const read = async () => (await callAs('getOperatorOverview', world, {})).body;
      const before = await read();
      const credit = { user_id: world.owner.id, amount_usd: 5, reason: 'Bank transfer' };
      await callAs('addCredits', world, { body: credit });
      const request = { requested_tier: 'pro', reason: 'Growth', estimated_requests_per_day: 5 };
      await callAs('createUpgradeRequest', world, { body: request });
      const after = await read();
      const nano = (usd: number) => Math.round(usd * 1e9);
      expect(after.pending_upgrade_requests - before.pending_upgrade_requests).toBe(1);
      expect(nano(after.today.deposited) - nano(before.today.deposited)).toBe(5e9);
      expect(nano(after.last_30_days.deposited) - nano(before.last_30_days.deposited)).toBe(5e9);
      expect(nano(after.balances) - nano(before.balances)).toBe(5e9);
      expect(after.accounts.total).toBeGreaterThanOrEqual(3);
    });
  },
);
