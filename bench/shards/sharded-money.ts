import { DataSource } from 'typeorm';
import { GroupCommitLedger, ShardedLedger } from '../../src/ledger/group-commit-ledger';
import { LedgerMetrics } from '../../src/ledger/ledger.metrics';
import { Idempotency } from '../../src/ledger/idempotency';
import { AccountShards } from '../../src/database/account-shards';
import { dataSourceOptions } from '../../src/database/data-source';
import { DatabaseUrl } from '../../src/database/connection-pool';
import { newId } from '../../src/runtime/ids';
import { Metrics } from '../../src/observability/metrics';
import { withClient } from '../bench-postgres';
import type { ShardedDatabase } from './sharded-database';

const POOL_SIZE_MAX = 6;
export const CREDIT_NANO_USD = 10n ** 12n;

export interface ShardedAccount {
  accountId: string;
  keyId: string;
}

/** What a paid call does to money, each step sent to the shard of its account alone. */
export interface ShardedMoney {
  shards: AccountShards;
  ledger: ShardedLedger;
  /** The claims of Idempotency-Keys of an account's shard. */
  idempotencyOf(accountId: string): Idempotency;
  close(): Promise<void>;
}

/** The service's own ledger and claims over the shards: each shard's functions run on its server. */
export async function openShardedMoney({ shards: urls }: ShardedDatabase): Promise<ShardedMoney> {
  const shards = new AccountShards(urls.length);
  const sources = await Promise.all(
    urls.map((url) => new DataSource(dataSourceOptions(url, POOL_SIZE_MAX)).initialize()),
  );
  const ledgers = sources.map(
    (source, shard) =>
      new GroupCommitLedger(source, new DatabaseUrl(urls[shard] ?? ''), new LedgerMetrics(new Metrics())),
  );
  const claims = sources.map((source) => new Idempotency(source));
  const ledger = new ShardedLedger(shards, ledgers);
  return {
    shards,
    ledger,
    idempotencyOf: (accountId) => {
      const found = claims[shards.of(accountId)];
      if (!found) {
        throw new Error(`account ${accountId} has no shard`);
      }
      return found;
    },
    close: async () => {
      await ledger.onApplicationShutdown();
      await Promise.all(sources.map((source) => source.destroy()));
    },
  };
}

/**
 * Makes accounts with a key and a deposit. The accounts themselves are on every server, as a reference table would be. Balances
 * and keys are written through the coordinator, so that Postgres decides which shard has them.
 */
export async function createShardedAccounts(
  database: ShardedDatabase,
  { ledger }: ShardedMoney,
  count: number,
): Promise<ShardedAccount[]> {
  const accounts = Array.from({ length: count }, () => ({ accountId: newId(), keyId: newId() }));
  const ids = accounts.map(({ accountId }) => accountId);
  for (const url of [database.coordinator, ...database.shards]) {
    await withClient(url, (client) => client.query(ACCOUNTS, [ids]));
  }
  await withClient(database.coordinator, async (client) => {
    await client.query('INSERT INTO balances (account_id) SELECT unnest($1::uuid[])', [ids]);
    await client.query(KEYS, [ids, accounts.map(({ keyId }) => keyId)]);
  });
  await Promise.all(ids.map((accountId) => ledger.credit({ accountId, ...DEPOSIT, now: new Date() })));
  return accounts;
}

const DEPOSIT = {
  type: 'deposit',
  amountNanoUsd: CREDIT_NANO_USD,
  description: 'deposit',
  referenceId: 'first',
  requestId: null,
} as const;

const ACCOUNTS = `
  INSERT INTO accounts (id, email, username, password_hash, created_at)
  SELECT id, id || '@example.com', id, '', now() FROM unnest($1::uuid[]) AS id`;

const KEYS = `
  INSERT INTO access_keys (id, account_id, name, preview, secret_hash, created_at)
  SELECT id, account_id, 'key', 'key', sha256(uuid_send(id)), now()
  FROM unnest($1::uuid[], $2::uuid[]) AS k (account_id, id)`;
