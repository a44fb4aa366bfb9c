-- Keeps the answers of settled calls for their retries, and frees the Idempotency-Keys of calls without an answer to
-- keep: those that were released, have expired, or were charged for what they had produced when they broke off. The
-- arrays have one element for each settlement of a flush.
--
-- Locks the claims of all these calls in the order of their ids.
--
-- Returns the calls whose claim a retry has taken over, or null for none. The retry is charged and these calls must not
-- be; ledger_settle ends them.
DROP FUNCTION IF EXISTS ledger_keep_answers(uuid[], text[], integer[], text[]);
CREATE OR REPLACE FUNCTION ledger_keep_answers(
  s_id uuid[],
  s_account uuid[],
  s_outcome text[],
  s_status integer[],
  s_answer text[]
) RETURNS uuid[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_kept uuid[];
  v_taken_over uuid[];
BEGIN
  PERFORM FROM idempotency_claims AS claim JOIN unnest(s_id, s_account) AS settlement (id, account_id)
    ON claim.call_id = settlement.id AND claim.account_id = settlement.account_id
    ORDER BY claim.id FOR UPDATE OF claim;
  DELETE FROM idempotency_claims AS claim USING unnest(s_id, s_account, s_answer) AS settlement (id, account_id, answer)
    WHERE claim.call_id = settlement.id AND claim.account_id = settlement.account_id AND claim.status IS NULL
      AND settlement.answer IS NULL;

  WITH kept AS (
    UPDATE idempotency_claims AS claim SET status = settlement.status, answer = settlement.answer
    FROM unnest(s_id, s_account, s_status, s_answer) AS settlement (id, account_id, status, answer)
    WHERE claim.call_id = settlement.id AND claim.account_id = settlement.account_id AND settlement.answer IS NOT NULL
    RETURNING settlement.id
  )
  SELECT coalesce(array_agg(id), '{}') INTO v_kept FROM kept;

  SELECT array_agg(settlement.id) INTO v_taken_over
  FROM unnest(s_id, s_answer) AS settlement (id, answer)
  WHERE settlement.answer IS NOT NULL AND settlement.id <> ALL(v_kept);
  RETURN v_taken_over;
END $$;
