import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts, access keys, and the tables of the ledger and its calls. */
export class AccountsKeysLedger1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ACCOUNTS);
    await runner.query(ACCESS_KEYS);
    await runner.query(LEDGER);
    await runner.query(CALLS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE idempotency_claims, calls, reservations, ledger_entries, access_keys, balances,
        upgrade_requests, ended_tokens, accounts`);
  }
}

const ACCOUNTS = `
  CREATE TABLE accounts (
    id uuid PRIMARY KEY,
    email text NOT NULL,
    username text NOT NULL,
    password_hash text NOT NULL,
    role text NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin')),
    tier text NOT NULL DEFAULT 'free',
    rate_limits jsonb,
    is_active boolean NOT NULL DEFAULT true,
    is_email_verified boolean NOT NULL DEFAULT false,
    token_version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL
  );
  CREATE UNIQUE INDEX accounts_email ON accounts (lower(email));
  CREATE UNIQUE INDEX accounts_username ON accounts (lower(username));

  CREATE TABLE ended_tokens (
    token_id uuid PRIMARY KEY,
    expires_at timestamptz NOT NULL
  );

  CREATE TABLE upgrade_requests (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts,
    requested_tier text NOT NULL,
    reason text NOT NULL,
    estimated_requests_per_day bigint,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
    created_at timestamptz NOT NULL
  );
  CREATE UNIQUE INDEX upgrade_requests_pending ON upgrade_requests (account_id) WHERE status = 'pending';`;

// The state of a key and the sums it has spent share one row, so that a charge and a revocation exclude each other.
const ACCESS_KEYS = `
  CREATE TABLE access_keys (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts,
    name text NOT NULL,
    preview text NOT NULL,
    secret_hash bytea NOT NULL,
    previous_secret_hash bytea,
    previous_valid_until timestamptz,
    is_active boolean NOT NULL DEFAULT true,
    expires_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz NOT NULL,
    daily_limit_nano bigint CHECK (daily_limit_nano >= 0),
    monthly_limit_nano bigint CHECK (monthly_limit_nano >= 0),
    per_request_limit_nano bigint CHECK (per_request_limit_nano >= 0),
    timezone text NOT NULL DEFAULT 'UTC',
    spent_day date NOT NULL DEFAULT '-infinity',
    day_spent_nano bigint NOT NULL DEFAULT 0 CHECK (day_spent_nano >= 0),
    spent_month date NOT NULL DEFAULT '-infinity',
    month_spent_nano bigint NOT NULL DEFAULT 0 CHECK (month_spent_nano >= 0),
    spent_epoch integer NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50);
  CREATE UNIQUE INDEX access_keys_secret ON access_keys (secret_hash);
  CREATE UNIQUE INDEX access_keys_previous_secret ON access_keys (previous_secret_hash)
    WHERE previous_secret_hash IS NOT NULL;
  CREATE INDEX access_keys_account ON access_keys (account_id, created_at DESC);`;

const LEDGER = `
  CREATE TABLE balances (
    account_id uuid PRIMARY KEY REFERENCES accounts,
    is_open boolean NOT NULL DEFAULT true,
    balance_nano bigint NOT NULL DEFAULT 0,
    reserved_nano bigint NOT NULL DEFAULT 0 CHECK (reserved_nano >= 0),
    CONSTRAINT balances_cover_reservations CHECK (balance_nano >= reserved_nano)
  ) WITH (fillfactor = 50);

  CREATE TABLE ledger_entries (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    type text NOT NULL CHECK (type IN ('deposit', 'charge', 'refund', 'adjustment', 'bonus')),
    amount_nano bigint NOT NULL,
    balance_after_nano bigint NOT NULL CHECK (balance_after_nano >= 0),
    description text NOT NULL,
    reference_id text,
    request_id text,
    key_id uuid,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX ledger_entries_account ON ledger_entries (account_id, position DESC);
  CREATE UNIQUE INDEX ledger_entries_credit ON ledger_entries (account_id, reference_id)
    WHERE type IN ('deposit', 'adjustment', 'bonus');`;

const CALLS = `
  CREATE TABLE reservations (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    key_id uuid,
    amount_nano bigint NOT NULL CHECK (amount_nano >= 0),
    spent_day date,
    spent_month date,
    spent_epoch integer,
    operation text NOT NULL,
    request_id text NOT NULL,
    price text NOT NULL,
    price_version text NOT NULL,
    created_at timestamptz NOT NULL,
    lease_until timestamptz NOT NULL
  );
  CREATE INDEX reservations_lease ON reservations (lease_until);
  CREATE INDEX reservations_account ON reservations (account_id);

  CREATE TABLE calls (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    key_id uuid,
    request_id text NOT NULL,
    operation text NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('settled', 'released', 'refused', 'expired')),
    status integer,
    price text,
    price_version text,
    input_tokens integer NOT NULL DEFAULT 0,
    output_tokens integer NOT NULL DEFAULT 0,
    reserved_nano bigint NOT NULL DEFAULT 0,
    charged_nano bigint NOT NULL DEFAULT 0,
    entry_id uuid,
    latency_ms integer,
    created_at timestamptz NOT NULL,
    completed_at timestamptz NOT NULL
  );
  CREATE INDEX calls_account_time ON calls (account_id, created_at DESC);
  CREATE INDEX calls_account_request ON calls (account_id, request_id);

  CREATE TABLE idempotency_claims (
    id text PRIMARY KEY,
    account_id uuid NOT NULL,
    request_hash text NOT NULL,
    call_id uuid NOT NULL,
    status integer,
    answer text,
    lease_until timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX idempotency_claims_call ON idempotency_claims (call_id);
  CREATE INDEX idempotency_claims_expiry ON idempotency_claims (expires_at);`;
