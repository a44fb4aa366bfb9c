import { LEASE_MS, useGroupCommitLedger } from '../../test/support/ledger/group-commit-ledger';
import { AccountShards } from '../database/account-shards';
import { DatabaseUrl } from '../database/connection-pool';
import { Metrics } from '../observability/metrics';
import { FlushConnection } from './flush-connection';
import { GroupCommitLedger, ShardedLedger } from './group-commit-ledger';
import { LedgerMetrics } from './ledger.metrics';

const SHARDS = 3;
const HOLDERS = 12;

describe('a ledger of several shards', () => {
  const { current, newHolder, orderOf, settlementOf } = useGroupCommitLedger();
  const shards = new AccountShards(SHARDS);
  let ledger: ShardedLedger;

  beforeEach(() => {
    const url = new DatabaseUrl(current.testDatabase.url);
    const metrics = new LedgerMetrics(new Metrics());
    const ledgers = Array.from(
      { length: SHARDS },
      () => new GroupCommitLedger(current.database, url, metrics),
    );
    ledger = new ShardedLedger(shards, ledgers);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await ledger.onApplicationShutdown();
  });

  const newHolders = () => Promise.all(Array.from({ length: HOLDERS }, () => newHolder()));

  it('commits the orders of each shard apart, and decides them as one ledger would', async () => {
    const flush = jest.spyOn(FlushConnection.prototype, 'flush');
    const holders = await newHolders();
    const orders = holders.flatMap((holder) => [1, 2, 3].map(() => orderOf(holder, { amountNanoUsd: 400n })));
    const verdicts = await Promise.all(orders.map((order) => ledger.reserve(order)));
    expect(verdicts.filter(({ verdict }) => verdict === 'reserved')).toHaveLength(2 * HOLDERS);
    expect(verdicts.filter(({ verdict }) => verdict === 'insufficient_credits')).toHaveLength(HOLDERS);
    const reserved = orders.filter((_, index) => verdicts[index]?.verdict === 'reserved');
    await Promise.all(reserved.map((order) => ledger.settle(settlementOf(order))));
    for (const { accountId } of holders) {
      expect((await ledger.balance(accountId)).balanceNanoUsd).toBe(200n);
    }
    const flushed = flush.mock.calls.map(([parameters]) => JSON.stringify(parameters));
    const shardsOfFlushes = flushed.map((text) =>
      holders
        .filter(({ accountId }) => text.includes(accountId))
        .map(({ accountId }) => shards.of(accountId)),
    );
    expect(shardsOfFlushes.some((places) => places.length > 1)).toBe(true);
    expect(shardsOfFlushes.filter((places) => new Set(places).size !== 1)).toEqual([]);
  });

  it('sweeps what is over in every shard, once', async () => {
    const holders = await newHolders();
    expect(new Set(holders.map(({ accountId }) => shards.of(accountId))).size).toBeGreaterThan(1);
    await Promise.all(holders.map((holder) => ledger.reserve(orderOf(holder))));
    current.clock.advance(LEASE_MS);
    expect(await ledger.sweep(current.clock.now())).toBe(HOLDERS);
    expect(await ledger.sweep(current.clock.now())).toBe(0);
  });

  it('refuses to be made of too few ledgers', () => {
    expect(() => new ShardedLedger(shards, [current.ledger])).toThrow('3 shards need as many ledgers, not 1');
  });
});
