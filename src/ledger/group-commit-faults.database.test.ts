import { DataSource } from 'typeorm';
import { TURNS_IN_100_MS, turnsDuring } from '../../test/support/event-loop-turns';
import { CREDIT, useGroupCommitLedger } from '../../test/support/ledger/group-commit-ledger';
import { TcpProxy } from '../../test/support/processes/tcp-proxy';
import { until } from '../../test/support/until';
import { DatabaseUrl } from '../database/connection-pool';
import { dataSourceOptions } from '../database/data-source';
import { Metrics } from '../observability/metrics';
import { GroupCommitLedger } from './group-commit-ledger';
import type { ReserveVerdict } from './ledger';
import { LedgerMetrics } from './ledger.metrics';

describe('GroupCommitLedger, when something fails', () => {
  const {
    current,
    newHolder,
    orderOf,
    settlementOf,
    together,
    counted,
    expectReserved,
    lock,
    waitingReserves,
    endWaitingFlushes,
  } = useGroupCommitLedger();

  it('serves all other accounts while somebody holds the row of one', async () => {
    const others = await Promise.all(Array.from({ length: 8 }, () => newHolder()));
    const blocker = await lock(current.holder.accountId);
    const stalled = together(Array.from({ length: 5 }, () => orderOf(current.holder)));
    const served = others.map((by) => current.ledger.reserve(orderOf(by)));
    expect((await Promise.all(served)).map(({ verdict }) => verdict)).toEqual(others.map(() => 'reserved'));
    await expectReserved(current.holder, 0n);
    await blocker.query('COMMIT');
    await blocker.end();
    expect((await stalled).map((result) => (result as { value?: ReserveVerdict }).value?.verdict)).toEqual(
      Array.from({ length: 5 }, () => 'reserved'),
    );
    await expectReserved(current.holder, 500n);
  });

  it('lets an account that was held back into the flushes as soon as it is free', async () => {
    const blocker = await lock(current.holder.accountId);
    const stalled = together(
      Array.from({ length: 40 }, () => orderOf(current.holder, { amountNanoUsd: 1n })),
    );
    await until('the account is set aside', async () => (await waitingReserves()) > 0);
    await blocker.query('COMMIT');
    await blocker.end();
    await stalled;
    const before = await counted('ledger_reservations_total{path="together"}');
    await together(Array.from({ length: 40 }, () => orderOf(current.holder, { amountNanoUsd: 1n })));
    expect((await counted('ledger_reservations_total{path="together"}')) - before).toBeGreaterThanOrEqual(40);
    await expectReserved(current.holder, 80n);
  });

  it('keeps an account in the flushes although it ends calls that had ended before', async () => {
    const order = orderOf(current.holder);
    await current.ledger.reserve(order);
    await current.ledger.settle(settlementOf(order));
    const again = together(Array.from({ length: 30 }, () => orderOf(current.holder, { amountNanoUsd: 1n })));
    const ended = Array.from({ length: 30 }, async () =>
      current.ledger.settle(settlementOf(order, { outcome: 'released' })),
    );
    expect((await Promise.all(ended)).map(({ verdict }) => verdict)).toEqual(ended.map(() => 'gone'));
    await again;
    expect(await counted('ledger_reservations_total{path="exact"}')).toBe(0);
    expect(await counted('ledger_reservations_total{path="together"}')).toBeGreaterThanOrEqual(30);
  });

  it('answers with 503 within seconds while the database hears nothing, and reserves nothing then', async () => {
    const proxy = await TcpProxy.start(addressOf(current.testDatabase.url));
    const far = { ...dataSourceOptions(proxied(current.testDatabase.url, proxy.port), 10), entities: [] };
    const farDatabase = await new DataSource(far).initialize();
    const url = new DatabaseUrl(proxied(current.testDatabase.url, proxy.port));
    const farLedger = new GroupCommitLedger(farDatabase, url, new LedgerMetrics(new Metrics()));
    const orders = Array.from({ length: 12 }, () => orderOf(current.holder, { amountNanoUsd: 1n }));
    await Promise.all(orders.map((order) => farLedger.reserve(order)));
    proxy.state = 'losing everything';
    const lost = orders.map(() => farLedger.reserve(orderOf(current.holder, { amountNanoUsd: 1n })));
    const later = lost.slice(2).map((verdict) => verdict.catch((error: unknown) => error));
    lost.slice(0, 2).forEach((verdict) => void verdict.catch(() => undefined));
    const turns = await turnsDuring(async () => {
      for (const error of await Promise.all(later)) {
        expect(error).toMatchObject({ status: 503 });
      }
    });
    expect(turns).toBeLessThan(200 * TURNS_IN_100_MS);
    await expectReserved(current.holder, 12n);
    await proxy.stop();
    await Promise.allSettled(lost);
    await farLedger.onApplicationShutdown();
    await farDatabase.destroy();
  }, 60_000);

  it('tells of orders whose flush hangs when their own time is over, without any order that comes later', async () => {
    const proxy = await TcpProxy.start(addressOf(current.testDatabase.url));
    const url = new DatabaseUrl(proxied(current.testDatabase.url, proxy.port));
    // Only the flushes go through the proxy, so that they alone hang.
    const farLedger = new GroupCommitLedger(current.database, url, new LedgerMetrics(new Metrics()));
    const orders = Array.from({ length: 12 }, () => orderOf(current.holder, { amountNanoUsd: 1n }));
    await Promise.all(orders.map((order) => farLedger.reserve(order)));
    proxy.state = 'losing everything';
    const reservations = orders.map(() => farLedger.reserve(orderOf(current.holder, { amountNanoUsd: 1n })));
    const releases = orders.map((order) => farLedger.settle(settlementOf(order, { outcome: 'released' })));
    const reserving = await turnsDuring(async () => {
      for (const reservation of await Promise.allSettled(reservations.slice(2))) {
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
    await Promise.allSettled(reservations);
    await proxy.stop();
    await farLedger.onApplicationShutdown();
  }, 60_000);

  it('answers reservations that are durable although their answer was lost', async () => {
    const proxy = await TcpProxy.start(addressOf(current.testDatabase.url));
    const farUrl = new DatabaseUrl(proxied(current.testDatabase.url, proxy.port));
    // Only the flushes go through the proxy: the pool finds out what became of them.
    const farLedger = new GroupCommitLedger(current.database, farUrl, new LedgerMetrics(new Metrics()));
    const company = await newHolder();
    const warm = Array.from({ length: 12 }, () => orderOf(company, { amountNanoUsd: 0n }));
    await Promise.all(warm.map((order) => farLedger.reserve(order)));
    proxy.state = 'losing answers';
    const busy = [1, 2].map(() => farLedger.reserve(orderOf(company, { amountNanoUsd: 0n })));
    const verdicts = Array.from({ length: 7 }, async () => farLedger.reserve(orderOf(current.holder)));
    await until(
      'the flush is durable',
      async () => (await current.ledger.balance(current.holder.accountId)).reservedNanoUsd === 700n,
    );
    await until('its answer is lost', async () => Promise.resolve(proxy.answersLost > 0));
    proxy.state = 'whole';
    proxy.cut('reset');
    expect(await Promise.all(verdicts)).toEqual(
      verdicts.map(() => ({ verdict: 'reserved', balanceNanoUsd: CREDIT })),
    );
    await Promise.all(busy);
    await expectReserved(current.holder, 700n);
    await farLedger.onApplicationShutdown();
    await proxy.stop();
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

  it('decides what waits before it closes', async () => {
    const verdicts = together(
      Array.from({ length: 50 }, () => orderOf(current.holder, { amountNanoUsd: 20n })),
    );
    await until('orders wait', async () => (await counted('ledger_queue_depth')) > 0);
    await current.ledger.onApplicationShutdown();
    expect((await verdicts).filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    await expectReserved(current.holder, CREDIT);
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
