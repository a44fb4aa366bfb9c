-- The spending limits of a key, what calls have spent of them in the present day and month of its zone, and when these end. The
-- sums of a past day or month count as zero. What processes were lent of a limit and do not use is no spending.
--
-- Locks nothing. Returns no row where the account has no such key. Amounts are in nano-USD.
CREATE OR REPLACE FUNCTION key_limits(p_key uuid, p_account uuid, p_now timestamptz) RETURNS TABLE (
  daily_limit_nano bigint,
  monthly_limit_nano bigint,
  per_request_limit_nano bigint,
  timezone text,
  day_spent_nano bigint,
  month_spent_nano bigint,
  day_resets_at timestamptz,
  month_resets_at timestamptz
) LANGUAGE sql STABLE AS $$
  SELECT k.daily_limit_nano, k.monthly_limit_nano, k.per_request_limit_nano, k.timezone,
    CASE WHEN day = k.spent_day THEN k.day_spent_nano - unused_of_day ELSE 0 END,
    CASE WHEN month = k.spent_month THEN k.month_spent_nano - unused_of_month ELSE 0 END,
    day_starts_at(day + 1, k.timezone),
    day_starts_at((month + interval '1 month')::date, k.timezone)
  FROM access_keys AS k, LATERAL (
    SELECT greatest(k.spent_day, (p_now AT TIME ZONE k.timezone)::date) AS day,
      greatest(k.spent_month, date_trunc('month', p_now AT TIME ZONE k.timezone)::date) AS month
  ) AS period, LATERAL (
    SELECT coalesce(sum(unused) FILTER (WHERE l.spent_day = k.spent_day), 0)::bigint AS unused_of_day,
      coalesce(sum(unused) FILTER (WHERE l.spent_month = k.spent_month), 0)::bigint AS unused_of_month
    FROM leases AS l, LATERAL (
      SELECT l.amount_nano - coalesce(sum(r.amount_nano), 0) AS unused FROM reservations AS r
      WHERE r.account_id = l.account_id AND r.process_id = l.process_id AND r.lease_id = l.id
    ) AS beside
    WHERE l.account_id = k.account_id AND l.key_id = k.id AND l.spent_epoch = k.spent_epoch AND NOT l.is_exact
  ) AS lent
  WHERE k.id = p_key AND k.account_id = p_account
$$;
