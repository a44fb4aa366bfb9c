import { hashSecret, newKeySecret } from '../src/accounts/credentials';
import { newId } from '../src/runtime/ids';
import { DEPOSIT_NANO_USD, type BenchAccount } from './accounts';
import { withClient } from './bench-postgres';

/**
 * The baseline's tables. They have the columns and indexes of the service's, but no hourly sums and no reservations.
 */
const TABLES = `
  CREATE TABLE accounts (
    id uuid PRIMARY KEY,
    is_open boolean NOT NULL DEFAULT true,
    balance_nano bigint NOT NULL CHECK (balance_nano >= 0)
  );
  CREATE TABLE keys (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts,
    secret_hash bytea NOT NULL UNIQUE,
    is_active boolean NOT NULL DEFAULT true,
    daily_limit_nano bigint,
    monthly_limit_nano bigint,
    per_request_limit_nano bigint,
    spent_day date NOT NULL,
    day_spent_nano bigint NOT NULL DEFAULT 0,
    spent_month date NOT NULL,
    month_spent_nano bigint NOT NULL DEFAULT 0,
    last_used_at timestamptz
  );
  CREATE TABLE ledger (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    type text NOT NULL,
    amount_nano bigint NOT NULL,
    balance_after_nano bigint NOT NULL,
    description text NOT NULL,
    reference_id text,
    request_id text,
    key_id uuid,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX ledger_account ON ledger (account_id, position DESC);
  CREATE TABLE usage (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    key_id uuid,
    request_id text NOT NULL,
    operation text NOT NULL,
    outcome text NOT NULL,
    status integer,
    price text,
    charged_nano bigint NOT NULL,
    entry_id uuid,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX usage_account_time ON usage (account_id, created_at DESC);
  CREATE INDEX usage_account_request ON usage (account_id, request_id);`;

const ACCOUNTS = `
  INSERT INTO accounts (id, balance_nano) SELECT id, $2 FROM unnest($1::uuid[]) AS id`;

const KEYS = `
  INSERT INTO keys (id, account_id, secret_hash, daily_limit_nano, monthly_limit_nano, per_request_limit_nano,
    spent_day, spent_month)
  SELECT id, account, hash, $4::bigint, $4::bigint, $4::bigint, current_date, date_trunc('month', current_date)
  FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS key (id, account, hash)`;

/** Makes the baseline's tables with accounts that can pay and keys whose limits are far away. */
export async function createTransactionTables(databaseUrl: string, count: number): Promise<BenchAccount[]> {
  const accounts = Array.from({ length: count }, (_, number) => ({
    accountId: newId(),
    keyId: newId(),
    secret: newKeySecret('test'),
    email: `bench-${number}@example.com`,
  }));
  const accountIds = accounts.map(({ accountId }) => accountId);
  await withClient(databaseUrl, async (client) => {
    await client.query(TABLES);
    await client.query(ACCOUNTS, [accountIds, DEPOSIT_NANO_USD]);
    await client.query(KEYS, [
      accounts.map(({ keyId }) => keyId),
      accountIds,
      accounts.map(({ secret }) => hashSecret(secret)),
      DEPOSIT_NANO_USD,
    ]);
  });
  return accounts;
}
