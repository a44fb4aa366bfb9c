-- Makes many settlements (s_…) and reservations (r_…) in one step and one commit. It decides as ledger_settle and
-- ledger_reserve would, one by one in the order of arrival. Settlements come first, so that the credit that they free
-- is there for the reservations of the same flush. p_has_claims says whether any of these settlements has an answer to
-- keep or a claim of an Idempotency-Key to free.
--
-- Locks claims, then balances, each in the order of their ids, so that no two flushes can wait for each other. The
-- locks on keys and reservations follow; all other flushes wait for the balances before they come to those. The marks of
-- events come last: those of refused reservations, then those of the charges. So the charges are told only when all
-- keys are locked, and those of an account by whoever holds its balance.
--
-- Returns what ledger_settle_many returns (items, charged, balances_after) and what ledger_reserve_many returns
-- (reserved_balances, decided); null for a part that had nothing to do.
--
-- r_client and p_process have defaults, so that replicas of the builds before may still call without them.
DROP FUNCTION IF EXISTS ledger_flush(
  uuid[], uuid[], text[], bigint[], integer[], integer[], integer[], bigint[], uuid[], text[], boolean,
  uuid[], uuid[], uuid[], bigint[], bigint[], bigint[], text[], text[], text[], text[], bytea[]);
DROP FUNCTION IF EXISTS ledger_flush(
  uuid[], uuid[], text[], bigint[], integer[], integer[], integer[], bigint[], uuid[], text[], boolean,
  uuid[], uuid[], uuid[], bigint[], bigint[], bigint[], text[], text[], text[], text[], bytea[], text[]);
CREATE OR REPLACE FUNCTION ledger_flush(
  s_id uuid[],
  s_account uuid[],
  s_outcome text[],
  s_charge bigint[],
  s_status integer[],
  s_input integer[],
  s_output integer[],
  s_now bigint[],
  s_entry uuid[],
  s_answer text[],
  p_has_claims boolean,
  r_id uuid[],
  r_account uuid[],
  r_key uuid[],
  r_amount bigint[],
  r_now bigint[],
  r_lease bigint[],
  r_operation text[],
  r_request text[],
  r_price text[],
  r_version text[],
  r_secret bytea[],
  r_client text[] DEFAULT NULL,
  p_process uuid DEFAULT NULL,
  OUT items bigint[],
  OUT charged bigint[],
  OUT balances_after bigint[],
  OUT reserved_balances bigint[],
  OUT decided jsonb
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_taken_over uuid[];
BEGIN
  IF p_has_claims THEN
    v_taken_over := ledger_keep_answers(s_id, s_account, s_outcome, s_status, s_answer);
  END IF;
  PERFORM FROM balances WHERE account_id = ANY(s_account || r_account) ORDER BY account_id FOR NO KEY UPDATE;
  IF cardinality(s_id) > 0 THEN
    SELECT settled.items, settled.charged, settled.balances_after INTO items, charged, balances_after
    FROM ledger_settle_many(
      s_id, s_account, s_outcome, s_charge, s_status, s_input, s_output, s_now, s_entry, v_taken_over) AS settled;
  END IF;
  IF cardinality(r_id) > 0 THEN
    SELECT reserved.balances, reserved.decided INTO reserved_balances, decided
    FROM ledger_reserve_many(
      r_id, r_account, r_key, r_amount, r_now, r_lease, r_operation, r_request, r_price, r_version, r_secret,
      r_client, p_process) AS reserved;
  END IF;
  IF items IS NOT NULL THEN
    PERFORM ledger_tell(s_account, s_entry, NULL);
  END IF;
END $$;
