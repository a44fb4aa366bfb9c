import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

const MINUTE_MS = 60_000;

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
      world.service.clock.advance(MINUTE_MS);
      const after = await read();
      const nano = (usd: number) => Math.round(usd * 1e9);
      expect(after.pending_upgrade_requests - before.pending_upgrade_requests).toBe(1);
      expect(nano(after.today.deposited) - nano(before.today.deposited)).toBe(5e9);
      expect(nano(after.last_30_days.deposited) - nano(before.last_30_days.deposited)).toBe(5e9);
      expect(nano(after.balances) - nano(before.balances)).toBe(5e9);
      expect(after.accounts.total).toBeGreaterThanOrEqual(3);
    });
    status(
      200,
      'adds up once in a minute, whoever looks, and counts what waits at each look',
      async (world) => {
        world.service.clock.advance(MINUTE_MS);
        const read = async () => (await callAs('getOperatorOverview', world, {})).body;
        const before = await read();
        const credit = { user_id: world.owner.id, amount_usd: 5, reason: 'Bank transfer' };
        expect((await callAs('addCredits', world, { body: credit })).status).toBe(201);
        const request = { requested_tier: 'pro', reason: 'Growth', estimated_requests_per_day: 5 };
        expect((await callAs('createUpgradeRequest', world, { body: request })).status).toBe(201);
        world.service.clock.advance(MINUTE_MS - 1);
        const [within] = await Promise.all([read(), read()]);
        expect([within.today, within.last_30_days, within.balances]).toEqual([
          before.today,
          before.last_30_days,
          before.balances,
        ]);
        expect(within.pending_upgrade_requests).toBe(before.pending_upgrade_requests + 1);
        world.service.clock.advance(1);
        expect((await read()).today.deposited).toBeCloseTo(before.today.deposited + 5, 9);
        expect((await callAs('addCredits', world, { body: credit })).status).toBe(201);
        // Also where the clock is set back meanwhile.
        world.service.clock.advance(-MINUTE_MS);
        expect((await read()).today.deposited).toBeCloseTo(before.today.deposited + 10, 9);
        world.service.clock.advance(MINUTE_MS);
      },
    );
    status(200, 'is led by an index to its days, past the history of all accounts', async (world) => {
      const plans = await world.service.database.transaction(async (manager) => {
        // Of tables that are nearly empty Postgres would read everything.
        await manager.query('SET LOCAL enable_seqscan = off');
        const days = await manager.query<object[]>(
          "EXPLAIN SELECT FROM usage_days WHERE day >= '2026-01-15'",
        );
        const hours = await manager.query<object[]>(
          "EXPLAIN SELECT FROM ledger_hours WHERE hour >= '2026-01-15'",
        );
        return [JSON.stringify(days), JSON.stringify(hours)];
      });
      expect(plans).toEqual([
        expect.stringContaining('usage_days_day'),
        expect.stringContaining('ledger_hours_hour'),
      ]);
    });
  },
);
