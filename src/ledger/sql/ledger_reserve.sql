-- Reserves the most that one call may cost, or refuses the call. What it reserves no other call can spend, neither of
-- the account's balance nor of the key's limits.
--
-- Where the day's or the month's limit refuses the call, writes usage.limit_exceeded for those who subscribe to it: once
-- for each key, limit and period.
--
-- Locks the account's balance, then the key, and decides by the rows that it has locked. The mark of an event comes
-- after both (ledger_tell). Calls that reserve at the same time, on any replica, wait for the locks and then decide by
-- what is left. Gives up after waiting 4 seconds for a lock, which is sooner than the statement as a whole is given up:
-- so the caller learns that the account is busy.
--
-- Returns as verdict 'reserved', or the reason of the refusal: 'account_closed', 'key_invalid', 'key_expired',
-- 'insufficient_credits', or the limit of the key that the amount would exceed: 'per_request', 'daily', 'monthly'.
-- limit_nano, spent_nano and resets_at describe that limit. room_nano is the most that the call could have reserved.
-- Amounts are in nano-USD.
--
-- p_client_request_id and p_process have defaults, so that replicas of the builds before may still call without them.
DROP FUNCTION IF EXISTS ledger_reserve(
  uuid, uuid, uuid, bigint, timestamptz, timestamptz, text, text, text, text, bytea);
DROP FUNCTION IF EXISTS ledger_reserve(
  uuid, uuid, uuid, bigint, timestamptz, timestamptz, text, text, text, text, bytea, text);
CREATE OR REPLACE FUNCTION ledger_reserve(
  p_id uuid,
  p_account uuid,
  p_key uuid,
  p_amount bigint,
  p_now timestamptz,
  p_lease_until timestamptz,
  p_operation text,
  p_request_id text,
  p_price text,
  p_price_version text,
  p_secret_hash bytea,
  p_client_request_id text DEFAULT NULL,
  p_process uuid DEFAULT NULL,
  OUT verdict text,
  OUT balance_nano bigint,
  OUT available_nano bigint,
  OUT limit_nano bigint,
  OUT spent_nano bigint,
  OUT resets_at timestamptz,
  OUT room_nano bigint
) LANGUAGE plpgsql SET lock_timeout = '4s' AS $$
DECLARE
  b balances;
  k access_keys;
  v_day date;
  v_month date;
  v_day_spent bigint := 0;
  v_month_spent bigint := 0;
  v_period date;
BEGIN
  SELECT * INTO b FROM balances WHERE account_id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND OR NOT b.is_open THEN
    verdict := 'account_closed';
    RETURN;
  END IF;

  IF p_key IS NOT NULL THEN
    -- The secret is compared again here, under the key's lock: a replica that has not yet heard of a rotation must not
    -- charge a call that shows an old secret. Rotations change the replaced secrets under the same lock.
    SELECT * INTO k FROM access_keys WHERE id = p_key AND account_id = p_account FOR NO KEY UPDATE;
    IF NOT FOUND OR NOT k.is_active OR (
      p_secret_hash IS NOT NULL AND p_secret_hash <> k.secret_hash AND NOT EXISTS (
        SELECT FROM replaced_secrets WHERE secret_hash = p_secret_hash AND key_id = p_key AND valid_until > p_now)
    ) THEN
      verdict := 'key_invalid';
      RETURN;
    ELSIF k.expires_at <= p_now THEN
      verdict := 'key_expired';
      RETURN;
    END IF;
    -- Without greatest(), a replica whose clock runs behind would begin the day before anew, with nothing spent.
    v_day := greatest(k.spent_day, (p_now AT TIME ZONE k.timezone)::date);
    v_month := greatest(k.spent_month, date_trunc('month', p_now AT TIME ZONE k.timezone)::date);
    v_day_spent := CASE WHEN v_day = k.spent_day THEN k.day_spent_nano ELSE 0 END;
    v_month_spent := CASE WHEN v_month = k.spent_month THEN k.month_spent_nano ELSE 0 END;
  END IF;

  balance_nano := b.balance_nano;
  available_nano := b.balance_nano - b.reserved_nano;
  room_nano := least(available_nano, k.per_request_limit_nano, k.daily_limit_nano - v_day_spent,
    k.monthly_limit_nano - v_month_spent);
  IF available_nano < p_amount THEN
    verdict := 'insufficient_credits';
    RETURN;
  END IF;

  IF k.per_request_limit_nano < p_amount THEN
    verdict := 'per_request';
    limit_nano := k.per_request_limit_nano;
    spent_nano := 0;
    RETURN;
  ELSIF v_day_spent + p_amount > k.daily_limit_nano THEN
    verdict := 'daily';
    limit_nano := k.daily_limit_nano;
    spent_nano := v_day_spent;
    resets_at := day_starts_at(v_day + 1, k.timezone);
    v_period := v_day;
  ELSIF v_month_spent + p_amount > k.monthly_limit_nano THEN
    verdict := 'monthly';
    limit_nano := k.monthly_limit_nano;
    spent_nano := v_month_spent;
    resets_at := day_starts_at((v_month + interval '1 month')::date, k.timezone);
    v_period := v_month;
  END IF;
  IF v_period IS NOT NULL THEN
    PERFORM event_write(p_account, 'usage.limit_exceeded', json_build_object(
      'user_id', p_account,
      'access_key_id', p_key,
      'limit_type', verdict,
      'limit', event_usd(limit_nano),
      'spent', event_usd(spent_nano),
      'exceeded_by', event_usd(spent_nano + p_amount - limit_nano),
      'request_cost', event_usd(p_amount),
      'resets_at', event_time(resets_at)
    ), p_operation, p_now, format('usage.limit_exceeded:%s:%s:%s:%s', p_key, verdict, v_period, limit_nano),
      resets_at + interval '24 hours');
    RETURN;
  END IF;

  UPDATE balances SET reserved_nano = b.reserved_nano + p_amount WHERE account_id = p_account;
  IF p_key IS NOT NULL THEN
    UPDATE access_keys SET
      spent_day = v_day,
      day_spent_nano = v_day_spent + p_amount,
      spent_month = v_month,
      month_spent_nano = v_month_spent + p_amount,
      last_used_at = p_now
    WHERE id = p_key AND account_id = p_account;
  END IF;
  INSERT INTO reservations VALUES (
    p_id, p_account, p_key, p_amount, v_day, v_month, k.spent_epoch,
    p_operation, p_request_id, p_price, p_price_version, p_now, p_lease_until, p_client_request_id,
    p_process);
  available_nano := available_nano - p_amount;
  verdict := 'reserved';
END $$;
