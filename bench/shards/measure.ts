import { withClient } from '../bench-postgres';
import { askCoordinator, type CoordinatorStatement } from './coordinator-statements';
import { PAID_CALL_TABLES, partitionName } from './divide-tables';
import { makePaidCalls, type PaidCalls } from './paid-calls';
import { startShardServers, type ShardServers } from './shard-servers';
import { COORDINATOR_ROLE, createShardedDatabase, type ShardedDatabase } from './sharded-database';
import {
  createShardedAccounts,
  CREDIT_NANO_USD,
  openShardedMoney,
  type ShardedAccount,
} from './sharded-money';

export interface ShardSettings {
  /** With how many shards the calls are made, one run for each; the largest says how many servers are started. */
  counts: readonly number[];
  accounts: number;
  atOnce: number;
  durable: boolean;
  /** Whether a run is long enough. */
  until: (calls: number, seconds: number) => boolean;
}

/** How often a shard was sent each kind of statement. */
export type StatementCounts = Record<string, number>;

export interface ShardRun {
  shards: number;
  calls: PaidCalls;
  /** In the order of the shards. */
  accountsOfShards: number[];
  /** Sent to the shards while calls were made, in the order of the shards. */
  sent: StatementCounts[];
  /** Statements that the coordinator itself sent to shards while calls were made. */
  fromCoordinator: number;
  /** What the plain statements of calls asked when the coordinator was given them. */
  coordinator: CoordinatorStatement[];
  /** Rows that stand on another shard than that of their account. */
  misplacedRows: number;
  money: MoneyOfShards;
}

/** All amounts are in nano-USD, summed over the shards by the coordinator. */
export interface MoneyOfShards {
  credited: bigint;
  /** What the callers were told. */
  charged: bigint;
  balances: bigint;
  entries: bigint;
  reserved: bigint;
  calls: number;
}

export interface ShardResults {
  postgresVersion: string;
  atOnce: number;
  durable: boolean;
  runs: ShardRun[];
}

/** Makes paid calls on one shard, on two and so on, each a server of its own, and looks where their statements went. */
export async function measureShards(
  settings: ShardSettings,
  log: (message: string) => void,
): Promise<ShardResults> {
  const { counts, atOnce, durable } = settings;
  const servers = await startShardServers(Math.max(...counts), durable, () => undefined);
  try {
    const runs: ShardRun[] = [];
    for (const count of counts) {
      log(`${count} shards: making calls`);
      runs.push(await runOn(servers, count, settings));
    }
    return { postgresVersion: servers.version, atOnce, durable, runs };
  } finally {
    await servers.stop();
  }
}

async function runOn(
  servers: ShardServers,
  count: number,
  { accounts: accountCount, atOnce, until }: ShardSettings,
): Promise<ShardRun> {
  const database = await createShardedDatabase(servers, count);
  const money = await openShardedMoney(database);
  try {
    const accounts = await createShardedAccounts(database, money, accountCount);
    await onEach(database, 'SELECT pg_stat_statements_reset()');
    const calls = await makePaidCalls(money, accounts, atOnce, until);
    const sent = await Promise.all(database.shards.map(sentTo));
    const accountsOfShards = database.shards.map(
      (_, shard) => accounts.filter(({ accountId }) => money.shards.of(accountId) === shard).length,
    );
    const told = await moneyOf(database, accounts, calls);
    return {
      shards: count,
      calls,
      accountsOfShards,
      sent: sent.map(({ counts: ofKinds }) => ofKinds),
      fromCoordinator: sent.reduce((sum, { fromCoordinator }) => sum + fromCoordinator, 0),
      coordinator: await askCoordinator(database, accounts.slice(0, 4 * count)),
      misplacedRows: await misplacedRows(database),
      money: told,
    };
  } finally {
    await money.close();
  }
}

async function sentTo(url: string): Promise<{ counts: StatementCounts; fromCoordinator: number }> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ kind: string; role: string; calls: string }>(SENT);
    const own = rows.filter(({ role }) => role !== COORDINATOR_ROLE);
    const foreign = rows.filter(({ role }) => role === COORDINATOR_ROLE);
    return {
      counts: Object.fromEntries(own.map(({ kind, calls }) => [kind, Number(calls)])),
      fromCoordinator: foreign.reduce((sum, { calls }) => sum + Number(calls), 0),
    };
  });
}

async function moneyOf(
  { coordinator }: ShardedDatabase,
  accounts: readonly ShardedAccount[],
  { chargedNanoUsd }: PaidCalls,
): Promise<MoneyOfShards> {
  return withClient(coordinator, async (client) => {
    const { rows } = await client.query<Record<'balances' | 'entries' | 'reserved' | 'calls', string>>(MONEY);
    const [row] = rows;
    return {
      credited: BigInt(accounts.length) * CREDIT_NANO_USD,
      charged: chargedNanoUsd,
      balances: BigInt(row?.balances ?? -1),
      entries: BigInt(row?.entries ?? -1),
      reserved: BigInt(row?.reserved ?? -1),
      calls: Number(row?.calls),
    };
  });
}

/** Postgres itself says to which partition an account belongs; the coordinator reads the rows of each shard. */
async function misplacedRows({ coordinator, shards }: ShardedDatabase): Promise<number> {
  return withClient(coordinator, async (client) => {
    let misplaced = 0;
    for (const table of PAID_CALL_TABLES) {
      for (const shard of shards.keys()) {
        const { rows } = await client.query<{ count: string }>(
          // Materialized, because the shards know no such partitions and must not be asked.
          `WITH rows AS MATERIALIZED (SELECT account_id FROM ${partitionName(table, shard)})
           SELECT count(*) FROM rows WHERE NOT satisfies_hash_partition($1::regclass, $2, $3, account_id)`,
          [table, shards.length, shard],
        );
        misplaced += Number(rows[0]?.count);
      }
    }
    return misplaced;
  });
}

async function onEach({ shards }: ShardedDatabase, statement: string): Promise<void> {
  await Promise.all(shards.map((url) => withClient(url, (client) => client.query(statement))));
}

const SENT = `
  SELECT coalesce(substring(query FROM '\\m(ledger_[a-z]+|idempotency_claim)\\('), 'session') AS kind, rolname AS role,
    sum(calls) AS calls
  FROM pg_stat_statements JOIN pg_roles ON pg_roles.oid = userid
  WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
  GROUP BY 1, 2`;

const MONEY = `
  SELECT sum(balance_nano) AS balances, sum(reserved_nano) AS reserved,
    (SELECT sum(amount_nano) FROM ledger_entries) AS entries, (SELECT count(*) FROM calls) AS calls
  FROM balances`;
