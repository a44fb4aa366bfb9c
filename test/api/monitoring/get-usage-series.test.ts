import { UsageUpkeep } from '../../../src/ledger/ledger.module';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';

const HOUR_MS = 3_600_000;

describeOperation(
  'getUsageSeries',
  () => ({}),
  (status) => {
    status(
      422,
      'refuses hours of more than a month and a period that ends before it starts',
      async (world) => {
        const queries = [
          { interval: 'hour', start_date: '2026-01-01', end_date: '2026-03-01' },
          { start_date: '2026-11-21', end_date: '2026-11-19' },
        ];
        for (const query of queries) {
          expect((await callAs('getUsageSeries', world, { query })).status).toBe(422);
        }
      },
    );
    status(200, "counts by the zone's days, the same before and after sums are made", async (world) => {
      const { clock } = world.service;
      // 23:00 UTC is the next day in Berlin.
      clock.advance(22 * HOUR_MS - (clock.now().getTime() % (24 * HOUR_MS)));
      await remember(world);
      clock.advance(HOUR_MS);
      await remember(world);
      await remember(world);
      const series = async (query: Record<string, unknown>) =>
        (await callAs('getUsageSeries', world, { query })).body;
      const read = async () => ({
        utc: await series({}),
        berlin: await series({ timezone: 'Europe/Berlin', by_operation: true, by_key: true, by_model: true }),
        hours: await series({ interval: 'hour' }),
      });
      const before = await read();
      expect(before.utc.points.map(({ requests }) => requests)).toEqual([3]);
      expect(before.berlin.points.map(({ requests }) => requests)).toEqual([1, 2]);
      expect(before.berlin.points[0]).toMatchObject({
        operation: 'createMemory',
        key_id: world.owner.keyId,
        model: null,
      });
      expect(before.hours.points.map(({ requests }) => requests)).toEqual([1, 2]);
      expect(before.utc.totals).toEqual({ requests: 3, tokens: 0, cost: 0.0003 });
      await world.service.app.get(UsageUpkeep, { strict: false }).run();
      expect(await read()).toEqual(before);
      const other = { key_id: world.stranger.keyId };
      expect((await series(other)).points).toEqual([]);
      expect((await series({ operation: 'createAgent' })).points).toEqual([]);
    });
  },
);

async function remember(world: World): Promise<void> {
  const body = { key: `k${Math.random()}`, value: 'v' };
  const { key: credential } = world.owner;
  const answer = await world.service.call('createMemory', { credential, ip: world.ip, body });
  expect(answer.status).toBe(201);
}
