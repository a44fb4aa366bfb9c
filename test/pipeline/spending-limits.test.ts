import { randomUUID } from 'node:crypto';
import { Ledger } from '../../src/ledger/ledger';
import { EMBEDDED_CHAT_MODEL } from '../../src/text/extractive-answer';
import { Sweeper } from '../../src/ledger/ledger.module';
import { freshToken } from '../support/ledger/calendar';
import { callAs } from '../support/api/call-as';
import { holdNextMemory } from '../support/api/held-call';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { DAYS, MONTHS } from '../support/ledger/zone-calendars';

const PRICE_NANO_USD = 100_000n;

describe('spending limits of a key', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(async () => service.stop());

  /** A world of its own at a time. Each test is at a later time than the one before it. */
  async function worldAt(time: string): Promise<World> {
    service.clock.set(time);
    return World.create(service);
  }

  describe('by day', () => {
    it.each(DAYS)('in %s, the day from %s to %s %s', async (timezone, starts, ends) => {
      const world = await worldAt(aMomentBefore(starts));
      await world.setLimits(world.owner, { dailyLimitNano: PRICE_NANO_USD, timezone });
      expect(await write(world)).toBe(201);
      expect(await refusal(world)).toEqual({
        limit_type: 'daily',
        limit: 0.0001,
        spent: 0.0001,
        resets_at: starts,
      });
      expect(await limits(world)).toMatchObject({ daily_spent: 0.0001, daily_resets_at: starts });

      service.clock.set(starts);
      expect(await limits(world)).toMatchObject({
        daily_spent: 0,
        daily_remaining: 0.0001,
        daily_resets_at: ends,
      });
      expect(await write(world)).toBe(201);
      service.clock.set(aMomentBefore(ends));
      expect(await refusal(world)).toMatchObject({ limit_type: 'daily', resets_at: ends });
      expect(await limits(world)).toMatchObject({ daily_spent: 0.0001, daily_resets_at: ends });
    });
  });

  describe('by month', () => {
    it.each(MONTHS)('in %s, the month from %s to %s', async (timezone, starts, ends) => {
      const world = await worldAt(aMomentBefore(starts));
      await world.setLimits(world.owner, { monthlyLimitNano: PRICE_NANO_USD, timezone });
      expect(await write(world)).toBe(201);
      expect(await refusal(world)).toEqual({
        limit_type: 'monthly',
        limit: 0.0001,
        spent: 0.0001,
        resets_at: starts,
      });

      service.clock.set(starts);
      expect(await limits(world)).toMatchObject({ monthly_spent: 0, monthly_resets_at: ends });
      expect(await write(world)).toBe(201);
      service.clock.set(aMomentBefore(ends));
      expect(await refusal(world)).toMatchObject({ limit_type: 'monthly', resets_at: ends });
      service.clock.set(ends);
      expect(await limits(world)).toMatchObject({
        monthly_spent: 0,
        daily_spent: 0,
        monthly_remaining: 0.0001,
      });
    });

    it('keeps what earlier days have spent', async () => {
      const world = await worldAt('2028-01-10T12:00:00.000Z');
      await world.setLimits(world.owner, {
        dailyLimitNano: PRICE_NANO_USD,
        monthlyLimitNano: 2n * PRICE_NANO_USD,
      });
      expect(await write(world)).toBe(201);
      service.clock.set('2028-01-11T12:00:00.000Z');
      expect(await write(world)).toBe(201);
      service.clock.set('2028-01-12T12:00:00.000Z');
      expect(await limits(world)).toMatchObject({
        daily_spent: 0,
        monthly_spent: 0.0002,
        monthly_remaining: 0,
      });
      expect(await refusal(world)).toMatchObject({ limit_type: 'monthly', spent: 0.0002 });
    });
  });

  it('are named in the order per request, day, month where several refuse', async () => {
    const world = await worldAt('2028-01-13T12:00:00.000Z');
    const all = { perRequestLimitNano: 1n, dailyLimitNano: 1n, monthlyLimitNano: 1n };
    await world.setLimits(world.owner, all);
    expect(await refusal(world)).toEqual({
      limit_type: 'per_request',
      limit: 1e-9,
      spent: 0,
      resets_at: null,
    });
    await world.setLimits(world.owner, { perRequestLimitNano: PRICE_NANO_USD });
    expect(await refusal(world)).toMatchObject({ limit_type: 'daily' });
    await world.setLimits(world.owner, { dailyLimitNano: null });
    expect(await refusal(world)).toMatchObject({ limit_type: 'monthly' });
    await world.setLimits(world.owner, { monthlyLimitNano: null });
    expect(await write(world)).toBe(201);
  });

  it('let a call pass that fits to the nano-dollar, and not one that is a nano-dollar beyond', async () => {
    const world = await worldAt('2028-01-14T12:00:00.000Z');
    await world.setLimits(world.owner, { perRequestLimitNano: PRICE_NANO_USD - 1n });
    expect(await write(world)).toBe(402);
    await world.setLimits(world.owner, {
      perRequestLimitNano: PRICE_NANO_USD,
      dailyLimitNano: 2n * PRICE_NANO_USD - 1n,
    });
    expect([await write(world), await write(world)]).toEqual([201, 402]);
    await world.setLimits(world.owner, { dailyLimitNano: 2n * PRICE_NANO_USD });
    expect([await write(world), await write(world)]).toEqual([201, 402]);
  });

  describe('while calls are under way', () => {
    it('count what these have reserved, and give it back when they fail', async () => {
      const world = await worldAt('2028-02-10T12:00:00.000Z');
      await world.setLimits(world.owner, { dailyLimitNano: PRICE_NANO_USD });
      const held = holdNextMemory(service);
      const underWay = write(world);
      await held.entered;
      expect(await refusal(world)).toMatchObject({ limit_type: 'daily', spent: 0.0001 });
      held.letGo(new Error('the work fails'));
      expect(await underWay).toBe(500);
      expect([await write(world), await write(world)]).toEqual([201, 402]);
    });

    it('do not stop what was reserved before they were lowered', async () => {
      const world = await worldAt('2028-02-11T12:00:00.000Z');
      await world.setLimits(world.owner, { dailyLimitNano: 2n * PRICE_NANO_USD });
      const held = holdNextMemory(service);
      const underWay = write(world);
      await held.entered;
      await world.setLimits(world.owner, { dailyLimitNano: 0n });
      held.letGo();
      expect(await underWay).toBe(201);
      expect(await refusal(world)).toEqual({
        limit_type: 'daily',
        limit: 0,
        spent: 0.0001,
        resets_at: '2028-02-12T00:00:00.000Z',
      });
      expect(await limits(world)).toMatchObject({ daily_spent: 0.0001, daily_remaining: 0 });
    });

    it.each([
      ['is charged', undefined, 201, 0.0002],
      ['fails', new Error('the work fails'), 500, 0.0001],
    ])(
      'charge the day of its beginning with a call over midnight that %s',
      async (_, failure, status, monthly) => {
        const world = await worldAt(`2028-02-${failure ? 14 : 12}T23:59:59.999Z`);
        await world.setLimits(world.owner, { dailyLimitNano: PRICE_NANO_USD });
        const held = holdNextMemory(service);
        const underWay = write(world);
        await held.entered;
        service.clock.advance(1);
        expect(await limits(world)).toMatchObject({ daily_spent: 0, monthly_spent: 0.0001 });
        expect(await write(world)).toBe(201);
        held.letGo(failure);
        expect(await underWay).toBe(status);
        expect(await limits(world)).toMatchObject({ daily_spent: 0.0001, monthly_spent: monthly });
        expect(await write(world)).toBe(402);
        expect(await reservedNanoUsd(world)).toBe(0n);
      },
    );

    it('count in their own month a call that began in the one before', async () => {
      const world = await worldAt('2028-02-29T23:59:59.999Z');
      const held = holdNextMemory(service);
      const underWay = write(world);
      await held.entered;
      service.clock.advance(1);
      expect(await write(world)).toBe(201);
      held.letGo(new Error('the work fails'));
      expect(await underWay).toBe(500);
      expect(await limits(world)).toMatchObject({ daily_spent: 0.0001, monthly_spent: 0.0001 });
    });

    it('get back what a call had reserved that died with its process, however long ago', async () => {
      const world = await worldAt('2028-03-01T12:00:00.000Z');
      await world.setLimits(world.owner, { monthlyLimitNano: PRICE_NANO_USD });
      const held = holdNextMemory(service);
      const underWay = write(world);
      await held.entered;
      service.clock.set('2028-03-30T12:00:00.000Z');
      expect(await limits(world)).toMatchObject({ monthly_spent: 0.0001 });
      expect(await service.app.get(Sweeper, { strict: false }).sweep()).toBe(1);
      expect(await limits(world)).toMatchObject({ monthly_spent: 0 });
      held.letGo();
      expect(await underWay).toBe(504);
      expect(await limits(world)).toMatchObject({ monthly_spent: 0 });
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    });
  });

  describe('in another zone', () => {
    it('carry what is spent, whatever date it is there', async () => {
      const world = await worldAt('2028-04-15T12:00:00.000Z');
      await world.setLimits(world.owner, {
        dailyLimitNano: PRICE_NANO_USD,
        monthlyLimitNano: PRICE_NANO_USD,
      });
      expect(await write(world)).toBe(201);
      for (const timezone of [
        'Pacific/Kiritimati',
        'Etc/GMT+12',
        'Pacific/Auckland',
        'America/Los_Angeles',
        'UTC',
      ]) {
        await world.setLimits(world.owner, { timezone });
        expect(await limits(world)).toMatchObject({ timezone, daily_spent: 0.0001, monthly_spent: 0.0001 });
        expect(await write(world)).toBe(402);
      }
    });

    it('carry what is spent over the end of a month', async () => {
      const world = await worldAt('2028-04-30T11:59:59.000Z');
      await world.setLimits(world.owner, {
        monthlyLimitNano: PRICE_NANO_USD,
        timezone: 'Pacific/Kiritimati',
      });
      expect(await write(world)).toBe(201);
      await world.setLimits(world.owner, { timezone: 'Etc/GMT+12' });
      expect(await refusal(world)).toMatchObject({ spent: 0.0001, resets_at: '2028-05-01T12:00:00.000Z' });
      await world.setLimits(world.owner, { timezone: 'Pacific/Kiritimati' });
      expect(await refusal(world)).toMatchObject({ spent: 0.0001, resets_at: '2028-05-31T10:00:00.000Z' });
    });

    it('start afresh at the next midnight there', async () => {
      const world = await worldAt('2028-06-10T12:00:00.000Z');
      await world.setLimits(world.owner, { dailyLimitNano: PRICE_NANO_USD });
      expect(await write(world)).toBe(201);
      await world.setLimits(world.owner, { timezone: 'America/Los_Angeles' });
      service.clock.set('2028-06-11T06:59:59.999Z');
      expect(await refusal(world)).toMatchObject({ resets_at: '2028-06-11T07:00:00.000Z' });
      service.clock.advance(1);
      expect(await write(world)).toBe(201);
    });

    it('count on in a day that has ended in the zone before but not in this one', async () => {
      const world = await worldAt('2028-06-20T23:00:00.000Z');
      await world.setLimits(world.owner, { dailyLimitNano: PRICE_NANO_USD });
      expect(await write(world)).toBe(201);
      service.clock.set('2028-06-21T00:30:00.000Z');
      await world.setLimits(world.owner, { timezone: 'America/Los_Angeles' });
      expect(await refusal(world)).toMatchObject({ spent: 0.0001, resets_at: '2028-06-21T07:00:00.000Z' });
    });

    it('do not bring back a day that has ended in both', async () => {
      const world = await worldAt('2028-06-22T12:00:00.000Z');
      await world.setLimits(world.owner, { dailyLimitNano: PRICE_NANO_USD, timezone: 'Pacific/Auckland' });
      expect(await write(world)).toBe(201);
      service.clock.set('2028-06-25T12:00:00.000Z');
      await world.setLimits(world.owner, { timezone: 'America/Los_Angeles' });
      expect(await limits(world)).toMatchObject({ daily_spent: 0, monthly_spent: 0.0001 });
    });

    it('carry calls under way, and take off what these do not cost', async () => {
      const world = await worldAt('2028-07-10T12:00:00.000Z');
      await world.setLimits(world.owner, { dailyLimitNano: PRICE_NANO_USD });
      const held = holdNextMemory(service);
      const underWay = write(world);
      await held.entered;
      await world.setLimits(world.owner, { timezone: 'Pacific/Auckland' });
      expect(await refusal(world)).toMatchObject({ spent: 0.0001 });
      held.letGo(new Error('the work fails'));
      expect(await underWay).toBe(500);
      expect(await limits(world)).toMatchObject({ daily_spent: 0, monthly_spent: 0 });
    });

    it('do not take a call of yesterday off today, because today there has the date of yesterday here', async () => {
      const world = await worldAt('2028-07-20T11:59:59.999Z');
      await world.setLimits(world.owner, { dailyLimitNano: PRICE_NANO_USD, timezone: 'Pacific/Auckland' });
      const held = holdNextMemory(service);
      const underWay = write(world);
      await held.entered;
      service.clock.advance(1);
      expect(await write(world)).toBe(201);
      await world.setLimits(world.owner, { timezone: 'America/Los_Angeles' });
      held.letGo(new Error('the work fails'));
      expect(await underWay).toBe(500);
      expect(await refusal(world)).toMatchObject({ limit_type: 'daily', spent: 0.0001 });
      expect(await reservedNanoUsd(world)).toBe(0n);
    });

    it('take a failed call off the period that they went back into', async () => {
      const world = await worldAt('2028-07-31T23:59:59.999Z');
      const held = holdNextMemory(service);
      const underWay = write(world);
      await held.entered;
      service.clock.advance(1);
      await world.setLimits(world.owner, { timezone: 'America/Los_Angeles' });
      expect(await limits(world)).toMatchObject({ daily_spent: 0.0001, monthly_spent: 0.0001 });
      held.letGo(new Error('the work fails'));
      expect(await underWay).toBe(500);
      expect(await limits(world)).toMatchObject({ daily_spent: 0, monthly_spent: 0 });
      expect(await reservedNanoUsd(world)).toBe(0n);
    });
  });

  describe('for calls priced by tokens', () => {
    const messages = [{ role: 'user', content: 'Tea grows in the hills. Which plant grows in the hills?' }];
    const chat = (world: World, maxTokens: number) =>
      callAs('createChatCompletion', world, {
        body: { model: EMBEDDED_CHAT_MODEL, messages, max_tokens: maxTokens },
      });

    it.each([
      ['per_request', 'perRequestLimitNano', '2028-08-10T12:00:00.000Z'],
      ['daily', 'dailyLimitNano', '2028-08-11T12:00:00.000Z'],
      ['monthly', 'monthlyLimitNano', '2028-08-12T12:00:00.000Z'],
    ] as const)(
      'test the worst case against the %s limit, and say which max_tokens would fit',
      async (type, limit, time) => {
        const world = await worldAt(time);
        await world.setLimits(world.owner, { [limit]: 5_000_000n });
        const refused = await chat(world, 4000);
        expect([refused.status, refused.body]).toMatchObject([
          402,
          { limit_type: type, limit: 0.005, available: 0.005 },
        ]);
        expect(refused.body.required).toBeGreaterThan(0.04);
        const fitting = refused.body.affordable_max_tokens;
        expect((await chat(world, fitting + 1)).status).toBe(402);
        expect((await chat(world, fitting)).status).toBe(200);
      },
    );

    it('count the real cost once it is known', async () => {
      const world = await worldAt('2028-08-13T12:00:00.000Z');
      await world.setLimits(world.owner, { dailyLimitNano: 50_000_000n });
      const answer = await chat(world, 4000);
      const cost = Number(answer.headers['x-request-cost']);
      expect([answer.status, cost < 0.01]).toEqual([200, true]);
      expect(await limits(world)).toMatchObject({ daily_spent: cost, monthly_spent: cost });
    });
  });
});

function aMomentBefore(time: string): string {
  return new Date(Date.parse(time) - 1).toISOString();
}

/** The status of a call that costs 100,000 nano-USD. */
async function write(world: World): Promise<number> {
  return (await callAs('createMemory', world, { body: { key: randomUUID(), value: 'v' } })).status;
}

/** What the refusal of such a call says; that nothing is charged for it is seen to. */
async function refusal(world: World): Promise<object> {
  const before = await world.balanceNanoUsd();
  const { status, body } = await callAs('createMemory', world, { body: { key: randomUUID(), value: 'v' } });
  expect([status, body.error]).toEqual([402, 'Spending limit exceeded']);
  expect(await world.balanceNanoUsd()).toBe(before);
  const { limit_type, limit, spent, resets_at } = body as unknown as Record<string, unknown>;
  return { limit_type, limit, spent, resets_at };
}

async function limits(world: World) {
  const credential = freshToken(world.service, world.owner);
  return (await callAs('getKeyLimits', world, { credential, params: { key_id: world.owner.keyId } })).body;
}

async function reservedNanoUsd({ service, owner }: World): Promise<bigint> {
  return (await service.app.get(Ledger).balance(owner.id)).reservedNanoUsd;
}
