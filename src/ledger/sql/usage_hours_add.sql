-- Adds the calls that a statement wrote to the hourly sums. It does so in the same transaction, so the sums are exact
-- at every commit, whichever statement writes the calls. A background job adds the hours of days that are over to
-- usage_days. Where it has already done so for an hour, the calls are added to the sum of that day as well. Calls
-- without a key or price have null for it.
--
-- Locks the rows of usage_hours, then those of usage_days, both in the order of their key, so that no two statements
-- wait for each other. Calls that moved no money are written without the lock of a balance; that does no harm, because
-- these locks are the last that any such statement takes. The rows of usage_hours stay locked until the commit, so that
-- the job cannot count them twice.
--
-- Runs once for each statement and returns nothing.
CREATE OR REPLACE FUNCTION usage_hours_add() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_is_late boolean;
BEGIN
  WITH delta AS (
    SELECT account_id, date_bin('1 hour', created_at, '2000-01-01T00:00Z') AS hour, key_id, operation, price,
      count(*) AS requests,
      count(*) FILTER (WHERE status BETWEEN 200 AND 299) AS successful,
      sum(input_tokens::bigint + output_tokens)::bigint AS tokens,
      sum(charged_nano)::bigint AS cost_nano
    FROM new_calls GROUP BY 1, 2, 3, 4, 5
  ), added AS (
    INSERT INTO usage_hours AS u
      (account_id, hour, key_id, operation, price, requests, successful, tokens, cost_nano)
    SELECT * FROM delta ORDER BY account_id, hour, key_id, operation, price
    ON CONFLICT (account_id, hour, key_id, operation, price) DO UPDATE SET
      requests = u.requests + excluded.requests,
      successful = u.successful + excluded.successful,
      tokens = u.tokens + excluded.tokens,
      cost_nano = u.cost_nano + excluded.cost_nano
    RETURNING in_day
  )
  SELECT coalesce(bool_or(in_day), false) INTO v_is_late FROM added;

  IF v_is_late THEN
    INSERT INTO usage_days AS u
      (account_id, day, key_id, operation, price, requests, successful, tokens, cost_nano)
    SELECT d.account_id, date_bin('1 day', d.hour, '2000-01-01T00:00Z') AS day, d.key_id, d.operation, d.price,
      sum(d.requests), sum(d.successful), sum(d.tokens), sum(d.cost_nano)
    FROM (
      SELECT account_id, date_bin('1 hour', created_at, '2000-01-01T00:00Z') AS hour, key_id, operation, price,
        count(*) AS requests,
        count(*) FILTER (WHERE status BETWEEN 200 AND 299) AS successful,
        sum(input_tokens::bigint + output_tokens)::bigint AS tokens,
        sum(charged_nano)::bigint AS cost_nano
      FROM new_calls GROUP BY 1, 2, 3, 4, 5
    ) AS d
    JOIN usage_hours AS h ON h.account_id = d.account_id AND h.hour = d.hour AND h.operation = d.operation
      AND h.key_id IS NOT DISTINCT FROM d.key_id AND h.price IS NOT DISTINCT FROM d.price
    WHERE h.in_day GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (account_id, day, key_id, operation, price) DO UPDATE SET
      requests = u.requests + excluded.requests,
      successful = u.successful + excluded.successful,
      tokens = u.tokens + excluded.tokens,
      cost_nano = u.cost_nano + excluded.cost_nano;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER usage_hours_add
  AFTER INSERT ON calls REFERENCING NEW TABLE AS new_calls
  FOR EACH STATEMENT EXECUTE FUNCTION usage_hours_add();
