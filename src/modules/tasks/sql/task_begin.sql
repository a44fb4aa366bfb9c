-- Begins an attempt of a task that was handed over, under a call of its own. An attempt before it may have died anywhere, or
-- may only be paused: its claim passes to the new call, so that its settlement is refused from now on (ledger_end_claims). Where
-- it had settled before it died, the task ends with its answer instead. So does a task that is to be cancelled, and one
-- whose attempts are used up.
--
-- The claim never expires; the end of the task deletes it.
--
-- Locks the task, then its claim. Returns as verdict 'begun'; 'ended', where there is nothing to run; or 'gone', where the
-- task is not handed (any more): its job is a second one, or came too late. previous_call is the call of the attempt
-- before, whose reservation may be left; null where there was none.
CREATE OR REPLACE FUNCTION task_begin(
  p_id uuid,
  p_call uuid,
  p_attempts_max integer,
  p_error jsonb,
  p_now timestamptz,
  p_held_until timestamptz,
  p_expires_at timestamptz,
  OUT verdict text,
  OUT account_id uuid,
  OUT key_id uuid,
  OUT task_type text,
  OUT parameters text,
  OUT previous_call uuid
) LANGUAGE plpgsql AS $$
DECLARE
  t tasks;
BEGIN
  SELECT * INTO t FROM tasks WHERE id = p_id AND stage = 'handed' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    verdict := 'gone';
    RETURN;
  END IF;
  account_id := t.account_id;
  previous_call := t.call_id;
  IF task_end(
    p_id,
    CASE WHEN t.cancel_requested_at IS NOT NULL THEN 'cancelled' WHEN t.attempts >= p_attempts_max THEN 'failed' END,
    p_error, p_now, p_expires_at
  ) IS NOT NULL THEN
    verdict := 'ended';
    RETURN;
  END IF;
  INSERT INTO idempotency_claims (id, account_id, request_hash, call_id, lease_until, expires_at)
    VALUES ('task:' || p_id, t.account_id, 'task', p_call, p_held_until, 'infinity')
    ON CONFLICT (id) DO UPDATE SET call_id = excluded.call_id, lease_until = excluded.lease_until;
  UPDATE tasks SET
    stage = 'running',
    status = 'running',
    attempts = t.attempts + 1,
    call_id = p_call,
    held_until = p_held_until,
    not_before = NULL,
    started_at = coalesce(t.started_at, p_now)
  WHERE id = p_id;
  verdict := 'begun';
  key_id := t.key_id;
  task_type := t.task_type;
  parameters := t.parameters;
END $$;
