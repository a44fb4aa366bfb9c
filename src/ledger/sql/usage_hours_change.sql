-- Corrects the hourly sums by what a statement changed in calls: subtracts the rows as they were and adds them as they
-- are now. Does the same for the sums of days to which the hour has been added already.
--
-- Locks the whole table usage_hours, then rows of usage_days in the order of their key. Row locks would not do: an
-- INSERT ... ON CONFLICT DO UPDATE fires this function and then usage_hours_add, and the two together would lock rows
-- in no fixed order. The lock on the table is rare, because a row changes only where a call is settled after a row
-- without a charge was written for it. Where no row was changed, it locks nothing.
--
-- Runs once for each statement and returns nothing.
CREATE OR REPLACE FUNCTION usage_hours_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_is_late boolean;
BEGIN
  IF NOT EXISTS (SELECT FROM new_calls) THEN
    RETURN NULL;
  END IF;
  LOCK TABLE usage_hours IN SHARE ROW EXCLUSIVE MODE;

  WITH delta AS (
    SELECT account_id, hour, key_id, operation, price, sum(requests)::bigint AS requests,
      sum(successful)::bigint AS successful, sum(tokens)::bigint AS tokens, sum(cost_nano)::bigint AS cost_nano
    FROM (
      SELECT account_id, date_bin('1 hour', created_at, '2000-01-01T00:00Z') AS hour, key_id, operation, price,
        -1 * count(*) AS requests,
        -1 * count(*) FILTER (WHERE status BETWEEN 200 AND 299) AS successful,
        -1 * sum(input_tokens::bigint + output_tokens)::bigint AS tokens,
        -1 * sum(charged_nano)::bigint AS cost_nano
      FROM old_calls GROUP BY 1, 2, 3, 4, 5
      UNION ALL
      SELECT account_id, date_bin('1 hour', created_at, '2000-01-01T00:00Z') AS hour, key_id, operation, price,
        count(*) AS requests,
        count(*) FILTER (WHERE status BETWEEN 200 AND 299) AS successful,
        sum(input_tokens::bigint + output_tokens)::bigint AS tokens,
        sum(charged_nano)::bigint AS cost_nano
      FROM new_calls GROUP BY 1, 2, 3, 4, 5
    ) AS changes GROUP BY 1, 2, 3, 4, 5
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
      SELECT account_id, hour, key_id, operation, price, sum(requests)::bigint AS requests,
        sum(successful)::bigint AS successful, sum(tokens)::bigint AS tokens, sum(cost_nano)::bigint AS cost_nano
      FROM (
        SELECT account_id, date_bin('1 hour', created_at, '2000-01-01T00:00Z') AS hour, key_id, operation, price,
          -1 * count(*) AS requests,
          -1 * count(*) FILTER (WHERE status BETWEEN 200 AND 299) AS successful,
          -1 * sum(input_tokens::bigint + output_tokens)::bigint AS tokens,
          -1 * sum(charged_nano)::bigint AS cost_nano
        FROM old_calls GROUP BY 1, 2, 3, 4, 5
        UNION ALL
        SELECT account_id, date_bin('1 hour', created_at, '2000-01-01T00:00Z') AS hour, key_id, operation, price,
          count(*) AS requests,
          count(*) FILTER (WHERE status BETWEEN 200 AND 299) AS successful,
          sum(input_tokens::bigint + output_tokens)::bigint AS tokens,
          sum(charged_nano)::bigint AS cost_nano
        FROM new_calls GROUP BY 1, 2, 3, 4, 5
      ) AS changes GROUP BY 1, 2, 3, 4, 5
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

CREATE OR REPLACE TRIGGER usage_hours_change
  AFTER UPDATE ON calls REFERENCING OLD TABLE AS old_calls NEW TABLE AS new_calls
  FOR EACH STATEMENT EXECUTE FUNCTION usage_hours_change();
