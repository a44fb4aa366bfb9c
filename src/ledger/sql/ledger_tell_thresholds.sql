-- Writes usage.threshold for the keys that these entries charged, where what their calls have cost reaches 80 % of the
-- daily or monthly limit: once for each key, limit and period, and only while the period runs.
--
-- The counters of a key include what its calls in flight have reserved, which is no spending yet. The table of
-- reservations has no index by key, since every call would pay for it. So it is read, once for all keys, only where a
-- counter with the reservations has come to 80 % and the event was not written yet.
--
-- Its plan is made once, as that of ledger_tell_balances.
--
-- Its caller, ledger_tell, is under the locks of the balances, and counters, limits and reservations change only under
-- those. Locks the marks of the events that it writes.
DROP FUNCTION IF EXISTS ledger_tell_thresholds(uuid[]);
CREATE OR REPLACE FUNCTION ledger_tell_thresholds(p_accounts uuid[], p_entries uuid[]) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = 'force_generic_plan' SET enable_seqscan = 'off' SET enable_hashjoin = 'off' SET enable_mergejoin = 'off'
AS $$
DECLARE
  v record;
BEGIN
  FOR v IN
    WITH charged AS (
      SELECT e.account_id, e.key_id, max(e.created_at) AS charged_at
      FROM unnest(p_accounts, p_entries) AS t (account_id, id)
      JOIN ledger_entries AS e ON e.id = t.id AND e.account_id = t.account_id
      JOIN event_subscriptions AS s ON s.account_id = e.account_id
      WHERE e.key_id IS NOT NULL
        AND s.event_types & event_bit('usage.threshold') <> 0
      GROUP BY e.account_id, e.key_id
    ), near AS MATERIALIZED (
      SELECT k.account_id, k.id AS key_id, k.spent_epoch, c.charged_at, l.*,
        day_starts_at(l.next_period, k.timezone) AS resets_at,
        format('usage.threshold:%s:%s:%s:%s', k.id, l.limit_type, l.period, l.limit_nano) AS mark
      FROM charged AS c
      JOIN access_keys AS k ON k.id = c.key_id AND k.account_id = c.account_id
      CROSS JOIN LATERAL (VALUES
        ('daily', k.daily_limit_nano, k.day_spent_nano, k.spent_day, k.spent_day + 1),
        ('monthly', k.monthly_limit_nano, k.month_spent_nano, k.spent_month,
          (k.spent_month + interval '1 month')::date)
      ) AS l (limit_type, limit_nano, counted_nano, period, next_period)
      WHERE l.counted_nano > 0 AND l.limit_nano - l.counted_nano <= l.limit_nano / 5
    ), untold AS MATERIALIZED (
      SELECT * FROM near WHERE resets_at > charged_at AND NOT EXISTS (
        SELECT FROM event_marks AS m
        WHERE m.account_id = near.account_id AND m.mark = near.mark AND m.held_until > near.charged_at)
    ), open AS MATERIALIZED (
      SELECT key_id, spent_epoch, spent_day, spent_month, sum(amount_nano) AS amount_nano
      FROM reservations
      WHERE account_id = ANY(ARRAY(SELECT account_id FROM untold)) AND key_id = ANY(ARRAY(SELECT key_id FROM untold))
      GROUP BY 1, 2, 3, 4
    )
    -- As a subquery of each row it is not even begun where there is no row.
    SELECT untold.*, counted_nano - coalesce((
      SELECT sum(o.amount_nano) FROM open AS o
      WHERE o.key_id = untold.key_id AND o.spent_epoch = untold.spent_epoch
        AND CASE limit_type WHEN 'daily' THEN o.spent_day ELSE o.spent_month END = untold.period
    ), 0)::bigint AS spent_nano
    FROM untold
  LOOP
    IF v.spent_nano > 0 AND v.limit_nano - v.spent_nano <= v.limit_nano / 5 THEN
      PERFORM event_write(v.account_id, 'usage.threshold', json_build_object(
        'user_id', v.account_id,
        'access_key_id', v.key_id,
        'limit_type', v.limit_type,
        'limit', event_usd(v.limit_nano),
        'spent', event_usd(v.spent_nano),
        'threshold_percent', 80,
        'resets_at', event_time(v.resets_at)
      ), NULL, v.charged_at, v.mark, v.resets_at + interval '24 hours');
    END IF;
  END LOOP;
END $$;
