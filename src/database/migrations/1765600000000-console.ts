import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of browsers, keys of minutes, and which model answered a call. */
export class Console1765600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  /** Sums that are told apart by model have no place in a table without it. */
  async down(): Promise<void> {
    return Promise.reject(new Error('sums by model cannot be taken back; restore a backup'));
  }
}

const UP = `
  -- Of a session's secret there is the hash alone. It ends with the account's token_version.
  CREATE TABLE console_sessions (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts,
    secret_hash bytea NOT NULL,
    token_version integer NOT NULL,
    created_at timestamptz NOT NULL,
    proven_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    user_agent text NOT NULL
  );
  CREATE UNIQUE INDEX console_sessions_secret ON console_sessions (secret_hash);
  CREATE INDEX console_sessions_account ON console_sessions (account_id, created_at DESC);
  CREATE INDEX console_sessions_end ON console_sessions (expires_at);

  ALTER TABLE access_keys ADD COLUMN is_playground boolean NOT NULL DEFAULT false;

  CREATE INDEX upgrade_requests_account ON upgrade_requests (account_id, created_at DESC);

  ALTER TABLE calls ADD COLUMN model text;
  ALTER TABLE usage_hours ADD COLUMN model text, DROP CONSTRAINT usage_hours_key,
    ADD CONSTRAINT usage_hours_key UNIQUE NULLS NOT DISTINCT (account_id, hour, key_id, operation, price, model);
  ALTER TABLE usage_days ADD COLUMN model text, DROP CONSTRAINT usage_days_key,
    ADD CONSTRAINT usage_days_key UNIQUE NULLS NOT DISTINCT (account_id, day, key_id, operation, price, model)`;
