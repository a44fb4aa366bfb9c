-- Adds the hourly sums of the ledger of days before roll_ups.hours_from up to one row for each day, which stands at the day's first
-- hour (UTC). Readers take no single hours of such days, so they are exact before, between and after the steps.
--
-- Locks roll_ups, so that one process does this at a time and usage_roll_up leaves out its turn; then rows of ledger_hours that no
-- credit adds to any more.
--
-- Returns how many rows it took, the oldest first: at most p_rows_max, and fewer where no more are left.
CREATE OR REPLACE FUNCTION ledger_hours_fold(p_rows_max integer) RETURNS bigint LANGUAGE plpgsql
SET plan_cache_mode = 'force_custom_plan' AS $$
DECLARE
  v_from timestamptz;
  v_to timestamptz;
  v_last timestamptz;
  v_folded bigint;
BEGIN
  SELECT ledger_days_to, hours_from INTO v_from, v_to FROM roll_ups FOR UPDATE SKIP LOCKED;
  IF NOT FOUND OR v_from >= v_to THEN
    RETURN 0;
  END IF;
  WITH hours AS (
    DELETE FROM ledger_hours WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ledger_hours
      WHERE hour > v_from AND hour < v_to AND hour <> date_bin('1 day', hour, '2000-01-01T00:00Z')
      ORDER BY hour LIMIT p_rows_max))
    RETURNING *
  ), added AS (
    INSERT INTO ledger_hours AS h (account_id, hour, type, entries, amount_nano, first_position, last_position)
    SELECT account_id, date_bin('1 day', hour, '2000-01-01T00:00Z'), type, sum(entries), sum(amount_nano),
      min(first_position), max(last_position)
    FROM hours GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (account_id, hour, type) DO UPDATE SET
      entries = h.entries + excluded.entries,
      amount_nano = h.amount_nano + excluded.amount_nano,
      first_position = least(h.first_position, excluded.first_position),
      last_position = greatest(h.last_position, excluded.last_position)
  )
  SELECT count(*), max(hour) INTO v_folded, v_last FROM hours;
  UPDATE roll_ups SET ledger_days_to =
    CASE WHEN v_folded < p_rows_max THEN v_to ELSE date_bin('1 day', v_last, '2000-01-01T00:00Z') END;
  RETURN v_folded;
END $$;
