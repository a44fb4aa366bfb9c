-- Ends one call: charges what it cost, gives back what it did not use of its reservation, and writes the call's row of
-- usage.
--
-- What a call cost beyond its reservation is charged as far as the balance and the key's limits have room at this
-- moment: never from what other calls have reserved, and never past a limit. It counts in the present day and month of
-- the key, also where the call was reserved in earlier ones.
--
-- A call can be settled, released or swept, and several of these may be tried at once. Only the one that deletes the
-- reservation ends the call. To settle twice in the same way gives the same answer twice, so that a settlement can be
-- tried again when the connection was lost.
--
-- Locks the claim of the call's Idempotency-Key, then the balance, then the reservation, then the key, and last what the
-- events of the charge lock (ledger_tell). The claim comes first for two reasons: when a retry has taken it over, the
-- retry is charged and this call must not be; and a large answer is not written while the balance is locked.
--
-- Returns one of these as verdict: 'settled', with what was charged; or 'gone', with nothing charged, where the call
-- was ended in another way before or a retry has taken over its claim. Amounts are in nano-USD.
CREATE OR REPLACE FUNCTION ledger_settle(
  p_id uuid,
  p_account uuid,
  p_outcome text,
  p_charge bigint,
  p_status integer,
  p_input integer,
  p_output integer,
  p_now timestamptz,
  p_entry uuid,
  p_answer text,
  OUT verdict text,
  OUT charged_nano bigint,
  OUT balance_nano bigint
) LANGUAGE plpgsql AS $$
DECLARE
  b balances;
  r reservations;
  k access_keys;
  v_unused bigint;
  v_excess bigint := 0;
  v_day date;
  v_month date;
  v_day_spent bigint;
  v_month_spent bigint;
  v_taken_over boolean := false;
BEGIN
  IF p_answer IS NULL THEN
    DELETE FROM idempotency_claims WHERE call_id = p_id AND account_id = p_account AND status IS NULL;
  ELSE
    UPDATE idempotency_claims SET status = p_status, answer = p_answer
      WHERE call_id = p_id AND account_id = p_account;
    v_taken_over := NOT FOUND;
  END IF;

  SELECT * INTO b FROM balances WHERE account_id = p_account FOR NO KEY UPDATE;
  DELETE FROM reservations WHERE id = p_id AND account_id = p_account RETURNING * INTO r;
  balance_nano := b.balance_nano;
  IF r.id IS NULL THEN
    SELECT c.charged_nano INTO charged_nano FROM calls AS c
      WHERE c.id = p_id AND c.account_id = p_account AND c.outcome = p_outcome;
    verdict := CASE WHEN FOUND THEN 'settled' ELSE 'gone' END;
    charged_nano := coalesce(charged_nano, 0);
    RETURN;
  END IF;

  IF p_charge > r.amount_nano AND NOT v_taken_over THEN
    -- Without a limit its member of k is null, which least() passes over. The present day and month are those by which
    -- ledger_reserve decides.
    SELECT * INTO k FROM access_keys WHERE id = r.key_id AND account_id = p_account FOR NO KEY UPDATE;
    v_day := greatest(k.spent_day, (p_now AT TIME ZONE k.timezone)::date);
    v_month := greatest(k.spent_month, date_trunc('month', p_now AT TIME ZONE k.timezone)::date);
    v_day_spent := CASE WHEN v_day = k.spent_day THEN k.day_spent_nano ELSE 0 END;
    v_month_spent := CASE WHEN v_month = k.spent_month THEN k.month_spent_nano ELSE 0 END;
    v_excess := CASE WHEN r.key_id IS NULL OR k.id IS NOT NULL THEN greatest(0, least(
      p_charge - r.amount_nano, b.balance_nano - b.reserved_nano, k.per_request_limit_nano - r.amount_nano,
      k.daily_limit_nano - v_day_spent, k.monthly_limit_nano - v_month_spent)) ELSE 0 END;
  END IF;
  charged_nano := CASE WHEN v_taken_over THEN 0 ELSE least(greatest(p_charge, 0), r.amount_nano) + v_excess END;
  v_unused := r.amount_nano - charged_nano;
  balance_nano := b.balance_nano - charged_nano;
  UPDATE balances SET
    balance_nano = b.balance_nano - charged_nano,
    reserved_nano = b.reserved_nano - r.amount_nano
  WHERE account_id = p_account;

  -- What was not used is given back to the day and the month in which it was reserved, unless the key has begun another
  -- day or month since, or its counters were reset.
  IF r.key_id IS NOT NULL AND v_unused > 0 THEN
    UPDATE access_keys SET
      day_spent_nano = day_spent_nano - CASE WHEN spent_day = r.spent_day THEN v_unused ELSE 0 END,
      month_spent_nano = month_spent_nano - CASE WHEN spent_month = r.spent_month THEN v_unused ELSE 0 END
    WHERE id = r.key_id AND account_id = p_account AND spent_epoch = r.spent_epoch;
  ELSIF r.key_id IS NOT NULL AND v_excess > 0 THEN
    UPDATE access_keys SET
      spent_day = v_day,
      day_spent_nano = v_day_spent + v_excess,
      spent_month = v_month,
      month_spent_nano = v_month_spent + v_excess
    WHERE id = r.key_id AND account_id = p_account;
  END IF;

  IF charged_nano > 0 THEN
    INSERT INTO ledger_entries
      (id, account_id, type, amount_nano, balance_after_nano, description, reference_id, request_id, key_id, created_at)
    VALUES
      (p_entry, p_account, 'charge', -charged_nano, balance_nano, r.operation, p_id::text, r.request_id, r.key_id,
       p_now);
  END IF;

  -- The call may have a row already, without a charge, which was written while the outcome of a settlement was unknown.
  INSERT INTO calls
    (id, account_id, key_id, request_id, operation, outcome, status, price, price_version, input_tokens, output_tokens,
     reserved_nano, charged_nano, entry_id, latency_ms, created_at, completed_at, client_request_id)
  VALUES
    (p_id, p_account, r.key_id, r.request_id, r.operation, CASE WHEN v_taken_over THEN 'released' ELSE p_outcome END,
     CASE WHEN v_taken_over THEN NULL ELSE p_status END, r.price, r.price_version, p_input, p_output,
     r.amount_nano, charged_nano, CASE WHEN charged_nano > 0 THEN p_entry END,
     least(extract(epoch FROM p_now - r.created_at) * 1000, 2147483647)::integer, r.created_at, p_now, r.client_request_id)
  ON CONFLICT ON CONSTRAINT calls_pkey DO UPDATE SET
    outcome = excluded.outcome,
    status = excluded.status,
    price = excluded.price,
    price_version = excluded.price_version,
    input_tokens = excluded.input_tokens,
    output_tokens = excluded.output_tokens,
    reserved_nano = excluded.reserved_nano,
    charged_nano = excluded.charged_nano,
    entry_id = excluded.entry_id;
  IF charged_nano > 0 THEN
    PERFORM ledger_tell(ARRAY[p_account], ARRAY[p_entry], NULL);
  END IF;
  verdict := CASE WHEN v_taken_over THEN 'gone' ELSE 'settled' END;
END $$;
