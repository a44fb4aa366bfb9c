-- Charges a call that is the only one of its flush. It does what ledger_flush does for many calls in one statement: the plan of that
-- takes longer to begin than all the work for one call. p_calls is the flush's, with one row; p_taken_over are the calls of which a
-- retry has taken over the Idempotency-Key.
--
-- Its caller, ledger_flush, has locked the process. Locks the balance, then the leases of the call.
--
-- Returns the balance after the call, in nano-USD.
CREATE OR REPLACE FUNCTION ledger_charge(p_process uuid, p_calls json, p_taken_over uuid[]) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  c record;
  v_balance bigint;
  v_is_lent boolean := true;
BEGIN
  SELECT * INTO c FROM json_to_recordset(p_calls) AS call (id uuid, account uuid, key uuid, lease uuid, request text,
    client_request text, operation text, outcome text, status integer, price text, price_version text, input integer,
    output integer, cached integer, cache_written integer, model text, reserved bigint, charged bigint, excess_lease uuid,
    excess bigint, began bigint, ended bigint);
  IF c.id = ANY(p_taken_over) THEN
    c.charged := 0;
    c.outcome := 'released';
    c.status := NULL;
  END IF;
  IF c.charged > 0 THEN
    UPDATE balances SET balance_nano = balance_nano - c.charged, reserved_nano = reserved_nano - c.charged
      WHERE account_id = c.account RETURNING balance_nano INTO v_balance;
    IF c.charged > coalesce(c.excess, 0) THEN
      UPDATE leases SET amount_nano = amount_nano - (c.charged - coalesce(c.excess, 0))
        WHERE process_id = p_process AND id = c.lease AND account_id = c.account;
      v_is_lent := FOUND;
    END IF;
    IF c.excess > 0 THEN
      UPDATE leases SET amount_nano = amount_nano - c.excess
        WHERE process_id = p_process AND id = c.excess_lease AND account_id = c.account;
      v_is_lent := v_is_lent AND FOUND;
    END IF;
  ELSE
    SELECT balance_nano INTO v_balance FROM balances WHERE account_id = c.account;
  END IF;
  IF v_balance IS NULL OR NOT v_is_lent THEN
    RAISE EXCEPTION 'a call was charged without a lease or a balance';
  END IF;
  INSERT INTO calls (id, account_id, key_id, request_id, client_request_id, operation, outcome, status, price,
    price_version, input_tokens, output_tokens, cached_tokens, cache_write_tokens, model, reserved_nano, charged_nano,
    balance_after_nano, position, latency_ms, created_at, completed_at)
  VALUES (c.id, c.account, c.key, c.request, c.client_request, c.operation, c.outcome, c.status, c.price, c.price_version,
    c.input, c.output, coalesce(c.cached, 0), coalesce(c.cache_written, 0), c.model, c.reserved, c.charged,
    CASE WHEN c.charged > 0 THEN v_balance END, CASE WHEN c.charged > 0 THEN nextval('ledger_position') END,
    greatest(0, least(c.ended - c.began, 2147483647))::integer, to_timestamp(c.began / 1000.0), to_timestamp(c.ended / 1000.0));
  RETURN v_balance;
END $$;
