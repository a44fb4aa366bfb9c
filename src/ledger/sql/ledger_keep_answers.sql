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
  PERFORM FROM idempotency_claims AS c JOIN unnest(s_id, s_account) AS s (id, account_id)
    ON c.call_id = s.id AND c.account_id = s.account_id
    ORDER BY c.id FOR UPDATE OF c;
  DELETE FROM idempotency_claims AS c USING unnest(s_id, s_account, s_answer) AS s (id, account_id, answer)
    WHERE c.call_id = s.id AND c.account_id = s.account_id AND c.status IS NULL AND s.answer IS NULL;

  WITH kept AS (
    UPDATE idempotency_claims AS c SET status = s.status, answer = s.answer
    FROM unnest(s_id, s_account, s_status, s_answer) AS s (id, account_id, status, answer)
    WHERE c.call_id = s.id AND c.account_id = s.account_id AND s.answer IS NOT NULL
    RETURNING s.id
  )
  SELECT coalesce(array_agg(id), '{}') INTO v_kept FROM kept;

  SELECT array_agg(s.id) INTO v_taken_over
  FROM unnest(s_id, s_answer) AS s (id, answer)
  WHERE s.answer IS NOT NULL AND s.id <> ALL(v_kept);
  RETURN v_taken_over;
END $$;
