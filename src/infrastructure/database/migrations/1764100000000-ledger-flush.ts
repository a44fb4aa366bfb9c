import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Many settlements and reservations in one step. It decides exactly as ledger_reserve and ledger_settle do, one by one
 * in the order of arrival, but does so set by set: what is tight goes through those functions themselves.
 */
export class LedgerFlush1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(KEEP_ANSWERS);
    await runner.query(SETTLE_MANY);
    await runner.query(RESERVE_MANY);
    await runner.query(FLUSH);
    await runner.query(RESERVATIONS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP FUNCTION ledger_flush, ledger_reserve_many, ledger_settle_many, ledger_keep_answers',
    );
    await runner.query(`
      ALTER TABLE reservations RESET (autovacuum_vacuum_threshold, autovacuum_vacuum_scale_factor);
      CREATE INDEX reservations_lease ON reservations (lease_until);
      CREATE INDEX reservations_account ON reservations (account_id)`);
  }
}

// Keeps the answers of settled calls and frees the claims of the others. What it returns are the calls whose claim a
// retry has taken over: they must not be charged beside it, and ledger_settle ends them.
const KEEP_ANSWERS = `
  CREATE FUNCTION ledger_keep_answers(s_id uuid[], s_outcome text[], s_status integer[], s_answer text[]) RETURNS uuid[]
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    v_kept uuid[];
    v_taken_over uuid[];
  BEGIN
    PERFORM FROM idempotency_claims WHERE call_id = ANY(s_id) ORDER BY id FOR UPDATE;
    DELETE FROM idempotency_claims WHERE status IS NULL AND call_id IN (
      SELECT id FROM unnest(s_id, s_outcome) AS s (id, outcome) WHERE outcome <> 'settled');
    WITH kept AS (
      UPDATE idempotency_claims AS c SET status = s.status, answer = s.answer
      FROM unnest(s_id, s_status, s_answer) AS s (id, status, answer)
      WHERE c.call_id = s.id AND s.answer IS NOT NULL
      RETURNING s.id
    )
    SELECT coalesce(array_agg(id), '{}') INTO v_kept FROM kept;
    SELECT array_agg(s.id) INTO v_taken_over FROM unnest(s_id, s_answer) AS s (id, answer)
      WHERE s.answer IS NOT NULL AND s.id <> ALL(v_kept);
    RETURN v_taken_over;
  END $$`;

// The balances are locked, so what is read of balances and spent counters here is what is changed here. Items whose
// reservation is gone are not named in the result; ledger_settle knows what to tell them. A call whose uncharged row was
// written before its outcome was known makes the statement fail, and ledger_settle ends that one too.
const SETTLE_MANY = `
  CREATE FUNCTION ledger_settle_many(
    s_id uuid[], s_account uuid[], s_outcome text[], s_charge bigint[], s_status integer[], s_input integer[],
    s_output integer[], s_now bigint[], s_entry uuid[], p_except uuid[],
    OUT items bigint[], OUT charged bigint[], OUT balances_after bigint[]
  ) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    WITH ended AS (
      DELETE FROM reservations AS r
      USING unnest(s_id, s_account, s_outcome, s_charge, s_status, s_input, s_output, s_now, s_entry) WITH ORDINALITY
        AS s (id, account_id, outcome, charge, status, input_tokens, output_tokens, now_ms, entry, item)
      WHERE r.id = s.id AND r.account_id = s.account_id AND (p_except IS NULL OR s.id <> ALL(p_except))
      RETURNING r.*, s.item, s.outcome, s.status, s.input_tokens, s.output_tokens, s.entry,
        to_timestamp(s.now_ms / 1000.0) AS ended_at, least(greatest(s.charge, 0), r.amount_nano) AS charged_nano
    ), told AS (
      SELECT ended.*, (b.balance_nano - sum(charged_nano) OVER (
        PARTITION BY account_id ORDER BY item ROWS UNBOUNDED PRECEDING))::bigint AS balance_after_nano
      FROM ended JOIN balances AS b USING (account_id)
    ), paid AS (
      UPDATE balances AS b SET balance_nano = b.balance_nano - s.charged, reserved_nano = b.reserved_nano - s.freed
      FROM (
        SELECT account_id, sum(charged_nano) AS charged, sum(amount_nano) AS freed FROM ended GROUP BY account_id
      ) AS s
      WHERE b.account_id = s.account_id
    ), freed AS (
      UPDATE access_keys AS k SET day_spent_nano = k.day_spent_nano - s.day, month_spent_nano = k.month_spent_nano - s.month
      FROM (
        SELECT k.id,
          coalesce(sum(e.amount_nano - e.charged_nano) FILTER (WHERE k.spent_day = e.spent_day), 0) AS day,
          coalesce(sum(e.amount_nano - e.charged_nano) FILTER (WHERE k.spent_month = e.spent_month), 0) AS month
        FROM ended AS e JOIN access_keys AS k ON k.id = e.key_id AND k.spent_epoch = e.spent_epoch
        WHERE e.charged_nano < e.amount_nano GROUP BY k.id
      ) AS s
      WHERE k.id = s.id
    ), entered AS (
      INSERT INTO ledger_entries
        (id, account_id, type, amount_nano, balance_after_nano, description, reference_id, request_id, key_id, created_at)
      SELECT entry, account_id, 'charge', -charged_nano, balance_after_nano, operation, id::text, request_id, key_id, ended_at
      FROM told WHERE charged_nano > 0 ORDER BY item
    ), logged AS (
      INSERT INTO calls
        (id, account_id, key_id, request_id, operation, outcome, status, price, price_version, input_tokens, output_tokens,
         reserved_nano, charged_nano, entry_id, latency_ms, created_at, completed_at)
      SELECT id, account_id, key_id, request_id, operation, outcome, status, price, price_version, input_tokens, output_tokens,
        amount_nano, charged_nano, CASE WHEN charged_nano > 0 THEN entry END,
        least(extract(epoch FROM ended_at - created_at) * 1000, 2147483647)::integer, created_at, ended_at
      FROM ended
    )
    SELECT array_agg(item), array_agg(charged_nano), array_agg(balance_after_nano)
      INTO items, charged, balances_after FROM told;
  END $$`;

// An account is tight when one of its calls, or all of them together, do not fit its balance and its keys' limits, or
// when a key is not plainly good. Its calls are decided one by one; all others are reserved at once.
const RESERVE_MANY = `
  CREATE FUNCTION ledger_reserve_many(
    r_id uuid[], r_account uuid[], r_key uuid[], r_amount bigint[], r_now bigint[], r_lease bigint[],
    r_operation text[], r_request text[], r_price text[], r_version text[], r_secret bytea[],
    OUT balances bigint[], OUT decided jsonb
  ) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    v_tight bigint[];
    v_item bigint;
    v record;
    v_decided jsonb[] := '{}';
  BEGIN
    PERFORM FROM access_keys WHERE id = ANY(r_key) AND account_id = ANY(r_account) ORDER BY id FOR NO KEY UPDATE;
    WITH asked AS (
      SELECT r.*, to_timestamp(r.now_ms / 1000.0) AS asked_at, b.balance_nano, b.balance_nano - b.reserved_nano AS available,
        k.spent_epoch, local.day, local.month, k.daily_limit_nano, k.monthly_limit_nano,
        CASE WHEN local.day = k.spent_day THEN k.day_spent_nano ELSE 0 END AS day_spent,
        CASE WHEN local.month = k.spent_month THEN k.month_spent_nano ELSE 0 END AS month_spent,
        b.is_open AND (r.key_id IS NULL OR (
          k.is_active AND (r.secret IS NULL OR r.secret = k.secret_hash)
          AND (k.expires_at IS NULL OR k.expires_at > to_timestamp(r.now_ms / 1000.0))
          AND (k.per_request_limit_nano IS NULL OR r.amount <= k.per_request_limit_nano))) AS is_good
      FROM unnest(r_id, r_account, r_key, r_amount, r_now, r_lease, r_operation, r_request, r_price, r_version, r_secret)
        WITH ORDINALITY
        AS r (id, account_id, key_id, amount, now_ms, lease_ms, operation, request_id, price, price_version, secret, item)
      LEFT JOIN balances AS b ON b.account_id = r.account_id
      LEFT JOIN access_keys AS k ON k.id = r.key_id AND k.account_id = r.account_id
      LEFT JOIN LATERAL (
        SELECT greatest(k.spent_day, at::date) AS day, greatest(k.spent_month, date_trunc('month', at)::date) AS month
        FROM (SELECT to_timestamp(r.now_ms / 1000.0) AT TIME ZONE k.timezone AS at) AS clock
      ) AS local ON true
    ), summed AS (
      SELECT *, sum(amount) OVER by_key AS key_sum, sum(amount) OVER by_account AS account_sum,
        min(day) OVER by_key = max(day) OVER by_key AS is_one_day
      FROM asked WINDOW by_key AS (PARTITION BY account_id, key_id), by_account AS (PARTITION BY account_id)
    ), judged AS MATERIALIZED (
      SELECT *, bool_and(coalesce(
        is_good AND account_sum <= available AND (key_id IS NULL OR (
          is_one_day AND (daily_limit_nano IS NULL OR day_spent + key_sum <= daily_limit_nano)
          AND (monthly_limit_nano IS NULL OR month_spent + key_sum <= monthly_limit_nano))), false)
      ) OVER (PARTITION BY account_id) AS fits
      FROM summed
    ), taken AS (
      UPDATE balances AS b SET reserved_nano = b.reserved_nano + s.amount
      FROM (SELECT account_id, sum(amount) AS amount FROM judged WHERE fits GROUP BY account_id) AS s
      WHERE b.account_id = s.account_id
    ), spent AS (
      UPDATE access_keys AS k SET spent_day = s.day, day_spent_nano = s.day_spent, spent_month = s.month,
        month_spent_nano = s.month_spent, last_used_at = s.asked_at
      FROM (
        SELECT key_id, max(day) AS day, max(month) AS month, max(day_spent + key_sum) AS day_spent,
          max(month_spent + key_sum) AS month_spent, max(asked_at) AS asked_at
        FROM judged WHERE fits AND key_id IS NOT NULL GROUP BY key_id
      ) AS s
      WHERE k.id = s.key_id
    ), reserved AS (
      INSERT INTO reservations (id, account_id, key_id, amount_nano, spent_day, spent_month, spent_epoch,
        operation, request_id, price, price_version, created_at, lease_until)
      SELECT id, account_id, key_id, amount, day, month, spent_epoch, operation, request_id, price, price_version, asked_at,
        to_timestamp(lease_ms / 1000.0)
      FROM judged WHERE fits
    )
    SELECT array_agg(CASE WHEN fits THEN balance_nano END ORDER BY item), array_agg(item ORDER BY item) FILTER (WHERE NOT fits)
      INTO balances, v_tight FROM judged;
    IF v_tight IS NULL THEN
      RETURN;
    END IF;
    FOREACH v_item IN ARRAY v_tight LOOP
      SELECT * INTO v FROM ledger_reserve(
        r_id[v_item], r_account[v_item], r_key[v_item], r_amount[v_item], to_timestamp(r_now[v_item] / 1000.0),
        to_timestamp(r_lease[v_item] / 1000.0), r_operation[v_item], r_request[v_item], r_price[v_item], r_version[v_item],
        r_secret[v_item]);
      v_decided := v_decided || jsonb_build_object('item', v_item, 'verdict', v.verdict, 'balance_nano', v.balance_nano::text,
        'available_nano', v.available_nano::text, 'limit_nano', v.limit_nano::text, 'spent_nano', v.spent_nano::text,
        'resets_at_ms', round(extract(epoch FROM v.resets_at) * 1000), 'room_nano', v.room_nano::text);
    END LOOP;
    decided := to_jsonb(v_decided);
  END $$`;

// Claims, balances, keys, each in the order of their ids: no two flushes can wait for each other. What settlements free
// is there for the reservations of the same flush.
const FLUSH = `
  CREATE FUNCTION ledger_flush(
    s_id uuid[], s_account uuid[], s_outcome text[], s_charge bigint[], s_status integer[], s_input integer[],
    s_output integer[], s_now bigint[], s_entry uuid[], s_answer text[], p_has_claims boolean,
    r_id uuid[], r_account uuid[], r_key uuid[], r_amount bigint[], r_now bigint[], r_lease bigint[],
    r_operation text[], r_request text[], r_price text[], r_version text[], r_secret bytea[],
    OUT items bigint[], OUT charged bigint[], OUT balances_after bigint[], OUT reserved_balances bigint[], OUT decided jsonb
  ) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    v_taken_over uuid[];
  BEGIN
    IF p_has_claims THEN
      v_taken_over := ledger_keep_answers(s_id, s_outcome, s_status, s_answer);
    END IF;
    PERFORM FROM balances WHERE account_id = ANY(s_account || r_account) ORDER BY account_id FOR NO KEY UPDATE;
    IF cardinality(s_id) > 0 THEN
      SELECT s.items, s.charged, s.balances_after INTO items, charged, balances_after
      FROM ledger_settle_many(s_id, s_account, s_outcome, s_charge, s_status, s_input, s_output, s_now, s_entry, v_taken_over) AS s;
    END IF;
    IF cardinality(r_id) > 0 THEN
      SELECT r.balances, r.decided INTO reserved_balances, decided
      FROM ledger_reserve_many(r_id, r_account, r_key, r_amount, r_now, r_lease, r_operation, r_request, r_price, r_version, r_secret) AS r;
    END IF;
  END $$`;

// The table holds the calls in flight and no more, so it is read as a whole; an index would be work for every call. Every
// call leaves one dead row here: the table stays small as long as they are taken away soon.
const RESERVATIONS = `
  DROP INDEX reservations_account, reservations_lease;
  ALTER TABLE reservations SET (autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0)`;
