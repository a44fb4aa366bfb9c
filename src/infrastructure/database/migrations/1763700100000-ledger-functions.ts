import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The atomic steps of the money. Each locks the balance first and the key second, so that no two of them can wait
 * for each other, and decides on what it locked: whatever runs at once, on however many replicas, sees the rest.
 */
export class LedgerFunctions1763700100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DAY_START);
    await runner.query(RESERVE);
    await runner.query(SETTLE);
    await runner.query(CREDIT);
    await runner.query(CLAIM);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP FUNCTION ledger_reserve, ledger_settle, ledger_credit, idempotency_claim, day_starts_at',
    );
  }
}

// Where the clocks go back over midnight (Azores, Cuba) it strikes twice. The day starts with the first of the two, for
// then the date changes; Postgres by itself gives the second.
const DAY_START = `
  CREATE FUNCTION day_starts_at(p_day date, p_zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN (midnight - interval '1 hour') AT TIME ZONE p_zone >= p_day
      THEN midnight - interval '1 hour' ELSE midnight END
    FROM (SELECT p_day::timestamp AT TIME ZONE p_zone AS midnight) AS local
  $$`;

// A clock that runs behind another replica's must not open the day before again: hence greatest(). The secret is compared
// under the key's lock as well: a replica that has not heard of a rotation must not charge the old one.
const RESERVE = `
  CREATE FUNCTION ledger_reserve(
    p_id uuid, p_account uuid, p_key uuid, p_amount bigint, p_now timestamptz, p_lease_until timestamptz,
    p_operation text, p_request_id text, p_price text, p_price_version text, p_secret_hash bytea,
    OUT verdict text, OUT balance_nano bigint, OUT available_nano bigint,
    OUT limit_nano bigint, OUT spent_nano bigint, OUT resets_at timestamptz, OUT room_nano bigint
  ) LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
  DECLARE
    b balances;
    k access_keys;
    v_day date;
    v_month date;
    v_day_spent bigint := 0;
    v_month_spent bigint := 0;
  BEGIN
    SELECT * INTO b FROM balances WHERE account_id = p_account FOR NO KEY UPDATE;
    IF NOT FOUND OR NOT b.is_open THEN
      verdict := 'account_closed';
      RETURN;
    END IF;
    IF p_key IS NOT NULL THEN
      SELECT * INTO k FROM access_keys WHERE id = p_key AND account_id = p_account FOR NO KEY UPDATE;
      IF NOT FOUND OR NOT k.is_active OR (
        p_secret_hash IS NOT NULL AND p_secret_hash <> k.secret_hash AND NOT coalesce(
          p_secret_hash = k.previous_secret_hash AND k.previous_valid_until > p_now, false)
      ) THEN
        verdict := 'key_invalid';
        RETURN;
      ELSIF k.expires_at <= p_now THEN
        verdict := 'key_expired';
        RETURN;
      END IF;
      v_day := greatest(k.spent_day, (p_now AT TIME ZONE k.timezone)::date);
      v_month := greatest(k.spent_month, date_trunc('month', p_now AT TIME ZONE k.timezone)::date);
      v_day_spent := CASE WHEN v_day = k.spent_day THEN k.day_spent_nano ELSE 0 END;
      v_month_spent := CASE WHEN v_month = k.spent_month THEN k.month_spent_nano ELSE 0 END;
    END IF;

    balance_nano := b.balance_nano;
    available_nano := b.balance_nano - b.reserved_nano;
    room_nano := least(available_nano, k.per_request_limit_nano, k.daily_limit_nano - v_day_spent,
      k.monthly_limit_nano - v_month_spent);
    IF available_nano < p_amount THEN
      verdict := 'insufficient_credits';
      RETURN;
    END IF;

    IF k.per_request_limit_nano < p_amount THEN
      verdict := 'per_request';
      limit_nano := k.per_request_limit_nano;
      spent_nano := 0;
      RETURN;
    ELSIF v_day_spent + p_amount > k.daily_limit_nano THEN
      verdict := 'daily';
      limit_nano := k.daily_limit_nano;
      spent_nano := v_day_spent;
      resets_at := day_starts_at(v_day + 1, k.timezone);
      RETURN;
    ELSIF v_month_spent + p_amount > k.monthly_limit_nano THEN
      verdict := 'monthly';
      limit_nano := k.monthly_limit_nano;
      spent_nano := v_month_spent;
      resets_at := day_starts_at((v_month + interval '1 month')::date, k.timezone);
      RETURN;
    END IF;

    UPDATE balances SET reserved_nano = b.reserved_nano + p_amount WHERE account_id = p_account;
    IF p_key IS NOT NULL THEN
      UPDATE access_keys SET
        spent_day = v_day, day_spent_nano = v_day_spent + p_amount,
        spent_month = v_month, month_spent_nano = v_month_spent + p_amount,
        last_used_at = p_now
      WHERE id = p_key;
    END IF;
    INSERT INTO reservations VALUES (
      p_id, p_account, p_key, p_amount, v_day, v_month, k.spent_epoch,
      p_operation, p_request_id, p_price, p_price_version, p_now, p_lease_until);
    available_nano := available_nano - p_amount;
    verdict := 'reserved';
  END $$`;

// Whoever deletes the reservation ends the call: the settlement, the release and the sweeper exclude each other.
// Settling twice in the same way answers as the first time did, so that a lost connection can be tried again. The claim
// of an Idempotency-Key comes before the balance: a call whose claim a retry has taken over is not charged beside it, and
// a large answer is not written while the balance is locked.
const SETTLE = `
  CREATE FUNCTION ledger_settle(
    p_id uuid, p_account uuid, p_outcome text, p_charge bigint, p_status integer, p_input integer, p_output integer,
    p_now timestamptz, p_entry uuid, p_answer text,
    OUT verdict text, OUT charged_nano bigint, OUT balance_nano bigint
  ) LANGUAGE plpgsql AS $$
  DECLARE
    b balances;
    r reservations;
    v_unused bigint;
    v_taken_over boolean := false;
  BEGIN
    IF p_answer IS NULL THEN
      DELETE FROM idempotency_claims WHERE call_id = p_id AND status IS NULL;
    ELSE
      UPDATE idempotency_claims SET status = p_status, answer = p_answer WHERE call_id = p_id;
      v_taken_over := NOT FOUND;
    END IF;
    SELECT * INTO b FROM balances WHERE account_id = p_account FOR NO KEY UPDATE;
    DELETE FROM reservations WHERE id = p_id AND account_id = p_account RETURNING * INTO r;
    balance_nano := b.balance_nano;
    IF r.id IS NULL THEN
      SELECT c.charged_nano INTO charged_nano FROM calls AS c WHERE c.id = p_id AND c.outcome = p_outcome;
      verdict := CASE WHEN FOUND THEN 'settled' ELSE 'gone' END;
      charged_nano := coalesce(charged_nano, 0);
      RETURN;
    END IF;
    charged_nano := CASE WHEN v_taken_over THEN 0 ELSE least(greatest(p_charge, 0), r.amount_nano) END;
    v_unused := r.amount_nano - charged_nano;
    balance_nano := b.balance_nano - charged_nano;
    UPDATE balances SET balance_nano = b.balance_nano - charged_nano, reserved_nano = b.reserved_nano - r.amount_nano
      WHERE account_id = p_account;
    IF r.key_id IS NOT NULL AND v_unused > 0 THEN
      UPDATE access_keys SET
        day_spent_nano = day_spent_nano - CASE WHEN spent_day = r.spent_day THEN v_unused ELSE 0 END,
        month_spent_nano = month_spent_nano - CASE WHEN spent_month = r.spent_month THEN v_unused ELSE 0 END
      WHERE id = r.key_id AND spent_epoch = r.spent_epoch;
    END IF;
    IF charged_nano > 0 THEN
      INSERT INTO ledger_entries
        (id, account_id, type, amount_nano, balance_after_nano, description, reference_id, request_id, key_id, created_at)
      VALUES (p_entry, p_account, 'charge', -charged_nano, balance_nano, r.operation, p_id::text, r.request_id, r.key_id, p_now);
    END IF;
    INSERT INTO calls
      (id, account_id, key_id, request_id, operation, outcome, status, price, price_version, input_tokens, output_tokens,
       reserved_nano, charged_nano, entry_id, latency_ms, created_at, completed_at)
    VALUES
      (p_id, p_account, r.key_id, r.request_id, r.operation, CASE WHEN v_taken_over THEN 'released' ELSE p_outcome END,
       CASE WHEN v_taken_over THEN NULL ELSE p_status END, r.price, r.price_version, p_input, p_output,
       r.amount_nano, charged_nano, CASE WHEN charged_nano > 0 THEN p_entry END,
       least(extract(epoch FROM p_now - r.created_at) * 1000, 2147483647)::integer, r.created_at, p_now)
    ON CONFLICT (id) DO UPDATE SET outcome = excluded.outcome, status = excluded.status, price = excluded.price,
      price_version = excluded.price_version, input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
      reserved_nano = excluded.reserved_nano, charged_nano = excluded.charged_nano, entry_id = excluded.entry_id;
    verdict := CASE WHEN v_taken_over THEN 'gone' ELSE 'settled' END;
  END $$`;

const CREDIT = `
  CREATE FUNCTION ledger_credit(
    p_entry uuid, p_account uuid, p_type text, p_amount bigint, p_description text, p_reference text,
    p_request_id text, p_now timestamptz,
    OUT entry_id uuid, OUT is_new boolean
  ) LANGUAGE plpgsql AS $$
  DECLARE
    b balances;
  BEGIN
    SELECT * INTO b FROM balances WHERE account_id = p_account FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    SELECT id INTO entry_id FROM ledger_entries
      WHERE account_id = p_account AND reference_id = p_reference AND type IN ('deposit', 'adjustment', 'bonus');
    is_new := entry_id IS NULL;
    IF is_new THEN
      entry_id := p_entry;
      UPDATE balances SET balance_nano = b.balance_nano + p_amount WHERE account_id = p_account;
      INSERT INTO ledger_entries
        (id, account_id, type, amount_nano, balance_after_nano, description, reference_id, request_id, created_at)
      VALUES (p_entry, p_account, p_type, p_amount, b.balance_nano + p_amount, p_description, p_reference, p_request_id, p_now);
    END IF;
  END $$`;

// A claim that a dead process left is taken over by the same request once its lease is over, never by another body.
const CLAIM = `
  CREATE FUNCTION idempotency_claim(
    p_id text, p_account uuid, p_hash text, p_call uuid, p_now timestamptz, p_lease_until timestamptz, p_expires_at timestamptz,
    OUT verdict text, OUT status integer, OUT answer text, OUT retry_at timestamptz
  ) LANGUAGE plpgsql AS $$
  DECLARE
    c idempotency_claims;
  BEGIN
    INSERT INTO idempotency_claims (id, account_id, request_hash, call_id, lease_until, expires_at)
      VALUES (p_id, p_account, p_hash, p_call, p_lease_until, p_expires_at)
      ON CONFLICT (id) DO NOTHING;
    SELECT * INTO c FROM idempotency_claims WHERE id = p_id FOR UPDATE;
    IF NOT FOUND THEN
      verdict := 'running';
      retry_at := p_now;
    ELSIF c.call_id = p_call THEN
      verdict := 'claimed';
    ELSIF c.expires_at <= p_now OR (c.status IS NULL AND c.lease_until <= p_now AND c.request_hash = p_hash) THEN
      UPDATE idempotency_claims SET request_hash = p_hash, call_id = p_call, status = NULL, answer = NULL,
        lease_until = p_lease_until, expires_at = p_expires_at WHERE id = p_id;
      verdict := 'claimed';
    ELSIF c.request_hash <> p_hash THEN
      verdict := 'mismatch';
    ELSIF c.status IS NULL THEN
      verdict := 'running';
      retry_at := c.lease_until;
    ELSE
      verdict := 'replay';
      status := c.status;
      answer := c.answer;
    END IF;
  END $$`;
