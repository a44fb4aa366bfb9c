import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A process reserves in memory, from leases, and writes one row for each call, which is its charge and its receipt. Entries
 * of before stay where they are: `credits` are all that were written without a call's row being the entry, and the view
 * ledger_entries has both. Calls in flight end without a charge: processes of builds before this one cannot settle them any
 * more, and have to be stopped first.
 */
export class Leases1765300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  /** What was charged since is in no entry of its own. */
  async down(): Promise<void> {
    return Promise.reject(new Error('the ledger of leases cannot be taken back; restore a backup'));
  }
}

const UP = `
  DROP TRIGGER IF EXISTS ledger_hours_add ON ledger_entries;
  DROP TRIGGER IF EXISTS ledger_entries_append_only ON ledger_entries;
  DROP TRIGGER IF EXISTS usage_hours_add ON calls;
  DROP TRIGGER IF EXISTS usage_hours_change ON calls;
  DROP FUNCTION IF EXISTS usage_hours_add, usage_hours_change, ledger_reserve, ledger_reserve_many, ledger_settle,
    ledger_settle_many, ledger_flush;
  DELETE FROM installed_functions WHERE name IN ('usage_hours_add', 'usage_hours_change', 'ledger_reserve',
    'ledger_reserve_many', 'ledger_settle', 'ledger_settle_many');

  ALTER TABLE processes ADD COLUMN is_dead boolean NOT NULL DEFAULT false;

  -- What a process was lent: contained in reserved_nano of the balance and in the spent sums of the key. Without unused room
  -- where is_exact.
  CREATE TABLE leases (
    process_id uuid NOT NULL,
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    key_id uuid,
    amount_nano bigint NOT NULL CHECK (amount_nano >= 0),
    is_exact boolean NOT NULL,
    spent_day date,
    spent_month date,
    spent_epoch integer,
    PRIMARY KEY (process_id, id)
  ) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);
  CREATE INDEX leases_account ON leases (account_id);

  -- written_by names the transaction that wrote a row: until it is known to have ended, no sum has the row. It has no value in
  -- rows of before, which are in the sums. Only what was charged has a position.
  ALTER TABLE calls ADD COLUMN position bigint, ADD COLUMN balance_after_nano bigint CHECK (balance_after_nano >= 0),
    ADD COLUMN written_by xid8;
  ALTER TABLE calls ALTER COLUMN written_by SET DEFAULT pg_current_xact_id();
  CREATE INDEX calls_position ON calls (account_id, position DESC) WHERE position IS NOT NULL;
  CREATE INDEX calls_written ON calls (written_by) WHERE written_by IS NOT NULL;
  CREATE TABLE roll_ups (rolled_to xid8 NOT NULL);
  INSERT INTO roll_ups VALUES (pg_current_xact_id());

  -- Reservations of before end here, as the sweep would have ended them.
  UPDATE access_keys AS k SET
    day_spent_nano = k.day_spent_nano - held.of_day, month_spent_nano = k.month_spent_nano - held.of_month
  FROM (
    SELECT r.account_id, r.key_id,
      coalesce(sum(amount_nano) FILTER (WHERE r.spent_day = k.spent_day), 0) AS of_day,
      coalesce(sum(amount_nano) FILTER (WHERE r.spent_month = k.spent_month), 0) AS of_month
    FROM reservations AS r JOIN access_keys AS k
      ON k.id = r.key_id AND k.account_id = r.account_id AND k.spent_epoch = r.spent_epoch
    GROUP BY r.account_id, r.key_id
  ) AS held
  WHERE k.id = held.key_id AND k.account_id = held.account_id;
  UPDATE balances AS b SET reserved_nano = b.reserved_nano - held.amount_nano
  FROM (SELECT account_id, sum(amount_nano) AS amount_nano FROM reservations GROUP BY account_id) AS held
  WHERE b.account_id = held.account_id;
  DELETE FROM idempotency_claims WHERE status IS NULL AND call_id IN (SELECT id FROM reservations);
  INSERT INTO calls (id, account_id, key_id, request_id, client_request_id, operation, outcome, price, price_version,
    reserved_nano, latency_ms, created_at, completed_at)
  SELECT id, account_id, key_id, request_id, client_request_id, operation, 'expired', price, price_version, amount_nano,
    greatest(0, least(extract(epoch FROM now() - created_at) * 1000, 2147483647))::integer, created_at,
    greatest(created_at, now())
  FROM reservations ORDER BY id ON CONFLICT DO NOTHING;
  DROP TABLE reservations;

  -- The calls in flight that readers see: those that last, and those that a reader asks for. Their amounts are part of their
  -- leases.
  CREATE TABLE reservations (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    key_id uuid,
    process_id uuid NOT NULL,
    lease_id uuid NOT NULL,
    amount_nano bigint NOT NULL CHECK (amount_nano >= 0),
    operation text NOT NULL,
    request_id text NOT NULL,
    client_request_id text,
    price text NOT NULL,
    price_version text NOT NULL,
    created_at timestamptz NOT NULL,
    lease_until timestamptz NOT NULL
  ) WITH (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);
  CREATE INDEX reservations_account ON reservations (account_id);

  ALTER TABLE ledger_entries RENAME TO credits;
  ALTER INDEX ledger_entries_pkey RENAME TO credits_pkey;
  ALTER INDEX ledger_entries_account RENAME TO credits_account;
  ALTER INDEX ledger_entries_other RENAME TO credits_other;
  ALTER INDEX ledger_entries_credit RENAME TO credits_reference;
  ALTER SEQUENCE ledger_entries_position_seq RENAME TO ledger_position;
  CREATE VIEW ledger_entries AS
    SELECT id, account_id, position, type, amount_nano, balance_after_nano, description, reference_id, request_id, key_id,
      created_at
    FROM credits
    UNION ALL
    SELECT id, account_id, position, 'charge', -charged_nano, balance_after_nano, operation, id::text, request_id, key_id,
      completed_at
    FROM calls WHERE position IS NOT NULL;

  -- What accounts were charged for calls whose rows were dropped.
  CREATE TABLE carried_charges (
    account_id uuid PRIMARY KEY,
    amount_nano bigint NOT NULL
  )`;
