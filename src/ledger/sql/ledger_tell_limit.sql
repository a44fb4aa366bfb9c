-- Writes usage.limit_exceeded for a key whose daily or monthly limit has refused a call, if its account subscribes to it:
-- once for each key, limit and period. Amounts are in nano-USD.
--
-- Locks the mark of the event. Returns nothing.
CREATE OR REPLACE FUNCTION ledger_tell_limit(
  p_account uuid,
  p_key uuid,
  p_type text,
  p_limit bigint,
  p_spent bigint,
  p_amount bigint,
  p_period text,
  p_resets_at timestamptz,
  p_operation text,
  p_now timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM event_write(p_account, 'usage.limit_exceeded', json_build_object(
    'user_id', p_account,
    'access_key_id', p_key,
    'limit_type', p_type,
    'limit', event_usd(p_limit),
    'spent', event_usd(p_spent),
    'exceeded_by', event_usd(p_spent + p_amount - p_limit),
    'request_cost', event_usd(p_amount),
    'resets_at', event_time(p_resets_at)
  ), p_operation, p_now, format('usage.limit_exceeded:%s:%s:%s:%s', p_key, p_type, p_period, p_limit),
    p_resets_at + interval '24 hours');
END $$;
