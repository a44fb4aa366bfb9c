import { Client, DatabaseError } from 'pg';
import { DataSource } from 'typeorm';
import { registerOf } from '../../test/support/database/process-register';
import { TURNS_IN_100_MS, turnsDuring } from '../../test/support/event-loop-turns';
import { CREDIT, useLeaseLedger, type Holder } from '../../test/support/ledger/lease-ledger';
import { TcpProxy } from '../../test/support/processes/tcp-proxy';
import { until } from '../../test/support/until';
import { SpendingLimitsRepository } from '../accounts/spending-limits';
import { AccountDatabases } from '../database/account-databases';
import { dataSourceOptions } from '../database/data-source';
import { Metrics } from '../observability/metrics';
import { accountsOf } from './flush-batch';
import { FlushConnection } from './flush-connection';
import { Idempotency } from './idempotency';
import { LeaseLedger } from './lease-ledger';
import type { ReserveOrder, ReserveVerdict } from './ledger';
import { LedgerMetrics } from './ledger.metrics';
import { type UnchargedCall, UsageLog } from './usage-log';

const RESERVED = { status: 'fulfilled', value: { verdict: 'reserved' } };

describe('LeaseLedger, when something fails', () => {
  const {
    current,
    newHolder,
    orderOf,
    settlementOf,
    together,
    counted,
    expectReserved,
    lock,
    waitingFlushes,
    endWaitingFlushes,
  } = useLeaseLedger();

  afterEach(() => jest.restoreAllMocks());

  const balanceOf = async ({ accountId }: Holder) => (await current.ledger.balance(accountId)).balanceNanoUsd;

  /** What processes have of the balance. */
  const lentOf = async ({ accountId }: Holder): Promise<bigint> => {
    const [row]: { reserved_nano: string }[] = await current.database.query(
      'SELECT reserved_nano FROM balances WHERE account_id = $1',
      [accountId],
    );
    return BigInt(row?.reserved_nano ?? -1);
  };

  /** A process that reaches the database through a proxy: with everything, or with its flushes only, so that they alone hang. */
  async function openFar(through: 'everything' | 'flushes') {
    const { url } = current.testDatabase;
    const proxy = await TcpProxy.start(addressOf(url));
    const farUrl = proxied(url, proxy.port);
    const isAll = through === 'everything';
    const options = { ...dataSourceOptions(isAll ? farUrl : url, 10), entities: [] };
    const database = await new DataSource(options).initialize();
    const register = registerOf(database, isAll ? farUrl : url);
    const ledger = new LeaseLedger(database, farUrl, new LedgerMetrics(new Metrics()), register);
    await register.onModuleInit();
    let stopped: Promise<void> | null = null;
    const stop = () => (stopped ??= ledger.onApplicationShutdown());
    const close = async (): Promise<void> => {
      proxy.state = 'whole';
      proxy.cut('reset');
      await stop();
      await register.onApplicationShutdown();
      await database.destroy();
      await proxy.stop();
    };
    return { proxy, ledger, stop, close };
  }

  function rowOf({ callId, accountId, keyId, requestId, now }: ReserveOrder): UnchargedCall {
    const times = { createdAt: now, completedAt: now };
    const names = { operation: 'createMemory', price: null, priceVersion: null, clientRequestId: null };
    return { id: callId, accountId, keyId, requestId, outcome: 'refused', status: 504, ...names, ...times };
  }

  it('serves all other accounts while somebody holds the row of one', async () => {
    const others = await Promise.all(Array.from({ length: 8 }, () => newHolder()));
    const blocker = await lock(current.holder.accountId);
    const stalled = together(Array.from({ length: 5 }, () => orderOf(current.holder)));
    const served = together(others.map((by) => orderOf(by)));
    expect(await served).toEqual(others.map(() => RESERVED));
    expect(await Promise.race([stalled, Promise.resolve('stalled')])).toBe('stalled');
    await blocker.query('COMMIT');
    await blocker.end();
    expect(await stalled).toEqual(Array.from({ length: 5 }, () => RESERVED));
    await expectReserved(current.holder, 500n);
  });

  it('serves all other accounts while somebody holds the key of one', async () => {
    const others = await Promise.all(Array.from({ length: 8 }, () => newHolder()));
    const rotation = new Client(current.testDatabase.url);
    await rotation.connect();
    await rotation.query('BEGIN');
    await rotation.query('SELECT FROM access_keys WHERE id = $1 FOR NO KEY UPDATE', [current.holder.keyId]);
    const stalled = together([orderOf(current.holder)]);
    const served = together(others.map((by) => orderOf(by)));
    expect(await served).toEqual(others.map(() => RESERVED));
    await rotation.query('COMMIT');
    await rotation.end();
    expect(await stalled).toEqual([RESERVED]);
  });

  it('settles for all other accounts while somebody holds the row of one, and then for that one', async () => {
    const others = await Promise.all(Array.from({ length: 8 }, () => newHolder()));
    const [own, theirs] = [orderOf(current.holder), others.map((by) => orderOf(by))];
    expect(await together([own, ...theirs])).toEqual([own, ...theirs].map(() => RESERVED));
    const blocker = await lock(current.holder.accountId);
    let isSettled = false;
    const stalled = current.ledger.settle(settlementOf(own)).finally(() => (isSettled = true));
    const served = await Promise.all(theirs.map((order) => current.ledger.settle(settlementOf(order))));
    expect(served.map(({ balanceNanoUsd }) => balanceNanoUsd)).toEqual(others.map(() => CREDIT - 100n));
    expect(isSettled).toBe(false);
    await blocker.query('COMMIT');
    await blocker.end();
    expect(await stalled).toEqual({
      verdict: 'settled',
      chargedNanoUsd: 100n,
      balanceNanoUsd: CREDIT - 100n,
    });
  });

  it('lets an account that was held back into the flushes of all as soon as it is free', async () => {
    const blocker = await lock(current.holder.accountId);
    const stalled = together(
      Array.from({ length: 40 }, () => orderOf(current.holder, { amountNanoUsd: 1n })),
    );
    await until('a flush waits for the row', async () => (await waitingFlushes()) > 0);
    await blocker.query('COMMIT');
    await blocker.end();
    expect(await stalled).toEqual(Array.from({ length: 40 }, () => RESERVED));
    const flush = jest.spyOn(FlushConnection.prototype, 'flush');
    const other = await newHolder();
    const orders = [current.holder, other, current.holder, other].map((by) => orderOf(by));
    expect(await together(orders)).toEqual(orders.map(() => RESERVED));
    expect(flush.mock.calls.map(([, batch]) => accountsOf(batch))).toContainEqual(
      new Set([current.holder.accountId, other.accountId]),
    );
    await expectReserved(current.holder, 240n);
  });

  it('fails the one order that the database refuses and none of its neighbours', async () => {
    const orders = Array.from({ length: 20 }, () => orderOf(current.holder, { amountNanoUsd: 10n }));
    const faulty = orderOf(current.holder, { amountNanoUsd: 10n });
    const twice = orderOf(current.holder, { amountNanoUsd: 10n });
    await together([...orders, faulty, twice]);
    await new UsageLog(AccountDatabases.only(current.database)).insertUncharged([rowOf(twice)]);
    const settlements = [...orders.slice(0, 7), faulty, ...orders.slice(7), twice].map((order) =>
      // Postgres takes no text with a NUL.
      settlementOf(order, order === faulty ? { answer: '"\0"' } : {}),
    );
    const settled = await Promise.allSettled(settlements.map((order) => current.ledger.settle(order)));
    const failures = settled.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    );
    expect(failures).toEqual([expect.stringContaining('Unicode'), expect.stringContaining('duplicate key')]);
    expect(await counted('ledger_splits_total')).toBeGreaterThan(0);
    expect(await current.ledger.balance(current.holder.accountId)).toEqual({
      balanceNanoUsd: CREDIT - 200n,
      reservedNanoUsd: 20n,
    });
    const released = settlementOf(faulty, { outcome: 'released', chargeNanoUsd: 0n, status: null });
    expect(await current.ledger.settle(released)).toMatchObject({ verdict: 'settled', chargedNanoUsd: 0n });
    await expectReserved(current.holder, 10n);
  });

  it('answers with 503 within seconds while the database hears nothing, and reserves nothing then', async () => {
    const far = await openFar('everything');
    const strangers = await Promise.all(Array.from({ length: 12 }, () => newHolder()));
    const orders = Array.from({ length: 12 }, () => orderOf(current.holder, { amountNanoUsd: 1n }));
    await Promise.all(orders.map(async (order) => far.ledger.reserve(order)));
    far.proxy.state = 'losing everything';
    const lost = strangers.map(async (by) => far.ledger.reserve(orderOf(by)));
    const turns = await turnsDuring(async () => {
      for (const result of await Promise.allSettled(lost)) {
        expect(result).toMatchObject({ status: 'rejected', reason: { status: 503 } });
      }
    });
    expect(turns).toBeLessThan(200 * TURNS_IN_100_MS);
    const { lending } = far.ledger as unknown as { lending: { waitingLeases: Set<unknown> } };
    expect(lending.waitingLeases.size).toBe(0);
    await far.close();
    expect(await Promise.all(strangers.map(lentOf))).toEqual(strangers.map(() => 0n));
    expect(await lentOf(current.holder)).toBe(12n);
  }, 60_000);

  it('tells of orders whose flush hangs when their own time is over, without any order that comes later', async () => {
    const far = await openFar('flushes');
    const orders = Array.from({ length: 12 }, () => orderOf(current.holder, { amountNanoUsd: 1n }));
    await Promise.all(orders.map(async (order) => far.ledger.reserve(order)));
    const stranger = await newHolder();
    far.proxy.state = 'losing everything';
    const reservations = orders.map(async () => far.ledger.reserve(orderOf(stranger, { amountNanoUsd: 1n })));
    const releases = orders.map((order) => far.ledger.settle(settlementOf(order, { outcome: 'released' })));
    const reserving = await turnsDuring(async () => {
      for (const reservation of await Promise.allSettled(reservations)) {
        expect(reservation).toMatchObject({ status: 'rejected', reason: { status: 503 } });
      }
    });
    expect(reserving).toBeLessThan(90 * TURNS_IN_100_MS);
    const releasing = await turnsDuring(async () => {
      for (const release of await Promise.allSettled(releases)) {
        expect(release).toMatchObject({ status: 'rejected', reason: { status: 503 } });
      }
    });
    expect(reserving + releasing).toBeLessThan(140 * TURNS_IN_100_MS);
    await far.close();
  }, 60_000);

  it('answers what is durable although its answer was lost', async () => {
    const far = await openFar('flushes');
    const warm = Array.from({ length: 7 }, () => orderOf(current.holder, { amountNanoUsd: 60n }));
    await Promise.all(warm.map(async (order) => far.ledger.reserve(order)));
    const stranger = await newHolder();
    far.proxy.state = 'losing answers';
    const settled = warm.map((order) => far.ledger.settle(settlementOf(order, { chargeNanoUsd: 50n })));
    const verdict = far.ledger.reserve(orderOf(stranger));
    await until('the flush is durable', async () => (await balanceOf(current.holder)) === CREDIT - 350n);
    await until('its answer is lost', async () => Promise.resolve(far.proxy.answersLost > 0));
    far.proxy.state = 'whole';
    far.proxy.cut('reset');
    const settlements = await Promise.all(settled);
    expect(settlements.map((settlement) => [settlement.verdict, settlement.chargedNanoUsd])).toEqual(
      warm.map(() => ['settled', 50n]),
    );
    expect(await verdict).toEqual({ verdict: 'reserved' });
    expect(await balanceOf(current.holder)).toBe(CREDIT - 350n);
    expect(await far.ledger.balance(stranger.accountId)).toEqual({
      balanceNanoUsd: CREDIT,
      reservedNanoUsd: 100n,
    });
    await far.close();
  }, 60_000);

  it('charges exactly once although its connections are ended in the middle of a flush', async () => {
    const orders = Array.from({ length: 10 }, () => orderOf(current.holder));
    await together(orders);
    const blocker = await lock(current.holder.accountId);
    const settled = orders.map((order) => current.ledger.settle(settlementOf(order, { chargeNanoUsd: 30n })));
    await until('a flush waits for the row', async () => (await endWaitingFlushes()) > 0);
    await blocker.query('COMMIT');
    await blocker.end();
    expect((await Promise.all(settled)).map(({ chargedNanoUsd }) => chargedNanoUsd)).toEqual(
      orders.map(() => 30n),
    );
    expect(await current.ledger.balance(current.holder.accountId)).toEqual({
      balanceNanoUsd: CREDIT - 300n,
      reservedNanoUsd: 0n,
    });
    expect(await counted('ledger_lost_connections_total')).toBe(1);
  });

  it('reserves exactly once although its connections are ended in the middle of a flush', async () => {
    const blocker = await lock(current.holder.accountId);
    const orders = Array.from({ length: 10 }, () => orderOf(current.holder));
    const verdicts = together(orders);
    await until('a flush waits for the row', async () => (await endWaitingFlushes()) > 0);
    await blocker.query('COMMIT');
    await blocker.end();
    expect((await verdicts).map((result) => (result as { value?: ReserveVerdict }).value?.verdict)).toEqual(
      orders.map(() => 'reserved'),
    );
    await expectReserved(current.holder, CREDIT);
    expect(await counted('ledger_lost_connections_total')).toBe(1);
  });

  it('reserves nothing of what it gives back while it does not know whether that is done', async () => {
    const far = await openFar('flushes');
    await far.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 10n }));
    expect(await lentOf(current.holder)).toBeGreaterThan(100n);
    // Nothing else is to be sent before it is asked to give back.
    await far.ledger.show(current.holder.accountId);
    far.proxy.state = 'losing answers';
    expect(await current.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 985n }))).toEqual({
      verdict: 'reserved',
    });
    const verdict = far.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 6n }));
    expect(verdict).toBeInstanceOf(Promise);
    far.proxy.state = 'whole';
    far.proxy.cut('reset');
    expect(await verdict).toMatchObject({ verdict: 'insufficient_credits', availableNanoUsd: 5n });
    await far.close();
  }, 60_000);

  it('frees what a call took of its own lease beyond its reservation, where its end fails', async () => {
    const far = await openFar('flushes');
    const order = orderOf(current.holder, { amountNanoUsd: 10n });
    await far.ledger.reserve(order);
    const failed = far.ledger.settle(settlementOf(order, { chargeNanoUsd: 50n, answer: '"\0"' }));
    await expect(failed).rejects.toThrow('Unicode');
    const released = settlementOf(order, { outcome: 'released', chargeNanoUsd: 0n, status: null });
    expect(await far.ledger.settle(released)).toMatchObject({ verdict: 'settled' });
    const { accountId, keyId } = current.holder;
    await new SpendingLimitsRepository(current.databases, current.clock, current.register).reset(
      accountId,
      keyId,
    );
    expect(await lentOf(current.holder)).toBe(0n);
    await far.close();
  });

  it('never makes a charge whose caller was told that nobody knows of it', async () => {
    const far = await openFar('flushes');
    const order = orderOf(current.holder);
    await far.ledger.reserve(order);
    far.proxy.state = 'losing everything';
    const flush = jest.spyOn(FlushConnection.prototype, 'flush');
    const settled = far.ledger.settle(settlementOf(order));
    await until('it is sent', () => flush.mock.calls.some(([, { ends }]) => ends.length > 0));
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 16_000);
    await expect(settled).rejects.toMatchObject({ status: 503 });
    clock.mockRestore();
    far.proxy.state = 'whole';
    far.proxy.cut('reset');
    await until(
      'what it held is free',
      async () => (await far.ledger.balance(current.holder.accountId)).reservedNanoUsd === 0n,
    );
    const released = settlementOf(order, { outcome: 'released', chargeNanoUsd: 0n, status: null });
    await until('it is known to be released', async () => {
      const release = await far.ledger.settle(released).catch(() => null);
      return release?.verdict === 'settled' && release.chargedNanoUsd === 0n;
    });
    expect(await balanceOf(current.holder)).toBe(CREDIT);
    await far.close();
  }, 60_000);

  it('takes a busy account out of the rest of a flush that is split', async () => {
    const [own, faulty] = [orderOf(current.holder), orderOf(await newHolder())];
    await together([own, faulty]);
    const blocker = await lock(current.holder.accountId);
    const flush = jest.spyOn(FlushConnection.prototype, 'flush');
    const settled = current.ledger.settle(settlementOf(own, { chargeNanoUsd: 30n }));
    const failed = current.ledger.settle(settlementOf(faulty, { chargeNanoUsd: 30n, answer: '"\0"' }));
    await expect(failed).rejects.toThrow('Unicode');
    await until('its orders wait alone', async () => (await waitingFlushes()) > 0);
    // All together, the ends by themselves, and from then on none of both.
    expect(flush.mock.calls.filter(([, batch]) => accountsOf(batch).size > 1)).toHaveLength(2);
    await blocker.query('COMMIT');
    await blocker.end();
    expect(await settled).toMatchObject({ verdict: 'settled', chargedNanoUsd: 30n });
    await current.ledger.settle(settlementOf(faulty, { outcome: 'released', chargeNanoUsd: 0n }));
  });

  it('tries each order of a cancelled flush by itself, and one that is alone again', async () => {
    const canceled = Object.assign(new DatabaseError('canceled', 0, 'error'), { code: '57014' });
    const flush = jest.spyOn(FlushConnection.prototype, 'flush');
    flush.mockRejectedValueOnce(canceled).mockRejectedValueOnce(canceled);
    const orders = [orderOf(current.holder), orderOf(await newHolder())];
    expect(await together(orders)).toEqual([RESERVED, RESERVED]);
    // The new account's lease may be retired, and replaced, by the news of its key: then a half has two leases.
    expect(await counted('ledger_splits_total')).toBeGreaterThanOrEqual(1);
  });

  it('serves all other accounts while something else of one is locked than its balance or its key', async () => {
    const [own, other] = [orderOf(current.holder), orderOf(await newHolder())];
    await together([own, other]);
    const asked = { idempotencyKey: 'k', operationId: 'createMemory', request: {}, isBounded: true };
    await new Idempotency(AccountDatabases.only(current.database)).claim({ ...asked, ...own });
    const blocker = new Client(current.testDatabase.url);
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM idempotency_claims WHERE call_id = $1 FOR UPDATE', [own.callId]);
    const stalled = current.ledger.settle(settlementOf(own, { answer: '{}' }));
    const served = current.ledger.settle(settlementOf(other));
    expect(await served).toMatchObject({ verdict: 'settled', chargedNanoUsd: 100n });
    await blocker.query('COMMIT');
    await blocker.end();
    expect(await stalled).toMatchObject({ verdict: 'settled', chargedNanoUsd: 100n });
  });

  it('decides what waits before it closes', async () => {
    const far = await openFar('flushes');
    const orders = Array.from({ length: 50 }, () => orderOf(current.holder, { amountNanoUsd: 20n }));
    const verdicts = Promise.allSettled(orders.map(async (order) => far.ledger.reserve(order)));
    await far.stop();
    expect(await verdicts).toEqual(orders.map(() => RESERVED));
    expect(await lentOf(current.holder)).toBe(CREDIT);
    await far.close();
  });
});

function addressOf(url: string): { host: string; port: number } {
  const { hostname: host, port } = new URL(url);
  return { host, port: Number(port) };
}

function proxied(url: string, port: number): string {
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return through.href;
}
