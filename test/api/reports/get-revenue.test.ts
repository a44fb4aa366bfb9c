import { UsageUpkeep } from '../../../src/ledger/ledger.module';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

const HOUR_MS = 3_600_000;

describeOperation(
  'getRevenue',
  () => ({}),
  (status) => {
    status(422, 'refuses more than a year, and a period that would end before it starts', async (world) => {
      const queries = [
        { start_date: '2025-01-01', end_date: '2026-06-01' },
        { start_date: '2026-11-21', end_date: '2026-11-19' },
      ];
      for (const query of queries) {
        expect((await callAs('getRevenue', world, { query })).status).toBe(422);
      }
    });
    status(200, 'is the sum of all ledgers, the same before and after sums are made', async (world) => {
      const { service } = world;
      const call = { credential: world.owner.key, ip: world.ip, body: { key: 'k', value: 'v' } };
      expect((await service.call('createMemory', call)).status).toBe(201);
      const body = {
        model: 'embedded-extractive-1',
        messages: [{ role: 'user', content: 'The sky is blue. Why is the sky blue?' }],
      };
      expect((await service.call('createChatCompletion', { ...call, body })).status).toBe(200);
      const { body: before } = await callAs('getRevenue', world, {});
      const [ledger]: { deposits: string; charges: string }[] = await service.database.query(
        `SELECT sum(amount_nano) FILTER (WHERE type = 'deposit') AS deposits,
           -sum(amount_nano) FILTER (WHERE type = 'charge') AS charges FROM ledger_entries`,
      );
      const nano = (usd: number) => String(Math.round(usd * 1e9));
      expect(nano(before.totals.deposited)).toBe(ledger?.deposits);
      expect(nano(before.totals.charged)).toBe(ledger?.charges);
      const sum = (list: { cost: number }[]) => nano(list.reduce((all, { cost }) => all + cost, 0));
      expect([sum(before.by_tier), sum(before.by_operation), sum(before.by_model)]).toEqual(
        Array(3).fill(ledger?.charges),
      );
      expect(before.by_model.map(({ model }) => model)).toEqual(['embedded-extractive-1', null]);
      // The next day begins, and the token still works.
      service.clock.advance(13 * HOUR_MS);
      await service.app.get(UsageUpkeep, { strict: false }).run();
      const { body: after } = await callAs('getRevenue', world, {});
      expect({ ...after, start_date: '', end_date: '' }).toEqual({ ...before, start_date: '', end_date: '' });
    });
  },
);
