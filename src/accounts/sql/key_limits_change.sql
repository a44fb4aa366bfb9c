-- Changes the spending limits of a key, or its time zone, or lets its sums begin anew (p_resets). p_limits are the daily, the
-- monthly and the limit for a single call in nano-USD, of which those are set that p_sets names. It is one statement, because
-- every charge of the account waits behind its lock.
--
-- Changing the zone must not give a key a fresh day or month to spend: the sums of the present day and month of the old zone
-- become those of the new zone, with what processes hold of them, which calls will be settled against, also where a day is over
-- in the old zone only. What was lent in earlier periods counts in no period: the present one may have the date of theirs.
--
-- Locks the balance, then the key and its leases, as the ledger does. Returns what key_limits returns.
CREATE OR REPLACE FUNCTION key_limits_change(
  p_key uuid,
  p_account uuid,
  p_now timestamptz,
  p_timezone text,
  p_sets boolean[],
  p_limits bigint[],
  p_resets boolean
) RETURNS TABLE (
  daily_limit_nano bigint,
  monthly_limit_nano bigint,
  per_request_limit_nano bigint,
  timezone text,
  day_spent_nano bigint,
  month_spent_nano bigint,
  day_resets_at timestamptz,
  month_resets_at timestamptz
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM FROM balances WHERE account_id = p_account FOR NO KEY UPDATE;

  WITH move AS (
    SELECT id, spent_day AS old_day, spent_month AS old_month, new_day, new_month,
      spent_day >= least(new_day, (p_now AT TIME ZONE timezone)::date) AS day_counts,
      spent_month >= least(new_month, date_trunc('month', p_now AT TIME ZONE timezone)::date) AS month_counts
    FROM access_keys, LATERAL (
      SELECT (p_now AT TIME ZONE p_timezone)::date AS new_day,
        date_trunc('month', p_now AT TIME ZONE p_timezone)::date AS new_month
    ) AS period
    WHERE id = p_key AND account_id = p_account AND timezone <> p_timezone
    FOR NO KEY UPDATE OF access_keys
  ), lent AS (
    UPDATE leases AS l SET
      spent_day = CASE WHEN day_counts AND l.spent_day = old_day THEN new_day END,
      spent_month = CASE WHEN month_counts AND l.spent_month = old_month THEN new_month END
    FROM move WHERE l.account_id = p_account AND l.key_id = move.id
  )
  UPDATE access_keys AS k SET timezone = p_timezone,
    spent_day = new_day, day_spent_nano = CASE WHEN day_counts THEN day_spent_nano ELSE 0 END,
    spent_month = new_month, month_spent_nano = CASE WHEN month_counts THEN month_spent_nano ELSE 0 END
  FROM move WHERE k.id = move.id;

  UPDATE access_keys SET
    daily_limit_nano = CASE WHEN p_sets[1] THEN p_limits[1] ELSE daily_limit_nano END,
    monthly_limit_nano = CASE WHEN p_sets[2] THEN p_limits[2] ELSE monthly_limit_nano END,
    per_request_limit_nano = CASE WHEN p_sets[3] THEN p_limits[3] ELSE per_request_limit_nano END,
    day_spent_nano = CASE WHEN p_resets THEN 0 ELSE day_spent_nano END,
    month_spent_nano = CASE WHEN p_resets THEN 0 ELSE month_spent_nano END,
    spent_epoch = spent_epoch + CASE WHEN p_resets THEN 1 ELSE 0 END,
    spent_day = CASE WHEN p_resets THEN '-infinity' ELSE spent_day END,
    spent_month = CASE WHEN p_resets THEN '-infinity' ELSE spent_month END
  WHERE id = p_key AND account_id = p_account;

  RETURN QUERY SELECT * FROM key_limits(p_key, p_account, p_now);
END $$;
