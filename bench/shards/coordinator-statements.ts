import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { KeyDirectory } from '../../src/accounts/key-cache';
import { EventSubscriptions } from '../../src/events/event-subscriptions';
import { Idempotency } from '../../src/ledger/idempotency';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import { UsageLog } from '../../src/ledger/usage-log';
import { SystemClock } from '../../src/runtime/clock';
import { AccountShards } from '../../src/database/account-shards';
import { Metrics } from '../../src/observability/metrics';
import { ProcessRegister } from '../../src/database/process-register';
import { DatabaseUrl } from '../../src/database/connection-pool';
import { newId } from '../../src/runtime/ids';
import { COORDINATOR_ROLE, type ShardedDatabase } from './sharded-database';
import type { ShardedAccount } from './sharded-money';

/** A statement that the coordinator was given. */
export interface CoordinatorStatement {
  name: string;
  /** How many shards its plan asks (EXPLAIN VERBOSE); null for an insert, whose plan does not say. */
  planned: number | null;
  /** How many shards got statements of the coordinator meanwhile (pg_stat_statements). */
  asked: number;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

/**
 * Has the service's own classes send the plain statements of a paid call to the coordinator, and looks where each goes. Beside
 * them it asks for the sum of all balances, which has to go everywhere: so that nothing which crosses would be missed.
 */
export async function askCoordinator(
  database: ShardedDatabase,
  accounts: readonly ShardedAccount[],
): Promise<CoordinatorStatement[]> {
  const watched = await WatchedCoordinator.open(database);
  try {
    const shards = new AccountShards(database.shards.length);
    const source = watched as unknown as DataSource;
    const clock = new SystemClock();
    const url = new DatabaseUrl(database.coordinator);
    const single = new PostgresLedger(source);
    const usage = new UsageLog(source, shards);
    const claims = new Idempotency(source);
    const keys = new KeyDirectory(source, clock, new ProcessRegister(url, source, clock, new Metrics()));
    const subscriptions = new EventSubscriptions(source, clock, shards);
    for (const { accountId, keyId } of accounts) {
      const callId = newId();
      await watched.named('balance', () => single.balance(accountId));
      await watched.named('receipt', () => usage.receipt(accountId, callId));
      await watched.named('answer of a free call', () =>
        claims.complete({ id: callId, accountId, callId }, { status: 200, body: '{}' }),
      );
      await watched.named('claim given up', () => claims.abandon(accountId, callId));
      await watched.named('last use of a key', () => keys.touch({ id: keyId, accountId }));
    }
    await watched.named('usage of uncharged calls', () => usage.insertUncharged(accounts.map(unchargedCall)));
    await watched.named('subscriptions', () =>
      Promise.all(accounts.map(({ accountId }) => subscriptions.wants(accountId, 'balance.updated'))),
    );
    await watched.named(SUM_OF_ALL, () => watched.query('SELECT sum(balance_nano) FROM balances', []));
    return watched.statements;
  } finally {
    await watched.close();
  }
}

/** The one statement that names no account, and so asks every shard. */
export const SUM_OF_ALL = 'sum of all balances';

function unchargedCall({ accountId, keyId }: ShardedAccount) {
  const now = new Date();
  return {
    id: newId(),
    accountId,
    keyId,
    requestId: newId(),
    clientRequestId: null,
    operation: 'listModels',
    outcome: 'settled' as const,
    status: 200,
    price: null,
    priceVersion: null,
    createdAt: now,
    completedAt: now,
  };
}

/** Stands in the place of the data source: sends one statement after the other and looks where it goes. */
class WatchedCoordinator {
  readonly statements: CoordinatorStatement[] = [];
  private name = '';
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly coordinator: Client,
    private readonly shards: readonly Client[],
  ) {}

  static async open({ coordinator, shards }: ShardedDatabase): Promise<WatchedCoordinator> {
    const [first, ...others] = await Promise.all([coordinator, ...shards].map(connected));
    if (!first) {
      throw new Error('there is no coordinator');
    }
    return new WatchedCoordinator(first, others);
  }

  async named(name: string, work: () => Promise<unknown>): Promise<void> {
    this.name = name;
    await work();
  }

  query(sql: string, parameters: unknown[]): Promise<unknown[]> {
    const answer = this.last.then(() => this.watch(sql, parameters));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    await Promise.all([this.coordinator, ...this.shards].map((client) => client.end()));
  }

  private async watch(sql: string, parameters: unknown[]): Promise<unknown[]> {
    const { rows: plans } = await this.coordinator.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (VERBOSE, FORMAT JSON) ${sql}`,
      parameters,
    );
    const places = new Set<string>();
    plans[0]?.['QUERY PLAN'].forEach(({ Plan: plan }) => addPlaces(plan, places));
    const before = await this.counts();
    const { rows } = await this.coordinator.query<Record<string, unknown>>(sql, parameters);
    const after = await this.counts();
    this.statements.push({
      name: this.name,
      planned: /^\s*INSERT/.test(sql) ? null : places.size,
      asked: after.filter((count, shard) => count !== before[shard]).length,
    });
    return rows;
  }

  private async counts(): Promise<number[]> {
    return Promise.all(
      this.shards.map(async (client) => {
        const { rows } = await client.query<{ calls: string }>(OF_COORDINATOR, [COORDINATOR_ROLE]);
        return Number(rows[0]?.calls);
      }),
    );
  }
}

async function connected(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  return client;
}

/** Adds the shards whose tables a plan reads or changes. */
function addPlaces(node: PlanNode, places: Set<string>): void {
  const shard = /_shard_(\d+)$/.exec(node['Relation Name'] ?? '')?.[1];
  if (shard !== undefined && node['Node Type'] === 'Foreign Scan') {
    places.add(shard);
  }
  node.Plans?.forEach((child) => addPlaces(child, places));
}

const OF_COORDINATOR = `
  SELECT coalesce(sum(calls), 0) AS calls FROM pg_stat_statements
  WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND userid = (SELECT oid FROM pg_roles WHERE rolname = $1)`;
