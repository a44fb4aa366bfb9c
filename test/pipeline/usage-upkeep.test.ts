import { ScheduleModule } from '@nestjs/schedule';
import { Test } from '@nestjs/testing';
import { Configuration } from '../../src/config/configuration';
import { AccountDatabases } from '../../src/database/account-databases';
import { LEDGER_TIMERS, UsageUpkeep } from '../../src/ledger/ledger.module';
import { UsageDays, UsagePartitions } from '../../src/ledger/usage-log';
import { Clock } from '../../src/runtime/clock';
import { ProcessRegister } from '../../src/database/process-register';
import { Timers } from '../../src/work/timers';
import { callAs } from '../support/api/call-as';
import { recordCall } from '../support/api/recorded-call';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { freshToken } from '../support/ledger/calendar';
import { faultsInRollUps, sumAllCalls } from '../support/ledger/roll-ups';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** All that a test of an interval does not replace: the database needs its own timers. */
const REAL = ['Date', 'nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'clearTimeout'] as const;

describe('the upkeep of the usage log', () => {
  let service: TestService;
  let world: World;
  let upkeep: UsageUpkeep;
  beforeAll(async () => {
    service = await TestService.start({ USAGE_RETENTION_MONTHS: '7' });
    upkeep = service.app.get(UsageUpkeep, { strict: false });
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => service.stop());

  it('is left to others by a process of role api', async () => {
    const api = await TestService.start({ ROLE: 'api' });
    expect(() => api.app.get(UsageUpkeep, { strict: false })).toThrow('could not find UsageUpkeep');
    await api.stop();
  });

  it('makes days of the hours that are over, and every report stays what it was', async () => {
    await recordCall(service, world.owner, { charge: '0.25', inputTokens: 3 });
    service.clock.advance(2 * DAY_MS);
    await recordCall(service, world.owner, { charge: '0.5', inputTokens: 4 });
    service.clock.advance(1);
    const before = await reports();
    await sumAllCalls(service.app.get(AccountDatabases));
    await upkeep.run();
    expect(await reports()).toEqual(before);
    expect(await daysOf()).toEqual(['250000000']);
    expect(await faultsInRollUps(service.app.get(AccountDatabases))).toEqual([]);
  });

  it('keeps partitions for as long as the configuration says, by the time of the machine', async () => {
    const keep = jest.spyOn(service.app.get(UsagePartitions, { strict: false }), 'keep');
    const startedAt = Date.now();
    await upkeep.run();
    const [[now, monthsKept] = []] = keep.mock.calls;
    expect(monthsKept).toBe(7);
    expect(now?.getTime()).toBeGreaterThanOrEqual(startedAt);
    expect(now?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('runs at the start and every hour, and one failing part leaves the other', async () => {
    jest.useFakeTimers({ doNotFake: [...REAL] });
    try {
      const { app, clock } = service;
      const [partitions, days] = [
        app.get(UsagePartitions, { strict: false }),
        app.get(UsageDays, { strict: false }),
      ];
      jest.spyOn(partitions, 'keep').mockRejectedValue(new Error('a lock was not to be had'));
      const own = new UsageUpkeep(partitions, days, app.get(Configuration), clock);
      const scheduled = await Test.createTestingModule({
        imports: [ScheduleModule.forRoot()],
        providers: [
          { provide: UsageUpkeep, useValue: own },
          { provide: ProcessRegister, useValue: { isFollowing: false } },
          { provide: Clock, useValue: clock },
          ...Timers.of(...LEDGER_TIMERS.filter(({ name }) => name === 'UsageUpkeep')),
        ],
      }).compile();
      await recordCall(service, world.owner, { charge: '1' });
      await sumAllCalls(service.app.get(AccountDatabases));
      clock.advance(2 * DAY_MS);
      await scheduled.init();
      await scheduled.get(Timers).job('UsageUpkeep').idle();
      expect(await daysOf()).toEqual(['1000000000']);
      await recordCall(service, world.owner, { charge: '2' });
      await sumAllCalls(service.app.get(AccountDatabases));
      clock.advance(2 * DAY_MS);
      jest.advanceTimersByTime(HOUR_MS - 1);
      expect(await daysOf()).toHaveLength(1);
      jest.advanceTimersByTime(1);
      await scheduled.get(Timers).job('UsageUpkeep').idle();
      await scheduled.close();
      expect(await daysOf()).toEqual(['1000000000', '2000000000']);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('answers 404 for the receipt of a call that was dropped, and still counts it', async () => {
    const requestId = await recordCall(service, world.owner, { charge: '0.75' });
    service.clock.advance(1);
    const ask = () => callAs('getRequestReceipt', world, { params: { request_id: requestId } });
    expect((await ask()).status).toBe(200);
    const before = await reports();
    await sumAllCalls(service.app.get(AccountDatabases));
    const later = new Date();
    later.setUTCMonth(later.getUTCMonth() + 9, 1);
    const partitions = service.app.get(UsagePartitions, { strict: false });
    expect((await partitions.keep(later, 7)).dropped).toContain('calls_first');
    expect((await ask()).status).toBe(404);
    expect(await reports()).toEqual(before);
    expect((await callAs('createMemory', world, { body: { key: 'k', value: 'v' } })).status).toBe(201);
  });

  /** Whatever sums the calls and the entries of the account, by periods that end at whole hours of theirs. */
  async function reports(): Promise<unknown[]> {
    const credential = freshToken(service, world.owner);
    const usage = { query: { start_date: '2026-01-01', end_date: '2027-12-31' }, credential };
    const answers = await Promise.all([
      callAs('getUsage', world, usage),
      callAs('getCosts', world, usage),
      callAs('getUsageSummary', world, { credential }),
      callAs('getKeyUsage', world, { ...usage, params: { key_id: world.owner.keyId } }),
      callAs('getTransactionStats', world, usage),
    ]);
    return answers.map(({ status, body }) => [status, body]);
  }

  async function daysOf(): Promise<string[]> {
    const rows: { cost_nano: string }[] = await service.database.query(
      'SELECT cost_nano FROM usage_days WHERE account_id = $1 ORDER BY day',
      [world.owner.id],
    );
    return rows.map((row) => row.cost_nano);
  }
});
