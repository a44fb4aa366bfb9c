import { setTimeout as delay } from 'node:timers/promises';
import { registerOf } from '../../test/support/database/process-register';
import { CREDIT, LEASE_MS, useLeaseLedger } from '../../test/support/ledger/lease-ledger';
import { AccountShards } from '../database/account-shards';
import type { ProcessRegister } from '../database/process-register';
import { Metrics } from '../observability/metrics';
import { FlushConnection } from './flush-connection';
import { LeaseLedger } from './lease-ledger';
import { ShardedLedger } from './ledger.module';
import { LedgerMetrics } from './ledger.metrics';

const SHARDS = 3;
const HOLDERS = 12;
/** After a key was changed, processes are lent no more than they need for a second. */
const EXACT_FOR_MS = 1_000;

describe('a ledger of several shards', () => {
  const { current, newHolder, orderOf, settlementOf } = useLeaseLedger();
  const shards = new AccountShards(SHARDS);
  let ledger: ShardedLedger;
  const opened: { ledger: ShardedLedger; register: ProcessRegister }[] = [];

  beforeEach(async () => {
    ledger = await open();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const process of opened.splice(0)) {
      await process.ledger.onApplicationShutdown();
      await process.register.onApplicationShutdown();
    }
  });

  /** As one process has it. */
  async function open(): Promise<ShardedLedger> {
    const { database, testDatabase } = current;
    const register = registerOf(database, testDatabase.url);
    const metrics = new LedgerMetrics(new Metrics());
    const ledgers = Array.from(
      { length: SHARDS },
      () => new LeaseLedger(database, testDatabase.url, metrics, register),
    );
    await register.onModuleInit();
    const process = { ledger: new ShardedLedger(shards, ledgers), register };
    opened.push(process);
    return process.ledger;
  }

  const newHolders = () => Promise.all(Array.from({ length: HOLDERS }, () => newHolder()));

  it('commits the orders of each shard apart, and decides them as one ledger would', async () => {
    const flush = jest.spyOn(FlushConnection.prototype, 'flush');
    const holders = await newHolders();
    const orders = holders.flatMap((holder) => [1, 2, 3].map(() => orderOf(holder, { amountNanoUsd: 400n })));
    const verdicts = await Promise.all(orders.map(async (order) => ledger.reserve(order)));
    expect(verdicts.filter(({ verdict }) => verdict === 'reserved')).toHaveLength(2 * HOLDERS);
    expect(verdicts.filter(({ verdict }) => verdict === 'insufficient_credits')).toHaveLength(HOLDERS);
    const reserved = orders.filter((_, index) => verdicts[index]?.verdict === 'reserved');
    await Promise.all(reserved.map((order) => ledger.settle(settlementOf(order))));
    for (const { accountId } of holders) {
      expect((await ledger.balance(accountId)).balanceNanoUsd).toBe(200n);
    }
    const flushed = flush.mock.calls.map(
      ([, { ends, begun, leases }]) =>
        new Set([
          ...[...ends, ...begun].map(({ order }) => order.accountId),
          ...leases.map(({ accountId }) => accountId),
        ]),
    );
    const shardsOfFlushes = flushed.map((accountIds) => [...accountIds].map((id) => shards.of(id)));
    expect(shardsOfFlushes.some((places) => places.length > 1)).toBe(true);
    expect(shardsOfFlushes.filter((places) => new Set(places).size !== 1)).toEqual([]);
  });

  it('sweeps what is over in every shard, once', async () => {
    const holders = await newHolders();
    expect(new Set(holders.map(({ accountId }) => shards.of(accountId))).size).toBeGreaterThan(1);
    await Promise.all(holders.map(async (holder) => ledger.reserve(orderOf(holder))));
    current.clock.advance(LEASE_MS);
    expect(await ledger.sweep(current.clock.now())).toBe(HOLDERS);
    expect(await ledger.sweep(current.clock.now())).toBe(0);
  });

  it('recalls in every shard what another process has not used', async () => {
    const other = await open();
    const holders = await newHolders();
    expect(new Set(holders.map(({ accountId }) => shards.of(accountId))).size).toBeGreaterThan(1);
    await delay(1.1 * EXACT_FOR_MS);
    const began = holders.map((holder) => orderOf(holder, { amountNanoUsd: 1n }));
    await Promise.all(began.map(async (order) => other.reserve(order)));
    expect(await current.database.query('SELECT FROM leases WHERE NOT is_exact')).toHaveLength(HOLDERS);
    const rest = holders.map(async (holder) =>
      ledger.reserve(orderOf(holder, { amountNanoUsd: CREDIT - 1n })),
    );
    expect(await Promise.allSettled(rest)).toEqual(
      rest.map(() => ({ status: 'fulfilled', value: { verdict: 'reserved' } })),
    );
  });

  it('refuses to be made of too few ledgers', () => {
    expect(() => new ShardedLedger(shards, [current.ledger])).toThrow('3 shards need as many ledgers, not 1');
  });
});
