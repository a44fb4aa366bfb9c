-- Cancels a task of an account. With a worker it is told to stop: a notification says so, and should that be missed, the
-- next heartbeat. Without one it ends at once, also where an attempt of it has died; had that one settled before, the task
-- ends as succeeded with its answer, and can't be cancelled any more.
--
-- Locks the task, then its claim. Returns as verdict 'missing', 'over', 'told' or 'cancelled'. previous_call is the call of
-- an attempt that died, whose reservation may be left; null where there was none.
CREATE OR REPLACE FUNCTION task_cancel(
  p_account uuid,
  p_id uuid,
  p_now timestamptz,
  p_expires_at timestamptz,
  OUT verdict text,
  OUT previous_call uuid
) LANGUAGE plpgsql AS $$
DECLARE
  t tasks;
BEGIN
  SELECT * INTO t FROM tasks WHERE id = p_id AND account_id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    verdict := 'missing';
  ELSIF t.stage = 'over' THEN
    verdict := 'over';
  ELSIF t.stage = 'running' THEN
    UPDATE tasks SET cancel_requested_at = coalesce(cancel_requested_at, p_now) WHERE id = p_id;
    PERFORM pg_notify('tasks', p_id::text);
    verdict := 'told';
  ELSE
    previous_call := t.call_id;
    verdict := CASE task_end(p_id, 'cancelled', NULL, p_now, p_expires_at) WHEN 'cancelled' THEN 'cancelled' ELSE 'over' END;
  END IF;
END $$;
