import { ScheduleModule } from '@nestjs/schedule';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { ConsoleSessions } from '../../src/accounts/console-sessions';
import { AccountTokens } from '../../src/accounts/credentials';
import { LoginAddresses } from '../../src/accounts/password-login';
import { SpendingLimitsRepository } from '../../src/accounts/spending-limits';
import { Idempotency } from '../../src/ledger/idempotency';
import { Ledger } from '../../src/ledger/ledger';
import { LedgerMetrics } from '../../src/ledger/ledger.metrics';
import { DividedLedger, LEDGER_TIMERS, Sweeper } from '../../src/ledger/ledger.module';
import { MemoriesRepository } from '../../src/retrieval/memories.repository';
import { Clock } from '../../src/runtime/clock';
import { ProcessRegister } from '../../src/database/process-register';
import { newId } from '../../src/runtime/ids';
import { Timers } from '../../src/work/timers';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { callAs } from '../support/api/call-as';
import { holdNextMemory, type HeldCall } from '../support/api/held-call';
import { TestService, type ApiAnswer } from '../support/api/service';
import { World } from '../support/api/world';
import { until } from '../support/until';
import { openReservations } from '../support/ledger/open-reservations';

/** Twice the time that createMemory may take. */
const LEASE_MS = 20_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const PRICE_NANO_USD = 100_000n;
/** All that a test of an interval does not replace: the database needs its own timers. */
const REAL = ['Date', 'nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'clearTimeout'] as const;
const MEMORY = { body: { key: 'k', value: 'v' } };

describe('the sweeper', () => {
  let service: TestService;
  let world: World;
  let app: TestService['app'];
  let sweeper: Sweeper;
  beforeAll(async () => {
    // A process of this role does not sweep by itself.
    service = await TestService.start({ ROLE: 'api' });
    ({ app } = service);
    sweeper = newSweeper();
  });
  beforeEach(async () => {
    world = await World.create(service);
    await world.setLimits(world.owner, { dailyLimitNano: 1_000_000_000n });
  });
  afterEach(async () => {
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
  afterAll(async () => service.stop());

  it('leaves a call alone until its lease is over, and then releases it exactly once', async () => {
    const requestId = await abandonCall();
    service.clock.advance(LEASE_MS - 1);
    expect(await sweeper.sweep()).toBe(0);
    expect(await reservedNanoUsd()).toBe(PRICE_NANO_USD);
    service.clock.advance(1);
    expect([await sweeper.sweep(), await sweeper.sweep()]).toEqual([1, 0]);
    await expectNothingCharged();
    const receipt = await callAs('getRequestReceipt', world, { params: { request_id: requestId } });
    expect(receipt.body).toMatchObject({
      outcome: 'expired',
      status: null,
      reserved: 0.0001,
      charged: 0,
      released: 0.0001,
      transaction_id: null,
      completed_at: service.clock.now().toISOString(),
    });
  });

  it('leaves a key alone that is claimed anew while the sweep of its expired claim waits', async () => {
    const now = service.clock.now();
    const order = {
      accountId: world.owner.id,
      idempotencyKey: 'anew',
      operationId: 'createMemory',
      request: {},
      isBounded: true,
    };
    const claim = { ...order, callId: newId(), now, leaseUntil: now };
    await app.get(Idempotency).claim(claim);
    const runner = service.database.createQueryRunner();
    await runner.startTransaction();
    await runner.query(
      "UPDATE idempotency_claims SET expires_at = expires_at + interval '1 day' WHERE call_id = $1",
      [claim.callId],
    );
    const sweep = app.get(Idempotency).sweep(new Date(now.getTime() + DAY_MS));
    await until('the sweep waits for the row', async () => {
      const waiting: unknown[] = await service.database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query LIKE '%DELETE FROM idempotency_claims%'`,
      );
      return waiting.length === 1;
    });
    await runner.commitTransaction();
    await runner.release();
    await sweep;
    expect(
      await service.database.query('SELECT FROM idempotency_claims WHERE call_id = $1', [claim.callId]),
    ).toHaveLength(1);
  });

  it('releases each call once when ten sweeps race', async () => {
    await Promise.all(Array.from({ length: 8 }, () => abandonCall()));
    service.clock.advance(LEASE_MS);
    await Promise.all(Array.from({ length: 10 }, () => sweeper.sweep()));
    expect(await sweeper.sweep()).toBe(0);
    await expectNothingCharged();
    expect(await receipts()).toEqual(Array.from({ length: 8 }, () => ['expired', '0']));
  });

  it('ends each call once when its settlement races with a sweep, charged or released', async () => {
    await Promise.all(Array.from({ length: 30 }, () => abandonCall()));
    const calls = await openReservations(service, world.owner.id);
    service.clock.advance(LEASE_MS);
    const ledger = app.get(Ledger);
    const [swept, ...settled] = await Promise.all([
      sweeper.sweep(),
      ...calls.reverse().map(({ id }) =>
        ledger.settle({
          callId: id,
          accountId: world.owner.id,
          outcome: 'settled',
          chargeNanoUsd: PRICE_NANO_USD,
          status: 201,
          inputTokens: 0,
          outputTokens: 0,
          now: service.clock.now(),
          answer: null,
        }),
      ),
    ]);
    const charged = settled.filter(({ verdict }) => verdict === 'settled').length;
    expect(swept + charged).toBe(30);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n - PRICE_NANO_USD * BigInt(charged));
    expect(await reservedNanoUsd()).toBe(0n);
    expect((await receipts()).filter(([outcome]) => outcome === 'expired')).toHaveLength(swept);
    expect((await receipts()).filter(([outcome]) => outcome === 'settled')).toHaveLength(charged);
  });

  it('is not undone by a call that ends after it: that is answered with 504 and charged nothing', async () => {
    const { held, answer } = await beginCall();
    service.clock.advance(LEASE_MS);
    expect(await sweeper.sweep()).toBe(1);
    held.letGo();
    const { status, headers, body } = await answer;
    expect([status, body.error, headers['x-request-cost']]).toEqual([504, 'Gateway Timeout', undefined]);
    await expectNothingCharged();
    expect(await receipts()).toEqual([['expired', '0']]);
  });

  it('is not undone by a call that fails after it', async () => {
    const { held, answer } = await beginCall();
    service.clock.advance(LEASE_MS);
    await sweeper.sweep();
    held.letGo(new Error('the handler failed'));
    expect((await answer).status).toBe(500);
    await expectNothingCharged();
    expect(await receipts()).toEqual([['expired', '0']]);
  });

  it('finds nothing to do after a call that has ended', async () => {
    await callAs('createMemory', world, MEMORY);
    service.clock.advance(LEASE_MS);
    expect(await sweeper.sweep()).toBe(0);
    expect(await receipts()).toEqual([['settled', '100000']]);
  });

  it('frees the Idempotency-Key of a dead call, so that a retry runs and is charged once', async () => {
    const headers = { 'idempotency-key': newId() };
    await abandonCall(headers);
    expect((await callAs('createMemory', world, { ...MEMORY, headers })).status).toBe(409);
    service.clock.advance(LEASE_MS);
    expect(await sweeper.sweep()).toBe(1);
    expect(await claims()).toBe(0);
    const retry = await callAs('createMemory', world, { ...MEMORY, headers });
    const replay = await callAs('createMemory', world, { ...MEMORY, headers });
    expect([retry.status, replay.text]).toEqual([201, retry.text]);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n - PRICE_NANO_USD);
  });

  it('keeps the claim of a retry that took over from the dead call before the sweep', async () => {
    const headers = { 'idempotency-key': newId() };
    await abandonCall(headers);
    service.clock.advance(LEASE_MS);
    const retry = await callAs('createMemory', world, { ...MEMORY, headers });
    expect(retry.status).toBe(201);
    expect(await sweeper.sweep()).toBe(1);
    const replay = await callAs('createMemory', world, { ...MEMORY, headers });
    expect([replay.headers['idempotent-replayed'], replay.text]).toEqual(['true', retry.text]);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n - PRICE_NANO_USD);
  });

  it('makes the credit that a dead call held usable again', async () => {
    await world.setBalanceUsd(world.owner, '0.0001');
    await abandonCall();
    expect((await callAs('createMemory', world, MEMORY)).status).toBe(402);
    service.clock.advance(LEASE_MS);
    await sweeper.sweep();
    expect((await callAs('createMemory', world, MEMORY)).status).toBe(201);
  });

  it('goes on to the others after a reservation that could not be ended, and ends that one next time', async () => {
    await Promise.all(Array.from({ length: 3 }, () => abandonCall()));
    service.clock.advance(LEASE_MS);
    jest
      .spyOn(ledgerOf(world.owner.id), 'settle')
      .mockRejectedValueOnce(new Error('the connection was lost'));
    expect([await sweeper.sweep(), await sweeper.sweep()]).toEqual([2, 1]);
    await expectNothingCharged();
  });

  it('forgets stored answers after a day, and ended tokens some time after they expired', async () => {
    const { database, clock } = service;
    const headers = { 'idempotency-key': newId() };
    await callAs('createMemory', world, { ...MEMORY, headers });
    expect((await callAs('logout', world, {})).status).toBe(204);
    const remembered = async () => {
      await sweeper.sweep();
      return [await claims(), (await database.query<unknown[]>('SELECT FROM ended_tokens')).length];
    };
    clock.advance(DAY_MS - 1);
    expect(await remembered()).toEqual([1, 1]);
    clock.advance(1);
    expect(await remembered()).toEqual([0, 1]);
    clock.advance(DAY_MS);
    expect(await remembered()).toEqual([0, 0]);
  });

  it('forgets any number of ended tokens, so many in one statement that it is not given up', async () => {
    const { clock } = service;
    const database = app.get(DataSource);
    await database.query(
      'INSERT INTO ended_tokens SELECT gen_random_uuid(), $1 FROM generate_series(1, 25000)',
      [clock.now()],
    );
    clock.advance(DAY_MS);
    const deleted: number[] = [];
    const { query } = database;
    database.query = (async (text: string, parameters: unknown[]) => {
      const answer = await query.call(database, text, parameters);
      if (text.includes('DELETE FROM ended_tokens')) {
        deleted.push((answer as [unknown, number])[1]);
      }
      return answer;
    }) as typeof query;
    try {
      await sweeper.sweep();
    } finally {
      database.query = query;
    }
    expect(deleted).toEqual([10_000, 10_000, 5_000]);
  });

  it('sweeps every ten seconds, goes on after a sweep that failed, and ends with the process', async () => {
    jest.useFakeTimers({ doNotFake: [...REAL] });
    try {
      const own = newSweeper();
      const scheduled = await Test.createTestingModule({
        imports: [ScheduleModule.forRoot()],
        providers: [
          { provide: Sweeper, useValue: own },
          { provide: ProcessRegister, useValue: { isFollowing: false } },
          { provide: Clock, useValue: service.clock },
          ...Timers.of(...LEDGER_TIMERS.filter(({ name }) => name === 'Sweeper')),
        ],
      }).compile();
      jest.spyOn(app.get(Ledger), 'sweep').mockRejectedValueOnce(new Error('the connection was lost'));
      await scheduled.init();
      await abandonCall();
      service.clock.advance(LEASE_MS);
      jest.advanceTimersByTime(9_999);
      expect(await reservedNanoUsd()).toBe(PRICE_NANO_USD);
      jest.advanceTimersByTime(1);
      await scheduled.get(Timers).job('Sweeper').idle();
      expect(await reservedNanoUsd()).toBe(PRICE_NANO_USD);
      jest.advanceTimersByTime(10_000);
      await scheduled.close();
      await expectNothingCharged();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  /** A call whose process died in the middle of its work: reserved, claimed, and never ended. */
  async function abandonCall(headers: Record<string, string> = {}): Promise<string> {
    const died = new Error('the process died');
    jest.spyOn(app.get(MemoriesRepository), 'upsert').mockRejectedValueOnce(died);
    jest.spyOn(ledgerOf(world.owner.id), 'settle').mockRejectedValueOnce(died);
    if ('idempotency-key' in headers) {
      jest.spyOn(app.get(Idempotency), 'abandon').mockRejectedValueOnce(died);
    }
    const answer = await callAs('createMemory', world, { ...MEMORY, headers });
    expect(answer.status).toBe(500);
    return answer.body.request_id;
  }

  function newSweeper(): Sweeper {
    return new Sweeper(
      app.get(Ledger),
      app.get(Idempotency),
      app.get(AccountTokens),
      app.get(ConsoleSessions),
      app.get(LoginAddresses),
      service.clock,
      app.get(LedgerMetrics),
    );
  }

  async function beginCall(
    headers: Record<string, string> = {},
  ): Promise<{ held: HeldCall; answer: Promise<ApiAnswer<'createMemory'>> }> {
    const held = holdNextMemory(service);
    const answer = callAs('createMemory', world, { ...MEMORY, headers });
    await held.entered;
    return { held, answer };
  }

  async function expectNothingCharged(): Promise<void> {
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    expect(await reservedNanoUsd()).toBe(0n);
    const limits = await app.get(SpendingLimitsRepository).get(world.owner.id, world.owner.keyId);
    expect([limits.daySpentNano, limits.monthSpentNano]).toEqual([0n, 0n]);
  }

  async function reservedNanoUsd(): Promise<bigint> {
    return (await app.get(Ledger).balance(world.owner.id)).reservedNanoUsd;
  }

  /** Outcome and charge of every call of the owner that has ended. */
  async function receipts(): Promise<[string, string][]> {
    const rows: { outcome: string; charged_nano: string }[] = await service.database.query(
      'SELECT outcome, charged_nano FROM calls WHERE account_id = $1',
      [world.owner.id],
    );
    return rows.map((row) => [row.outcome, row.charged_nano]);
  }

  async function claims(): Promise<number> {
    const rows: unknown[] = await service.database.query(
      'SELECT FROM idempotency_claims WHERE account_id = $1',
      [world.owner.id],
    );
    return rows.length;
  }

  function ledgerOf(accountId: string): Ledger {
    const ledger = app.get(Ledger);
    return ledger instanceof DividedLedger ? ledger.of(accountId) : ledger;
  }
});
