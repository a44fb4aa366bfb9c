-- Keeps the answers of settled calls for their retries, and frees the Idempotency-Keys of calls without an answer to
-- keep: those that were released, have expired, or were charged for what they had produced when they broke off. p_calls
-- are the calls of a flush.
--
-- Locks the claims of those that have one in the order of their ids.
--
-- Returns the calls whose claim a retry has taken over, or null for none. The retry is charged and these calls must not
-- be.
DROP FUNCTION IF EXISTS ledger_keep_answers(uuid[], uuid[], text[], integer[], text[]);
CREATE OR REPLACE FUNCTION ledger_keep_answers(p_calls json) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  v_taken_over uuid[];
BEGIN
  PERFORM FROM idempotency_claims AS claim
    JOIN json_to_recordset(p_calls) AS call (id uuid, account uuid, has_claim boolean)
    ON call.has_claim AND claim.call_id = call.id AND claim.account_id = call.account
    ORDER BY claim.id FOR UPDATE OF claim;
  DELETE FROM idempotency_claims AS claim
    USING json_to_recordset(p_calls) AS call (id uuid, account uuid, has_claim boolean, answer text)
    WHERE call.has_claim AND claim.call_id = call.id AND claim.account_id = call.account AND claim.status IS NULL
      AND call.answer IS NULL;

  WITH answered AS (
    SELECT * FROM json_to_recordset(p_calls) AS call (id uuid, account uuid, status integer, answer text)
    WHERE call.answer IS NOT NULL
  ), kept AS (
    UPDATE idempotency_claims AS claim SET status = answered.status, answer = answered.answer
    FROM answered WHERE claim.call_id = answered.id AND claim.account_id = answered.account
    RETURNING answered.id
  )
  SELECT array_agg(id) INTO v_taken_over FROM answered WHERE id NOT IN (SELECT id FROM kept);
  RETURN v_taken_over;
END $$;
