-- Keeps the answers of settled calls for their retries, and frees the Idempotency-Keys of calls without an answer to
-- keep: those that were released, have expired, or were charged for what they had produced when they broke off. p_claims is a
-- JSON array of such calls: id, account, status, and the answer as text.
--
-- Locks the claims of those that have one in the order of their ids.
--
-- Returns the calls whose claim a retry has taken over, and has done nothing then; null for none. The retry is charged and
-- these calls must not be.
CREATE OR REPLACE FUNCTION ledger_end_claims(p_claims json) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  v_taken_over uuid[];
BEGIN
  PERFORM FROM idempotency_claims AS claim
    JOIN json_to_recordset(p_claims) AS call (id uuid, account uuid) ON claim.call_id = call.id AND claim.account_id = call.account
    ORDER BY claim.id FOR UPDATE OF claim;
  SELECT array_agg(call.id) INTO v_taken_over FROM json_to_recordset(p_claims) AS call (id uuid, account uuid, answer text)
    WHERE answer IS NOT NULL AND NOT EXISTS (
      SELECT FROM idempotency_claims AS claim WHERE claim.call_id = call.id AND claim.account_id = call.account);
  IF v_taken_over IS NULL THEN
    DELETE FROM idempotency_claims AS claim USING json_to_recordset(p_claims) AS call (id uuid, account uuid, answer text)
      WHERE claim.call_id = call.id AND claim.account_id = call.account AND claim.status IS NULL AND call.answer IS NULL;
    UPDATE idempotency_claims AS claim SET status = call.status, answer = call.answer
      FROM json_to_recordset(p_claims) AS call (id uuid, account uuid, status integer, answer text)
      WHERE call.answer IS NOT NULL AND claim.call_id = call.id AND claim.account_id = call.account;
  END IF;
  RETURN v_taken_over;
END $$;
