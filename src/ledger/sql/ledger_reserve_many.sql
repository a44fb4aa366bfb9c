-- Reserves for many calls at once what each may cost at most. It decides exactly as ledger_reserve would, one by one in
-- the order of arrival. The arrays r_… have one element for each call; times are milliseconds since 1970.
--
-- Where all calls of an account fit together, and their keys and secrets are certainly valid, they are reserved
-- together. All other accounts are called tight, and ledger_reserve decides their calls one by one.
--
-- Its caller, ledger_flush, has locked the balances. It locks the keys in the order of their ids.
--
-- Returns two results. In balances, each call that was reserved together with others has the account's balance at its
-- place, and each other call has null. In decided are the answers of ledger_reserve as JSON, each with the place of its
-- call as item (from 1), or null where there are none. Amounts are in nano-USD, in the JSON as text.
DROP FUNCTION IF EXISTS ledger_reserve_many(
  uuid[], uuid[], uuid[], bigint[], bigint[], bigint[], text[], text[], text[], text[], bytea[]);
DROP FUNCTION IF EXISTS ledger_reserve_many(
  uuid[], uuid[], uuid[], bigint[], bigint[], bigint[], text[], text[], text[], text[], bytea[], text[]);
CREATE OR REPLACE FUNCTION ledger_reserve_many(
  r_id uuid[],
  r_account uuid[],
  r_key uuid[],
  r_amount bigint[],
  r_now bigint[],
  r_lease bigint[],
  r_operation text[],
  r_request text[],
  r_price text[],
  r_version text[],
  r_secret bytea[],
  r_client text[],
  p_process uuid,
  OUT balances bigint[],
  OUT decided jsonb
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
    SELECT call.*,
      to_timestamp(call.now_ms / 1000.0) AS asked_at,
      balance.balance_nano,
      balance.balance_nano - balance.reserved_nano AS available,
      key.spent_epoch,
      local.day,
      local.month,
      key.daily_limit_nano,
      key.monthly_limit_nano,
      CASE WHEN local.day = key.spent_day THEN key.day_spent_nano ELSE 0 END AS day_spent,
      CASE WHEN local.month = key.spent_month THEN key.month_spent_nano ELSE 0 END AS month_spent,
      balance.is_open AND (call.key_id IS NULL OR (
        key.is_active AND (call.secret IS NULL OR call.secret = key.secret_hash)
        AND (key.expires_at IS NULL OR key.expires_at > to_timestamp(call.now_ms / 1000.0))
        AND (key.per_request_limit_nano IS NULL OR call.amount <= key.per_request_limit_nano))) AS is_good
    FROM unnest(
      r_id, r_account, r_key, r_amount, r_now, r_lease, r_operation, r_request, r_price, r_version, r_secret, r_client)
      WITH ORDINALITY AS call (id, account_id, key_id, amount, now_ms, lease_ms, operation, request_id, price,
        price_version, secret, client_request_id, item)
    LEFT JOIN balances AS balance ON balance.account_id = call.account_id
    LEFT JOIN access_keys AS key ON key.id = call.key_id AND key.account_id = call.account_id
    LEFT JOIN LATERAL (
      SELECT greatest(key.spent_day, at::date) AS day, greatest(key.spent_month, date_trunc('month', at)::date) AS month
      FROM (SELECT to_timestamp(call.now_ms / 1000.0) AT TIME ZONE key.timezone AS at) AS clock
    ) AS local ON true
  ), summed AS (
    SELECT *,
      sum(amount) OVER by_key AS key_sum,
      sum(amount) OVER by_account AS account_sum,
      min(day) OVER by_key = max(day) OVER by_key AS is_one_day
    FROM asked
    WINDOW by_key AS (PARTITION BY account_id, key_id), by_account AS (PARTITION BY account_id)
  ), judged AS MATERIALIZED (
    SELECT *, bool_and(coalesce(
      is_good AND account_sum <= available AND (key_id IS NULL OR (
        is_one_day AND (daily_limit_nano IS NULL OR day_spent + key_sum <= daily_limit_nano)
        AND (monthly_limit_nano IS NULL OR month_spent + key_sum <= monthly_limit_nano))), false)
    ) OVER (PARTITION BY account_id) AS fits
    FROM summed
  ), taken AS (
    UPDATE balances AS balance SET reserved_nano = balance.reserved_nano + total.amount
    FROM (SELECT account_id, sum(amount) AS amount FROM judged WHERE fits GROUP BY account_id) AS total
    WHERE balance.account_id = total.account_id
  ), spent AS (
    UPDATE access_keys AS key SET
      spent_day = total.day,
      day_spent_nano = total.day_spent,
      spent_month = total.month,
      month_spent_nano = total.month_spent,
      last_used_at = total.asked_at
    FROM (
      SELECT account_id, key_id, max(day) AS day, max(month) AS month, max(day_spent + key_sum) AS day_spent,
        max(month_spent + key_sum) AS month_spent, max(asked_at) AS asked_at
      FROM judged WHERE fits AND key_id IS NOT NULL GROUP BY account_id, key_id
    ) AS total
    WHERE key.id = total.key_id AND key.account_id = total.account_id
  ), reserved AS (
    INSERT INTO reservations (id, account_id, key_id, amount_nano, spent_day, spent_month, spent_epoch,
      operation, request_id, price, price_version, created_at, lease_until, client_request_id, process_id)
    SELECT id, account_id, key_id, amount, day, month, spent_epoch, operation, request_id, price, price_version,
      asked_at, to_timestamp(lease_ms / 1000.0), client_request_id, p_process
    FROM judged WHERE fits
  )
  SELECT
    array_agg(CASE WHEN fits THEN balance_nano END ORDER BY item),
    array_agg(item ORDER BY item) FILTER (WHERE NOT fits)
    INTO balances, v_tight FROM judged;

  IF v_tight IS NULL THEN
    RETURN;
  END IF;
  FOREACH v_item IN ARRAY v_tight LOOP
    SELECT * INTO v FROM ledger_reserve(
      r_id[v_item], r_account[v_item], r_key[v_item], r_amount[v_item], to_timestamp(r_now[v_item] / 1000.0),
      to_timestamp(r_lease[v_item] / 1000.0), r_operation[v_item], r_request[v_item], r_price[v_item],
      r_version[v_item], r_secret[v_item], r_client[v_item], p_process);
    v_decided := v_decided || jsonb_build_object(
      'item', v_item,
      'verdict', v.verdict,
      'balance_nano', v.balance_nano::text,
      'available_nano', v.available_nano::text,
      'limit_nano', v.limit_nano::text,
      'spent_nano', v.spent_nano::text,
      'resets_at_ms', round(extract(epoch FROM v.resets_at) * 1000),
      'room_nano', v.room_nano::text);
  END LOOP;
  decided := to_jsonb(v_decided);
END $$;
