-- Ends a process that has not been heard of in time: what it had been lent goes back to balances and limits, and its calls
-- that readers have seen end without a charge. Whatever it still does, ledger_flush finds that it is dead and does nothing.
--
-- One that was told to read everything anew has time to do so. Where accounts are in several schemas, this is done in each of them:
-- the first ends the process, and for the others it is dead already.
--
-- p_silent is how long it must not have been heard of beyond the time for which others wait for it. A process that is heard of
-- again before this has its row does not end.
--
-- Locks the process, its claims of Idempotency-Keys, then balances and keys, as ledger_flush does.
--
-- Returns how many calls ended; null where the process was not ended by this.
CREATE OR REPLACE FUNCTION ledger_fence(p_process uuid, p_silent interval) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_ended bigint;
BEGIN
  PERFORM FROM processes WHERE id = p_process AND (is_dead OR valid_until < clock_timestamp() - p_silent
    AND (NOT must_reread OR heartbeat_at < clock_timestamp() - interval '5 seconds' - p_silent)) FOR UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  UPDATE processes SET is_dead = true WHERE id = p_process;
  PERFORM FROM idempotency_claims WHERE call_id IN (SELECT id FROM reservations WHERE process_id = p_process)
    ORDER BY id FOR UPDATE;
  DELETE FROM idempotency_claims
    WHERE call_id IN (SELECT id FROM reservations WHERE process_id = p_process) AND status IS NULL;
  PERFORM FROM balances WHERE account_id IN (SELECT account_id FROM leases WHERE process_id = p_process)
    ORDER BY account_id FOR NO KEY UPDATE;
  PERFORM FROM access_keys WHERE id IN (SELECT key_id FROM leases WHERE process_id = p_process)
    ORDER BY id FOR NO KEY UPDATE;

  UPDATE access_keys AS k SET
    day_spent_nano = k.day_spent_nano - given.of_day,
    month_spent_nano = k.month_spent_nano - given.of_month
  FROM (
    SELECT held.account_id, held.key_id,
      coalesce(sum(amount_nano) FILTER (WHERE held.spent_day = k.spent_day), 0) AS of_day,
      coalesce(sum(amount_nano) FILTER (WHERE held.spent_month = k.spent_month), 0) AS of_month
    FROM leases AS held JOIN access_keys AS k
      ON k.id = held.key_id AND k.account_id = held.account_id AND k.spent_epoch = held.spent_epoch
    WHERE held.process_id = p_process GROUP BY held.account_id, held.key_id
  ) AS given
  WHERE k.id = given.key_id AND k.account_id = given.account_id;
  UPDATE balances AS balance SET reserved_nano = balance.reserved_nano - given.amount_nano
  FROM (
    SELECT account_id, sum(amount_nano) AS amount_nano FROM leases WHERE process_id = p_process GROUP BY account_id
  ) AS given
  WHERE balance.account_id = given.account_id;
  DELETE FROM leases WHERE process_id = p_process;

  WITH ended AS (
    DELETE FROM reservations WHERE process_id = p_process RETURNING *
  ), logged AS (
    INSERT INTO calls (id, account_id, key_id, request_id, client_request_id, operation, outcome, price, price_version,
      reserved_nano, latency_ms, created_at, completed_at)
    SELECT id, account_id, key_id, request_id, client_request_id, operation, 'expired', price, price_version, amount_nano,
      greatest(0, least(extract(epoch FROM clock_timestamp() - created_at) * 1000, 2147483647))::integer, created_at,
      greatest(created_at, clock_timestamp())
    FROM ended ORDER BY id
  )
  SELECT count(*) INTO v_ended FROM ended;
  PERFORM pg_notify('ledger_returned', '');
  RETURN v_ended;
END $$;
