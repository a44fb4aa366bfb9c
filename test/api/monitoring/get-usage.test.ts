import { UnchargedCalls } from '../../../src/pipeline/uncharged-calls';
import { usdToNano } from '../../../src/ledger/money';
import { callAs } from '../../support/api/call-as';
import { freshToken, moveToLastMomentOfDay } from '../../support/ledger/calendar';
import { describeOperation, type DescribeStatus } from '../../support/api/describe-operation';
import { recordCall } from '../../support/api/recorded-call';
import type { World } from '../../support/api/world';

const DAY_MS = 24 * 60 * 60 * 1000;

describeOperation(
  'getUsage',
  () => ({}),
  (status) => {
    status(200, 'is all zeros for an account without calls, reading it included', async (world) => {
      await callAs('getUsage', world, {});
      await world.service.app.get(UnchargedCalls).write();
      const { body } = await callAs('getUsage', world, {});
      const end = world.service.clock.now();
      expect(body).toEqual({
        requests_today: 0,
        cost_today: 0,
        tokens_today: 0,
        period: {
          start_date: new Date(end.getTime() - 30 * DAY_MS).toISOString(),
          end_date: end.toISOString(),
          requests: 0,
          successful: 0,
          failed: 0,
          tokens: 0,
          cost: 0,
        },
        by_operation: [],
        daily: [],
      });
    });
    today(status);
    period(status);
  },
);

function today(status: DescribeStatus): void {
  status(200, 'counts today from midnight UTC', async (world) => {
    const { service, owner } = world;
    moveToLastMomentOfDay(service);
    await recordCall(service, owner, { charge: '0.25', inputTokens: 10, outputTokens: 5 });
    expect(await todayOf(world)).toEqual([1, 0.25, 15]);
    service.clock.advance(1);
    expect(await todayOf(world)).toEqual([0, 0, 0]);
    await recordCall(service, owner, { charge: '0.000000001', inputTokens: 1 });
    expect(await todayOf(world)).toEqual([1, 1e-9, 1]);
    service.clock.advance(1);
    const { body } = await usage(world);
    const midnight = `${service.clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`;
    expect(body.daily).toEqual([
      { date: new Date(Date.parse(midnight) - DAY_MS).toISOString(), requests: 1, tokens: 15, cost: 0.25 },
      { date: midnight, requests: 1, tokens: 1, cost: 1e-9 },
    ]);
  });
  status(200, 'counts a call on the day it began, though it ended on the next', async (world) => {
    const { service, owner } = world;
    moveToLastMomentOfDay(service);
    await recordCall(service, owner, { charge: '0.5', tookMs: 5000 });
    expect(await todayOf(world)).toEqual([0, 0, 0]);
    expect((await usage(world)).body.daily).toMatchObject([{ requests: 1, cost: 0.5 }]);
  });
}

function period(status: DescribeStatus): void {
  status(200, 'adds up over operations and over days, failed and refused calls included', async (world) => {
    const { service, owner } = world;
    const chat = { operation: 'createChatCompletion', price: 'chat_completion' };
    await recordCall(service, owner, { ...chat, charge: '0.00266', inputTokens: 24, outputTokens: 42 });
    await recordCall(service, owner, { ...chat, charge: '0.1', status: 502 });
    await recordCall(service, owner, { charge: '0.000000001', keyId: null });
    await callAs('createMemory', world, { body: {} });
    await service.app.get(UnchargedCalls).write();
    service.clock.advance(1);
    const { body } = await usage(world);
    expect(body.period).toMatchObject({
      requests: 4,
      successful: 2,
      failed: 2,
      tokens: 66,
      cost: 0.002660001,
    });
    expect(body.by_operation).toEqual([
      { operation: 'createChatCompletion', requests: 2, tokens: 66, cost: 0.00266 },
      { operation: 'createMemory', requests: 2, tokens: 0, cost: 0.000000001 },
    ]);
    expect(sumOf(body.by_operation)).toEqual([4, 66, 2_660_001n]);
    expect(sumOf(body.daily)).toEqual([4, 66, 2_660_001n]);
  });
  status(200, 'has the last 30 days where no dates are given', async (world) => {
    const { service, owner } = world;
    await recordCall(service, owner, { charge: '1' });
    service.clock.advance(1);
    await recordCall(service, owner, { charge: '2' });
    service.clock.advance(30 * DAY_MS - 1);
    expect((await usage(world)).body.period.cost).toBe(3);
    service.clock.advance(1);
    expect((await usage(world)).body.period.cost).toBe(2);
  });
  status(
    200,
    'takes a period from its start up to but without its end, and a date as a whole day',
    async (world) => {
      const { service, owner } = world;
      const first = service.clock.now().toISOString();
      await recordCall(service, owner, { charge: '1' });
      service.clock.advance(1000);
      const second = service.clock.now().toISOString();
      await recordCall(service, owner, { charge: '2' });
      const costs = async (query: Record<string, unknown>) => (await usage(world, query)).body.period.cost;
      const day = first.slice(0, 10);
      expect(await costs({ start_date: first, end_date: second })).toBe(1);
      expect(await costs({ start_date: second, end_date: '9999-12-31' })).toBe(2);
      expect(await costs({ start_date: day, end_date: day })).toBe(3);
    },
  );
  status(200, 'counts today whatever the period', async (world) => {
    await recordCall(world.service, world.owner, { charge: '1' });
    const { body } = await usage(world, { end_date: '2020-01-01' });
    expect([body.requests_today, body.cost_today, body.period.requests]).toEqual([1, 1, 0]);
  });
  status(200, 'has nothing of another account', async (world) => {
    await recordCall(world.service, world.owner, { charge: '1' });
    world.service.clock.advance(1);
    const { body } = await callAs('getUsage', world, {}, world.stranger);
    expect([body.requests_today, body.period.requests, body.by_operation]).toEqual([0, 0, []]);
  });
}

function usage(world: World, query: Record<string, unknown> = {}) {
  return callAs('getUsage', world, { query, credential: freshToken(world.service, world.owner) });
}

async function todayOf(world: World): Promise<number[]> {
  const { body } = await usage(world);
  return [body.requests_today, body.cost_today, body.tokens_today];
}

function sumOf(groups: { requests: number; tokens: number; cost: number }[]): unknown[] {
  return [
    groups.reduce((sum, group) => sum + group.requests, 0),
    groups.reduce((sum, group) => sum + group.tokens, 0),
    groups.reduce((sum, group) => sum + usdToNano(group.cost), 0n),
  ];
}
