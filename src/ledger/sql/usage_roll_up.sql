-- Adds the calls that were written since the last time to the sums of their hours: usage_hours, and ledger_hours for what
-- they were charged. A background job adds the hours of days that are over to usage_days; where it has already done so for an
-- hour, the calls are added to the sum of that day as well. Calls without a key, price or model have null for it.
--
-- Transactions commit in no order. So a call knows the transaction that wrote it, and this goes no further than the oldest
-- transaction that is still under way: all before it have ended, and what they wrote is seen. Readers add the calls from
-- rolled_to on, in the snapshot in which they read the sums; so they are exact whether or not this has run.
--
-- Locks roll_ups, so that one process does this at a time and the others do nothing meanwhile; then rows of usage_hours,
-- which stay locked until the commit, so that the job cannot count them twice; then rows of usage_days and ledger_hours.
--
-- Returns how many calls it added: some p_calls_max at once, and the rest of the last transaction.
CREATE OR REPLACE FUNCTION usage_roll_up(p_calls_max integer) RETURNS bigint LANGUAGE plpgsql
SET plan_cache_mode = 'force_custom_plan' AS $$
DECLARE
  v_from xid8;
  v_to xid8;
  v_bound xid8;
  v_added bigint;
BEGIN
  -- Where nothing is new, nothing is locked, and so nothing is written.
  IF NOT EXISTS (SELECT FROM calls WHERE written_by >= (SELECT rolled_to FROM roll_ups)) THEN
    RETURN 0;
  END IF;
  SELECT rolled_to INTO v_from FROM roll_ups FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  v_to := pg_snapshot_xmin(pg_current_snapshot());
  SELECT written_by INTO v_bound FROM calls WHERE written_by >= v_from AND written_by < v_to
    ORDER BY written_by OFFSET p_calls_max LIMIT 1;
  IF v_bound > v_from THEN
    v_to := v_bound;
  END IF;
  IF NOT EXISTS (SELECT FROM calls WHERE written_by >= v_from AND written_by < v_to) THEN
    RETURN 0;
  END IF;

  WITH new_calls AS MATERIALIZED (
    SELECT * FROM calls WHERE written_by >= v_from AND written_by < v_to
  ), delta AS MATERIALIZED (
    SELECT account_id, date_bin('1 hour', created_at, '2000-01-01T00:00Z') AS hour, key_id, operation, price, model,
      count(*) AS requests,
      count(*) FILTER (WHERE status BETWEEN 200 AND 299) AS successful,
      sum(input_tokens::bigint + output_tokens)::bigint AS tokens,
      sum(charged_nano)::bigint AS cost_nano
    FROM new_calls GROUP BY 1, 2, 3, 4, 5, 6
  ), added AS (
    INSERT INTO usage_hours AS u
      (account_id, hour, key_id, operation, price, model, requests, successful, tokens, cost_nano)
    SELECT * FROM delta ORDER BY account_id, hour, key_id, operation, price, model
    ON CONFLICT (account_id, hour, key_id, operation, price, model) DO UPDATE SET
      requests = u.requests + excluded.requests,
      successful = u.successful + excluded.successful,
      tokens = u.tokens + excluded.tokens,
      cost_nano = u.cost_nano + excluded.cost_nano
    RETURNING account_id, hour, key_id, operation, price, model, in_day
  ), late AS (
    INSERT INTO usage_days AS u
      (account_id, day, key_id, operation, price, model, requests, successful, tokens, cost_nano)
    SELECT delta.account_id, date_bin('1 day', delta.hour, '2000-01-01T00:00Z') AS day, delta.key_id, delta.operation,
      delta.price, delta.model, sum(requests), sum(successful), sum(tokens), sum(cost_nano)
    FROM delta JOIN added ON added.in_day AND added.account_id = delta.account_id AND added.hour = delta.hour
      AND added.operation = delta.operation AND added.key_id IS NOT DISTINCT FROM delta.key_id
      AND added.price IS NOT DISTINCT FROM delta.price
      AND added.model IS NOT DISTINCT FROM delta.model
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account_id, day, key_id, operation, price, model) DO UPDATE SET
      requests = u.requests + excluded.requests,
      successful = u.successful + excluded.successful,
      tokens = u.tokens + excluded.tokens,
      cost_nano = u.cost_nano + excluded.cost_nano
  ), entered AS (
    INSERT INTO ledger_hours AS h (account_id, hour, type, entries, amount_nano, first_position, last_position)
    SELECT account_id, date_bin('1 hour', completed_at, '2000-01-01T00:00Z'), 'charge', count(*), -sum(charged_nano),
      min(position), max(position)
    FROM new_calls WHERE position IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (account_id, hour, type) DO UPDATE SET
      entries = h.entries + excluded.entries,
      amount_nano = h.amount_nano + excluded.amount_nano,
      first_position = least(h.first_position, excluded.first_position),
      last_position = greatest(h.last_position, excluded.last_position)
  )
  SELECT count(*) INTO v_added FROM new_calls;
  UPDATE roll_ups SET rolled_to = v_to;
  RETURN v_added;
END $$;
