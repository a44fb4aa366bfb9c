-- Lends to the only lease of a flush where that is a matter of course: it takes and gives nothing back, its key is as it was at the latest
-- call, which was today, and balance and limits have more room than it asks for. The plan of ledger_lend, which decides all cases of
-- many leases, takes longer to begin than all of this.
--
-- Its caller, ledger_lend, has locked the balance and the key.
--
-- Returns what ledger_lend returns; null where it has not decided and changed nothing.
CREATE OR REPLACE FUNCTION ledger_lend_ample(p_process uuid, p_leases json) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  asked record;
  k access_keys;
  held leases;
  v_available bigint;
  v_at timestamptz;
  v_need bigint;
  v_extra bigint;
  v_lent bigint;
BEGIN
  SELECT * INTO asked FROM json_to_recordset(p_leases) AS lease (item integer, id uuid, account uuid, key uuid, secret text,
    takes boolean, may_end boolean, needs bigint[], room bigint, reserved bigint, slack bigint, largest bigint, now bigint);
  IF NOT asked.takes OR asked.reserved IS NOT NULL OR asked.key IS NULL THEN
    RETURN NULL;
  END IF;
  v_at := to_timestamp(asked.now / 1000.0);
  SELECT * INTO k FROM access_keys WHERE id = asked.key AND account_id = asked.account AND is_active
    AND (asked.secret IS NULL OR secret_hash = decode(asked.secret, 'hex')) AND (expires_at IS NULL OR expires_at > v_at)
    AND spent_day = (v_at AT TIME ZONE timezone)::date AND spent_month = date_trunc('month', v_at AT TIME ZONE timezone)::date;
  IF NOT FOUND OR (SELECT max(need) FROM unnest(asked.needs) AS need) > k.per_request_limit_nano THEN
    RETURN NULL;
  END IF;
  SELECT balance_nano - reserved_nano INTO v_available FROM balances WHERE account_id = asked.account AND is_open;
  v_need := greatest(0, (SELECT sum(need) FROM unnest(asked.needs) AS need) - asked.room);
  v_extra := least(v_available, k.daily_limit_nano - k.day_spent_nano, k.monthly_limit_nano - k.month_spent_nano) - v_need;
  v_extra := least(asked.slack, v_extra / 8);
  IF v_available IS NULL OR v_extra < greatest(1, asked.largest) THEN
    RETURN NULL;
  END IF;
  v_lent := v_need + v_extra;
  INSERT INTO leases AS lease (process_id, id, account_id, key_id, amount_nano, is_exact, spent_day, spent_month, spent_epoch)
    VALUES (p_process, asked.id, asked.account, asked.key, v_lent, false, k.spent_day, k.spent_month, k.spent_epoch)
    ON CONFLICT (process_id, id) DO UPDATE SET amount_nano = lease.amount_nano + v_lent, is_exact = false
      WHERE (lease.spent_day, lease.spent_month, lease.spent_epoch) = (k.spent_day, k.spent_month, k.spent_epoch)
    RETURNING * INTO held;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  UPDATE balances SET reserved_nano = reserved_nano + v_lent WHERE account_id = asked.account;
  UPDATE access_keys SET day_spent_nano = day_spent_nano + v_lent, month_spent_nano = month_spent_nano + v_lent,
    last_used_at = v_at WHERE id = asked.key AND account_id = asked.account RETURNING * INTO k;
  RETURN json_build_array(json_build_object(
    'item', asked.item, 'verdict', 'lent', 'amount', held.amount_nano::text, 'is_exact', false, 'is_lent', false,
    'tells_limit', false, 'available', (v_available - v_lent)::text,
    'day_spent', k.day_spent_nano::text, 'month_spent', k.month_spent_nano::text,
    'per_request_limit', k.per_request_limit_nano::text, 'daily_limit', k.daily_limit_nano::text,
    'monthly_limit', k.monthly_limit_nano::text, 'day', k.spent_day, 'month', k.spent_month,
    'day_ends', round(extract(epoch FROM day_starts_at(k.spent_day + 1, k.timezone)) * 1000),
    'month_ends', round(extract(epoch FROM day_starts_at((k.spent_month + interval '1 month')::date, k.timezone)) * 1000),
    'ends_at', round(extract(epoch FROM least(day_starts_at(k.spent_day + 1, k.timezone), k.expires_at)) * 1000)));
END $$;
