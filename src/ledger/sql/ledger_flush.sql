-- Writes what a process has decided in memory, and gives it what it may decide there, in one step and one commit.
-- p_calls are calls that have ended, the text of an array of rows of calls; p_begun calls in flight that readers are to see, and
-- p_leases leases that take or give back (ledger_lend), each a JSON array of rows. Each may be null. p_accounts are the accounts of
-- all of them in their order, and p_paid says what the calls cost each. p_spent_leases are the leases that paid for it, each with its
-- part of it in p_spent. p_claims are those of the calls that may have an Idempotency-Key (ledger_end_claims), p_shown those that
-- readers have seen in flight; p_keys has the key of each of p_leases. Amounts are in nano-USD, as text in the JSON; times there are
-- milliseconds since 1970.
--
-- Of a row in p_calls, position is the place of its account in p_accounts, and balance_after_nano what the calls after it cost
-- that account: both become what they are called only here.
--
-- A call is charged from its lease, which holds what it costs: so nothing is asked here, and no balance can come below
-- zero. What it cost beyond its reservation is in a second lease.
--
-- Locks the row of its process, the claims of Idempotency-Keys, then the balances in the order of their accounts, so that
-- no two flushes can wait for each other. All others wait for the balances before they come to what follows: leases,
-- keys, and the marks of events.
--
-- Returns is_fenced, where others have ended the process (ledger_fence), or taken_over, the calls whose Idempotency-Key a
-- retry has taken over, which have to be charged nothing: nothing was done in either case. Otherwise: where there are calls, the
-- balances of p_accounts after all of them, and what ledger_lend returns.
--
-- A database of before has functions of this name and of those it calls with other arguments, for replicas of the build before.
CREATE OR REPLACE FUNCTION ledger_flush(
  p_process uuid,
  p_accounts uuid[],
  p_paid bigint[],
  p_calls text,
  p_spent_leases uuid[],
  p_spent bigint[],
  p_claims json,
  p_shown uuid[],
  p_begun json,
  p_leases json,
  p_keys uuid[],
  OUT is_fenced boolean,
  OUT taken_over uuid[],
  OUT balances bigint[],
  OUT lent json
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_spent bigint;
BEGIN
  PERFORM FROM processes WHERE id = p_process AND NOT is_dead FOR KEY SHARE;
  is_fenced := NOT FOUND;
  IF is_fenced THEN
    RETURN;
  END IF;

  IF p_claims IS NOT NULL THEN
    taken_over := ledger_end_claims(p_claims);
    IF taken_over IS NOT NULL THEN
      RETURN;
    END IF;
  END IF;

  IF p_calls IS NULL THEN
    PERFORM FROM balances WHERE account_id = ANY(p_accounts) ORDER BY account_id FOR NO KEY UPDATE;
  ELSE
    -- This locks them in the order of p_accounts, one by one as their places come up; an account that has only leases pays nothing.
    WITH charged AS (
      UPDATE balances AS balance SET
        balance_nano = balance.balance_nano - total.paid,
        reserved_nano = balance.reserved_nano - total.paid
      FROM unnest(p_accounts, p_paid) WITH ORDINALITY AS total (account, paid, place)
      WHERE balance.account_id = total.account
      RETURNING total.place, balance.balance_nano
    )
    SELECT array_agg(balance_nano ORDER BY place) INTO balances FROM charged;
    -- The process comes with each row (OFFSET 0), so that its leases are looked up one by one: where the plan is made they may be so
    -- few that it would be kept to read all of them.
    UPDATE leases AS lease SET amount_nano = lease.amount_nano - total.spent
      FROM (SELECT p_process AS process, id, spent FROM unnest(p_spent_leases, p_spent) AS paying (id, spent) OFFSET 0) AS total
      WHERE lease.process_id = total.process AND lease.id = total.id;
    GET DIAGNOSTICS v_spent = ROW_COUNT;
    IF v_spent <> cardinality(p_spent_leases) OR cardinality(balances) IS DISTINCT FROM cardinality(p_accounts) THEN
      RAISE EXCEPTION 'calls were charged without a lease or a balance';
    END IF;
    INSERT INTO calls (id, account_id, key_id, request_id, client_request_id, operation, outcome, status, price, price_version,
      input_tokens, output_tokens, cached_tokens, cache_write_tokens, model, reserved_nano, charged_nano, balance_after_nano,
      position, latency_ms, created_at, completed_at)
    SELECT id, account_id, key_id, request_id, client_request_id, operation, outcome, status, price, price_version,
      input_tokens, output_tokens, cached_tokens, cache_write_tokens, model, reserved_nano, charged_nano,
      CASE WHEN charged_nano > 0 THEN balances[position] + balance_after_nano END,
      CASE WHEN charged_nano > 0 THEN nextval('ledger_position') END, latency_ms, created_at, completed_at
    FROM unnest(p_calls::calls[]);
  END IF;
  IF p_shown IS NOT NULL THEN
    DELETE FROM reservations WHERE id = ANY(p_shown) AND account_id = ANY(p_accounts);
  END IF;

  IF p_begun IS NOT NULL THEN
    INSERT INTO reservations (id, account_id, key_id, process_id, lease_id, amount_nano, operation, request_id,
      client_request_id, price, price_version, created_at, lease_until)
    SELECT id, account, key, p_process, lease, reserved, operation, request, client_request, price, price_version,
      to_timestamp(began / 1000.0), to_timestamp(lease_until / 1000.0)
    FROM json_to_recordset(p_begun) AS call (id uuid, account uuid, key uuid, lease uuid, reserved bigint, operation text,
      request text, client_request text, price text, price_version text, began bigint, lease_until bigint)
    ON CONFLICT DO NOTHING;
  END IF;

  IF p_leases IS NOT NULL THEN
    lent := ledger_lend(p_process, p_leases, p_keys);
  END IF;
  IF p_calls IS NOT NULL AND EXISTS (SELECT FROM event_subscriptions WHERE account_id = ANY(p_accounts)) THEN
    PERFORM ledger_tell(array_agg(account_id), array_agg(id), NULL) FROM unnest(p_calls::calls[]) WHERE charged_nano > 0;
  END IF;
END $$;
