-- Writes usage.threshold for the keys that these entries charged, where what their calls have cost reaches 80 % of the
-- daily or monthly limit: once for each key, limit and period, and only while the period runs.
--
-- The counters of a key include what processes were lent, which is no spending yet. So leases are read, once for all keys,
-- where a counter with them has come to 80 % and the event was not written yet.
--
-- Its plan is made once, as that of ledger_tell_balances.
--
-- Its caller, ledger_tell, is under the locks of the balances, and counters, limits and leases change only under
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
      SELECT entry.account_id, entry.key_id, max(entry.created_at) AS charged_at
      FROM unnest(p_accounts, p_entries) AS named (account_id, id)
      -- A view of two tables: without OFFSET 0 all of both were read, and not the rows of these ids alone.
      CROSS JOIN LATERAL (
        SELECT * FROM ledger_entries AS e WHERE e.id = named.id AND e.account_id = named.account_id OFFSET 0
      ) AS entry
      JOIN event_subscriptions AS subscription ON subscription.account_id = entry.account_id
      WHERE entry.key_id IS NOT NULL
        AND subscription.event_types & event_bit('usage.threshold') <> 0
      GROUP BY entry.account_id, entry.key_id
    ), near AS MATERIALIZED (
      SELECT key.account_id, key.id AS key_id, key.spent_epoch, charged.charged_at, key_limit.*,
        day_starts_at(key_limit.next_period, key.timezone) AS resets_at,
        format('usage.threshold:%s:%s:%s:%s', key.id, key_limit.limit_type, key_limit.period, key_limit.limit_nano) AS mark
      FROM charged
      JOIN access_keys AS key ON key.id = charged.key_id AND key.account_id = charged.account_id
      CROSS JOIN LATERAL (VALUES
        ('daily', key.daily_limit_nano, key.day_spent_nano, key.spent_day, key.spent_day + 1),
        ('monthly', key.monthly_limit_nano, key.month_spent_nano, key.spent_month,
          (key.spent_month + interval '1 month')::date)
      ) AS key_limit (limit_type, limit_nano, counted_nano, period, next_period)
      WHERE key_limit.counted_nano > 0 AND key_limit.limit_nano - key_limit.counted_nano <= key_limit.limit_nano / 5
    ), untold AS MATERIALIZED (
      SELECT * FROM near WHERE resets_at > charged_at AND NOT EXISTS (
        SELECT FROM event_marks
        WHERE event_marks.account_id = near.account_id AND event_marks.mark = near.mark
          AND event_marks.held_until > near.charged_at)
    ), open AS MATERIALIZED (
      SELECT key_id, spent_epoch, spent_day, spent_month, sum(amount_nano) AS amount_nano
      FROM leases
      WHERE account_id = ANY(ARRAY(SELECT account_id FROM untold)) AND key_id = ANY(ARRAY(SELECT key_id FROM untold))
      GROUP BY 1, 2, 3, 4
    )
    -- As a subquery of each row it is not even begun where there is no row.
    SELECT untold.*, counted_nano - coalesce((
      SELECT sum(open.amount_nano) FROM open
      WHERE open.key_id = untold.key_id AND open.spent_epoch = untold.spent_epoch
        AND CASE limit_type WHEN 'daily' THEN open.spent_day ELSE open.spent_month END = untold.period
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
