import { hashSecret, newKeySecret, previewOf } from '../src/accounts/credentials';
import { hashPassword } from '../src/accounts/password-jobs';
import { newId } from '../src/runtime/ids';
import { withClient } from './bench-postgres';

/** One account with one access key. */
export interface BenchAccount {
  accountId: string;
  keyId: string;
  secret: string;
  email: string;
}

export const PASSWORD = 'a password for the benchmark';
/** A million USD, of which the load spends next to nothing. */
export const DEPOSIT_NANO_USD = 10n ** 15n;
/** How old the accounts are: older than every row that is loaded. */
const AGE_DAYS = 200;
/** Every window is finite, so that the limiter counts each of them, and none is ever full. */
const RATE_LIMITS = {
  requests_per_second: 1_000_000,
  requests_per_minute: 60_000_000,
  requests_per_hour: 1_000_000_000,
  requests_per_day: 1_000_000_000,
};

/** Makes accounts with a deposit and a key that has all three spending limits, far from being reached. */
export async function createAccounts(databaseUrl: string, count: number): Promise<BenchAccount[]> {
  const passwordHash = hashPassword(PASSWORD);
  const accounts = Array.from({ length: count }, (_, number) => ({
    accountId: newId(),
    keyId: newId(),
    secret: newKeySecret('test'),
    email: `bench-${number}@example.com`,
  }));
  const accountIds = accounts.map(({ accountId }) => accountId);
  await withClient(databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query(ACCOUNTS, [
      accountIds,
      accounts.map(({ email }) => email),
      passwordHash,
      JSON.stringify(RATE_LIMITS),
      AGE_DAYS,
    ]);
    await client.query(BALANCES, [accountIds, DEPOSIT_NANO_USD]);
    const { rows } = await client.query<{ entries: string }>(ENTRIES);
    const deposits = DEPOSITS.replace('ledger_entries', rows[0]?.entries ?? '');
    await client.query(deposits, [accountIds.map(() => newId()), accountIds, DEPOSIT_NANO_USD, AGE_DAYS]);
    await client.query(KEYS, [
      accounts.map(({ keyId }) => keyId),
      accountIds,
      accounts.map(({ secret }) => previewOf(secret)),
      accounts.map(({ secret }) => hashSecret(secret)),
      AGE_DAYS,
      DEPOSIT_NANO_USD,
    ]);
    await client.query('COMMIT');
  });
  return accounts;
}

const ACCOUNTS = `
  INSERT INTO accounts (id, email, username, password_hash, tier, rate_limits, created_at)
  SELECT id, email, split_part(email, '@', 1), $3, 'enterprise', $4::jsonb, now() - $5 * interval '1 day'
  FROM unnest($1::uuid[], $2::text[]) AS account (id, email)`;

const BALANCES = `
  INSERT INTO balances (account_id, balance_nano) SELECT id, $2 FROM unnest($1::uuid[]) AS id`;

// The table of entries that are no charge has another name in checkouts of before.
const ENTRIES = `SELECT coalesce(to_regclass('credits'), 'ledger_entries'::regclass)::text AS entries`;

const DEPOSITS = `
  INSERT INTO ledger_entries
    (id, account_id, type, amount_nano, balance_after_nano, description, reference_id, created_at)
  SELECT entry, account, 'deposit', $3::bigint, $3::bigint, 'Benchmark', 'benchmark', now() - $4 * interval '1 day'
  FROM unnest($1::uuid[], $2::uuid[]) AS deposit (entry, account)`;

const KEYS = `
  INSERT INTO access_keys (id, account_id, name, preview, secret_hash, created_at,
    daily_limit_nano, monthly_limit_nano, per_request_limit_nano)
  SELECT id, account, 'benchmark', preview, hash, now() - $5 * interval '1 day', $6::bigint, $6::bigint, $6::bigint
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[]) AS key (id, account, preview, hash)`;
