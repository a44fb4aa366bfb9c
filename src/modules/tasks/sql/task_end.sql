-- Ends a task. What became of the run is decided by its claim (ledger/idempotency.ts), which the settlement answers in the same
-- transaction as it charges: where the claim has an answer, the task has succeeded with it, was cancelled (499), or has failed with
-- it at a cost, because a model had worked for it, whatever p_status says. Only without an answer it ends as p_status. Deleting
-- the claim sees to it that a worker that was only paused, and settles later, is charged nothing (ledger_end_claims). With a p_status
-- of null such a task is left alone.
--
-- Its caller has locked the task. Locks the claim. Returns how the task ended, or null where it was left alone.
CREATE OR REPLACE FUNCTION task_end(
  p_id uuid,
  p_status text,
  p_error jsonb,
  p_now timestamptz,
  p_expires_at timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  c idempotency_claims;
  v_charged bigint;
  v_status text := p_status;
BEGIN
  SELECT * INTO c FROM idempotency_claims WHERE id = 'task:' || p_id FOR UPDATE;
  IF c.status IS NOT NULL THEN
    v_status := CASE WHEN c.status = 499 THEN 'cancelled' WHEN c.status >= 400 THEN 'failed' ELSE 'succeeded' END;
  ELSIF p_status IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT charged_nano INTO v_charged FROM calls
    WHERE id = coalesce(c.call_id, (SELECT call_id FROM tasks WHERE id = p_id));
  UPDATE tasks SET
    stage = 'over',
    status = v_status,
    progress = 100,
    call_id = coalesce(c.call_id, call_id),
    held_until = NULL,
    cost_nano_usd = coalesce(v_charged, 0),
    result = CASE WHEN v_status = 'succeeded' THEN c.answer END,
    error = CASE WHEN v_status = 'failed' AND c.status IS NULL THEN p_error WHEN v_status = 'failed' THEN jsonb_build_object(
      'status', c.status, 'error', c.answer::jsonb -> 'error', 'message', c.answer::jsonb -> 'message') END,
    finished_at = p_now,
    expires_at = p_expires_at
  WHERE id = p_id;
  DELETE FROM idempotency_claims WHERE id = 'task:' || p_id;
  RETURN v_status;
END $$;
