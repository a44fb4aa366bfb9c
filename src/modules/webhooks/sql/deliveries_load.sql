-- What the attempts of handed deliveries need, which the caller claims for p_claim_seconds: until then no other job makes
-- them. A delivery that is not in hand for this very attempt, or is claimed, is left out: its job is a second one, or
-- came too late. So is one whose webhook has been switched off since, which ends here, tests excepted, and one whose
-- event is not stored any more. Those of a disabled account are looked at again each hour, for as long as events are kept
-- (30 days), and then end as well.
--
-- Locks the deliveries that it ends and those that it claims, in the order of deliveries_record; passes over those that
-- are locked. Returns a row for each attempt that is to be made.
CREATE OR REPLACE FUNCTION deliveries_load(
  p_deliveries uuid[],
  p_attempts integer[],
  p_switched_off_text text,
  p_event_gone_text text,
  p_now timestamptz,
  p_claim_seconds integer
) RETURNS TABLE (
  delivery_id uuid,
  is_manual boolean,
  event_id uuid,
  event_type text,
  data json,
  operation text,
  occurred_at timestamptz,
  url text,
  receiver text,
  secret text,
  previous_secret text
) LANGUAGE plpgsql AS $$
DECLARE
  v_off uuid[];
  v_gone uuid[];
BEGIN
  UPDATE deliveries d SET stage = 'later', next_attempt_at = p_now + interval '1 hour', handed_until = NULL
    FROM unnest(p_deliveries, p_attempts) AS given(id, attempt), accounts a
    WHERE d.id = given.id AND d.stage = 'handed' AND d.attempt_count = given.attempt - 1
      AND (d.claimed_until IS NULL OR d.claimed_until <= p_now)
      AND a.id = d.account_id AND NOT a.is_active AND d.created_at > p_now - interval '30 days';
  SELECT array_agg(d.id) FILTER (WHERE e.id IS NOT NULL AND a.is_active IS NOT FALSE AND e.webhook_id IS NULL),
    array_agg(d.id) FILTER (WHERE e.id IS NULL OR (NOT a.is_active AND d.created_at <= p_now - interval '30 days'))
    INTO v_off, v_gone
    FROM unnest(p_deliveries, p_attempts) AS given(id, attempt)
    JOIN deliveries d ON d.id = given.id AND d.stage = 'handed' AND d.attempt_count = given.attempt - 1
    JOIN webhooks w ON w.id = d.webhook_id
    LEFT JOIN events e ON e.id = d.event_id
    LEFT JOIN accounts a ON a.id = d.account_id
    WHERE e.id IS NULL OR NOT w.is_active OR NOT a.is_active;
  IF v_off IS NOT NULL THEN
    PERFORM deliveries_end(v_off, p_switched_off_text, p_now);
  END IF;
  IF v_gone IS NOT NULL THEN
    PERFORM deliveries_end(v_gone, p_event_gone_text, p_now);
  END IF;
  RETURN QUERY
    WITH free AS MATERIALIZED (
      SELECT d.id FROM unnest(p_deliveries, p_attempts) AS given(id, attempt)
      JOIN deliveries d ON d.id = given.id AND d.stage = 'handed' AND d.attempt_count = given.attempt - 1
      WHERE d.claimed_until IS NULL OR d.claimed_until <= p_now
      ORDER BY d.webhook_id, d.id FOR NO KEY UPDATE OF d SKIP LOCKED
    ), claimed AS (
      UPDATE deliveries d SET claimed_until = p_now + make_interval(secs => p_claim_seconds)
      FROM free WHERE d.id = free.id RETURNING d.id, d.is_manual, d.webhook_id, d.event_id
    )
    SELECT d.id, d.is_manual, e.id, e.event_type, e.data, e.operation, e.occurred_at, w.url, w.receiver, w.secret,
      CASE WHEN w.previous_secret_until > p_now THEN w.previous_secret END
    FROM claimed d JOIN webhooks w ON w.id = d.webhook_id JOIN events e ON e.id = d.event_id;
END $$;
