import { measureShards, type ShardResults } from '../../bench/shards/measure';
import { shardFailures, shardsReport } from '../../bench/shards/report';
import { depth } from '../support/jest/depth';

const CALLS = depth('SHARD_CALLS', { short: 300, deep: 20_000 });

describe('accounts over three Postgres servers', () => {
  let results: ShardResults;

  beforeAll(async () => {
    const until = (calls: number): boolean => calls >= CALLS;
    results = await measureShards(
      { counts: [3], accounts: 30, atOnce: 16, durable: false, until },
      () => undefined,
    );
    process.stdout.write(`${shardsReport(results)}\n`);
  });

  it('are charged on the shard of each alone, and no money is lost', () => {
    expect(shardFailures(results)).toEqual([]);
    const [run] = results.runs;
    expect(run?.calls.calls).toBeGreaterThanOrEqual(CALLS);
    expect(run?.accountsOfShards.every((count) => count > 0)).toBe(true);
    expect(run?.sent.every((counts) => (counts.ledger_flush ?? 0) + (counts.ledger_settle ?? 0) > 0)).toBe(
      true,
    );
  });

  it('would be found out: money that is missing, a row on a wrong shard, a statement that crosses', () => {
    const [run] = results.runs;
    const wrong = (fields: object) => shardFailures({ ...results, runs: run ? [{ ...run, ...fields }] : [] });
    expect(wrong({ money: { ...run?.money, balances: 0n } })).toHaveLength(2);
    expect(wrong({ misplacedRows: 1 })).toHaveLength(1);
    expect(wrong({ coordinator: [{ name: 'balance', planned: 1, asked: 2 }] })).toHaveLength(1);
  });
});
