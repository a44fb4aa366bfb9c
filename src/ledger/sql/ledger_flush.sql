-- Writes what a process has decided in memory, and gives it what it may decide there, in one step and one commit.
-- p_calls are calls that have ended, p_begun calls in flight that readers are to see, p_leases leases that take or give
-- back (ledger_lend). Each is a JSON array of rows, or null. p_accounts are the accounts of all of them, p_shown those
-- ended calls that readers have seen in flight; p_has_claims says whether any of the ended ones has an Idempotency-Key.
-- Amounts are in nano-USD, as text in the JSON; times are milliseconds since 1970.
--
-- A call is charged from its lease, which holds what it costs: so nothing is asked here, and no balance can come below
-- zero. What it cost beyond its reservation is in a second lease (excess_lease, excess).
--
-- Locks the row of its process, the claims of Idempotency-Keys, then the balances in the order of their accounts, so that
-- no two flushes can wait for each other. All others wait for the balances before they come to what follows: leases,
-- keys, and the marks of events.
--
-- Returns is_fenced, where others have ended the process (ledger_fence) and nothing was done. Otherwise: the balance after
-- each call, in the order of p_calls; the calls of those whose Idempotency-Key a retry has taken over, which were charged
-- nothing; and what ledger_lend returns.
CREATE OR REPLACE FUNCTION ledger_flush(
  p_process uuid,
  p_accounts uuid[],
  p_calls json,
  p_has_claims boolean,
  p_shown uuid[],
  p_begun json,
  p_leases json,
  OUT is_fenced boolean,
  OUT balances bigint[],
  OUT taken_over uuid[],
  OUT lent json
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_unspent bigint;
  v_missing bigint;
BEGIN
  PERFORM FROM processes WHERE id = p_process AND NOT is_dead FOR KEY SHARE;
  is_fenced := NOT FOUND;
  IF is_fenced THEN
    RETURN;
  END IF;

  IF p_has_claims THEN
    taken_over := ledger_keep_answers(p_calls);
  END IF;

  IF p_leases IS NOT NULL OR cardinality(p_accounts) > 1 THEN
    PERFORM FROM balances WHERE account_id = ANY(p_accounts) ORDER BY account_id FOR NO KEY UPDATE;
  END IF;

  IF json_array_length(p_calls) = 1 THEN
    balances := ARRAY[ledger_charge(p_process, p_calls, taken_over)];
  ELSIF p_calls IS NOT NULL THEN
    WITH ended AS MATERIALIZED (
      -- What the later calls of the account are charged, and the place of the account among all of these calls.
      SELECT *, coalesce(sum(paid) OVER (
          PARTITION BY account ORDER BY item ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING), 0)::bigint AS paid_later,
        dense_rank() OVER (ORDER BY account) AS place
      FROM (
        SELECT call.*, CASE WHEN call.id = ANY(taken_over) THEN 0 ELSE call.charged END AS paid
        FROM json_to_recordset(p_calls) AS call (item integer, id uuid, account uuid, key uuid, lease uuid, request text,
          client_request text, operation text, outcome text, status integer, price text, price_version text, input integer,
          output integer, cached integer, cache_written integer, model text, reserved bigint, charged bigint, excess_lease uuid,
          excess bigint, began bigint, ended bigint)
      ) AS call
    ), charged AS (
      UPDATE balances AS balance SET
        balance_nano = balance.balance_nano - total.paid,
        reserved_nano = balance.reserved_nano - total.paid
      FROM (SELECT account, place, sum(paid)::bigint AS paid FROM ended GROUP BY account, place) AS total
      WHERE balance.account_id = total.account
      RETURNING total.place, balance.balance_nano
    ), spent AS (
      UPDATE leases AS lease SET amount_nano = lease.amount_nano - total.paid
      -- The process comes with each row, so that its leases are looked up one by one: where the plan is made they may be so few
      -- that it would be kept to read all of them.
      FROM (
        SELECT p_process AS process, account, id, sum(paid)::bigint AS paid FROM (
          SELECT account, lease AS id, paid - CASE WHEN paid > 0 THEN coalesce(excess, 0) ELSE 0 END AS paid FROM ended
          UNION ALL SELECT account, excess_lease, excess FROM ended WHERE excess_lease IS NOT NULL AND paid > 0
        ) AS parts GROUP BY account, id HAVING sum(paid) > 0
      ) AS total
      WHERE lease.process_id = total.process AND lease.id = total.id AND lease.account_id = total.account
      RETURNING total.paid
    ), told AS (
      -- As a join it would compare each call with each account.
      SELECT *, (SELECT array_agg(balance_nano ORDER BY place) FROM charged)[place] + paid_later AS balance_after FROM ended
    ), logged AS (
      INSERT INTO calls (id, account_id, key_id, request_id, client_request_id, operation, outcome, status, price,
        price_version, input_tokens, output_tokens, cached_tokens, cache_write_tokens, model, reserved_nano, charged_nano, balance_after_nano, position,
        latency_ms, created_at, completed_at)
      SELECT id, account, key, request, client_request, operation,
        CASE WHEN id = ANY(taken_over) THEN 'released' ELSE outcome END,
        CASE WHEN id = ANY(taken_over) THEN NULL ELSE status END, price, price_version, input, output, coalesce(cached, 0),
        coalesce(cache_written, 0), model, reserved, paid,
        CASE WHEN paid > 0 THEN balance_after END,
        CASE WHEN paid > 0 THEN nextval('ledger_position') END, greatest(0, least(ended - began, 2147483647))::integer,
        to_timestamp(began / 1000.0), to_timestamp(ended / 1000.0)
      FROM told ORDER BY item
    )
    SELECT array_agg(balance_after ORDER BY item), sum(paid) - (SELECT coalesce(sum(paid), 0) FROM spent),
      max(place) - (SELECT count(*) FROM charged)
      INTO balances, v_unspent, v_missing FROM told;
    IF v_unspent <> 0 OR v_missing <> 0 THEN
      RAISE EXCEPTION 'calls were charged without a lease or a balance';
    END IF;
  END IF;
  IF cardinality(p_shown) > 0 THEN
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
    lent := ledger_lend(p_process, p_leases);
  END IF;
  IF p_calls IS NOT NULL AND ledger_told_types(p_accounts) IS NOT NULL THEN
    PERFORM ledger_tell(array_agg(account), array_agg(id), NULL)
      FROM json_to_recordset(p_calls) AS call (id uuid, account uuid, charged bigint) WHERE charged > 0;
  END IF;
END $$;
