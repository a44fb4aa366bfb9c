-- Ends an attempt that has an outcome, and with it the task (task_end). Writes nothing for an attempt that another one has
-- followed, and for a task that is over.
--
-- Locks the task, then its claim. Returns how the task ended; null where nothing was written.
CREATE OR REPLACE FUNCTION task_finish(
  p_id uuid,
  p_call uuid,
  p_status text,
  p_error jsonb,
  p_now timestamptz,
  p_expires_at timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM tasks WHERE id = p_id AND call_id = p_call AND stage <> 'over' FOR NO KEY UPDATE;
  RETURN CASE WHEN FOUND THEN task_end(p_id, p_status, p_error, p_now, p_expires_at) END;
END $$;
