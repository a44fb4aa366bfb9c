import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { parseUsd } from '../../../src/ledger/money';

const DAY_MS = 24 * 3_600_000;
const MODEL = 'embedded-extractive-1';

describeOperation(
  'getOverview',
  () => ({}),
  (status) => {
    status(200, 'adds up: days, keys, operations and models to what the balance has lost', async (world) => {
      await spend(world, 2);
      world.service.clock.advance(13 * 3_600_000);
      await spend(world, 1);
      const { body } = await callAs('getOverview', world, { query: { timezone: 'Asia/Kolkata' } });
      const spent = Number(parseUsd('10') - (await world.balanceNanoUsd()));
      const nano = (list: { cost: number }[]) =>
        list.reduce((sum, { cost }) => sum + Math.round(cost * 1e9), 0);
      expect(spent).toBeGreaterThan(0);
      expect([body.by_day, body.by_key, body.by_operation, body.by_model, [body.period]].map(nano)).toEqual(
        Array(5).fill(spent),
      );
      expect(body.by_day).toHaveLength(2);
      expect(body.by_key).toMatchObject([{ key_id: world.owner.keyId, name: 'test' }]);
      expect(body.by_model.map(({ model }) => model).sort()).toEqual([MODEL, null].sort());
      expect(body.today.requests).toBe(2);
      expect(body.balance).toBe(Number(await world.balanceNanoUsd()) / 1e9);
    });
    status(200, 'tells what runs out, the first at the beginning', async (world) => {
      await spend(world, 1);
      await world.setLimits(world.owner, { dailyLimitNano: 1n, monthlyLimitNano: parseUsd('100') });
      const { runs_out: list } = (await callAs('getOverview', world, {})).body;
      expect(list.map(({ kind }) => kind)).toEqual(['daily_limit', 'balance', 'monthly_limit']);
      expect(list[0]).toMatchObject({ key_id: world.owner.keyId, remaining: 0 });
      expect(list[0]?.runs_out_at).toBe(world.service.clock.now().toISOString());
      const [, balance, month] = list;
      const days = ((balance?.remaining ?? 0) * 7) / ((10 - (balance?.remaining ?? 0)) * 1);
      const until = (Date.parse(balance?.runs_out_at ?? '') - world.service.clock.now().getTime()) / DAY_MS;
      expect(until / days).toBeCloseTo(1, 2);
      expect(month?.runs_out_at).toBeNull();
    });
    status(200, 'is empty, and foretells nothing, where nothing was done', async (world) => {
      const { body } = await callAs('getOverview', world, {}, world.stranger);
      expect(body).toMatchObject({ balance: 10, by_day: [], by_key: [], by_model: [] });
      expect(body.runs_out).toMatchObject([{ kind: 'balance', daily_spend: 0, runs_out_at: null }]);
    });
  },
);

/** Chats, and one call that no model answers after them. */
async function spend(world: World, chats: number): Promise<void> {
  const { key } = world.owner;
  for (let chat = 0; chat < chats; chat += 1) {
    const body = {
      model: MODEL,
      messages: [{ role: 'user', content: 'The sky is blue. Why is the sky blue?' }],
    };
    const answer = await world.service.call('createChatCompletion', { credential: key, ip: world.ip, body });
    expect(answer.status).toBe(200);
  }
  const body = { key: `k${world.service.clock.now().getTime()}`, value: 'v' };
  const stored = await world.service.call('createMemory', { credential: key, ip: world.ip, body });
  expect(stored.status).toBe(201);
}
