-- Claims an Idempotency-Key for a call, or tells what became of the call that claimed the key before.
--
-- When a process dies in the middle of a call, its claim stays behind without an answer. Once the lease is over, a
-- retry takes that claim over, but only a retry with the same request.
--
-- Where p_is_bounded is true and the account stores more than it may, no claim is left, because its answer could not be kept.
--
-- Locks the claim's row, and nothing else.
--
-- Returns one of these as verdict: 'claimed'; 'replay' with the status and the answer that were kept, and the model that gave it;
-- 'mismatch' where the key was used for another request; 'running' while the earlier call's lease lasts; 'full'.
--
-- p_is_bounded has a default, so that replicas of the build before may still call without it.
DROP FUNCTION IF EXISTS idempotency_claim(text, uuid, text, uuid, timestamptz, timestamptz, timestamptz);
DROP FUNCTION IF EXISTS idempotency_claim(text, uuid, text, uuid, timestamptz, timestamptz, timestamptz, boolean);
CREATE OR REPLACE FUNCTION idempotency_claim(
  p_id text,
  p_account uuid,
  p_hash text,
  p_call uuid,
  p_now timestamptz,
  p_lease_until timestamptz,
  p_expires_at timestamptz,
  p_is_bounded boolean DEFAULT false,
  OUT verdict text,
  OUT status integer,
  OUT answer text,
  OUT model text
) LANGUAGE plpgsql AS $$
DECLARE
  c idempotency_claims;
BEGIN
  INSERT INTO idempotency_claims (id, account_id, request_hash, call_id, lease_until, expires_at)
    VALUES (p_id, p_account, p_hash, p_call, p_lease_until, p_expires_at)
    ON CONFLICT (id) DO NOTHING;
  SELECT * INTO c FROM idempotency_claims WHERE id = p_id AND account_id = p_account FOR UPDATE;
  IF NOT FOUND THEN
    verdict := 'running';
  ELSIF c.call_id = p_call THEN
    verdict := 'claimed';
  ELSIF c.expires_at <= p_now OR (c.status IS NULL AND c.lease_until <= p_now AND c.request_hash = p_hash) THEN
    UPDATE idempotency_claims SET
      request_hash = p_hash,
      call_id = p_call,
      status = NULL,
      answer = NULL,
      lease_until = p_lease_until,
      expires_at = p_expires_at
    WHERE id = p_id AND account_id = p_account;
    verdict := 'claimed';
  ELSIF c.request_hash <> p_hash THEN
    verdict := 'mismatch';
  ELSIF c.status IS NULL THEN
    verdict := 'running';
  ELSE
    verdict := 'replay';
    status := c.status;
    answer := c.answer;
    SELECT call.model INTO model FROM calls AS call WHERE call.id = c.call_id AND call.account_id = p_account;
  END IF;
  IF verdict = 'claimed' AND p_is_bounded AND storage_left(p_account) < 0 THEN
    DELETE FROM idempotency_claims WHERE id = p_id AND account_id = p_account;
    verdict := 'full';
  END IF;
END $$;
