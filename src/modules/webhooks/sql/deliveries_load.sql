-- What the attempts of handed deliveries need, which the caller claims for p_claim_seconds: until then no other job makes
-- them. A delivery that is not in hand for this very attempt, or is claimed, is left out: its job is a second one, or
-- came too late. So is one whose webhook has been switched off since, which ends here, tests excepted, and one whose
-- event is not stored any more. Those of a disabled account are looked at again each hour, for as long as events are kept
-- (30 days), and then end as well.
--
-- Locks the deliveries that it changes, in the order of deliveries_record; passes over those that are locked. Returns a
-- row for each attempt that is to be made.
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
  v_free uuid[] := ARRAY(
    SELECT d.id FROM unnest(p_deliveries, p_attempts) AS given(id, attempt)
    JOIN deliveries d ON d.id = given.id AND d.stage = 'handed' AND d.attempt_count = given.attempt - 1
    WHERE d.claimed_until IS NULL OR d.claimed_until <= p_now
    ORDER BY d.webhook_id, d.id FOR NO KEY UPDATE OF d SKIP LOCKED
  );
  v_off uuid[];
  v_gone uuid[];
  v_disabled uuid[];
BEGIN
  SELECT array_agg(d.id) FILTER (WHERE e.id IS NOT NULL AND NOT w.is_active AND e.webhook_id IS NULL),
    array_agg(d.id) FILTER (WHERE e.id IS NULL OR (NOT a.is_active AND d.created_at <= p_now - interval '30 days')),
    array_agg(d.id) FILTER (WHERE NOT a.is_active)
    INTO v_off, v_gone, v_disabled
    FROM deliveries d
    JOIN webhooks w ON w.id = d.webhook_id
    LEFT JOIN events e ON e.id = d.event_id
    LEFT JOIN accounts a ON a.id = d.account_id
    WHERE d.id = ANY (v_free) AND (e.id IS NULL OR NOT w.is_active OR NOT a.is_active);
  IF v_off IS NOT NULL THEN
    PERFORM deliveries_end(v_off, p_switched_off_text, p_now);
  END IF;
  IF v_gone IS NOT NULL THEN
    PERFORM deliveries_end(v_gone, p_event_gone_text, p_now);
  END IF;
  UPDATE deliveries SET stage = 'later', next_attempt_at = p_now + interval '1 hour', handed_until = NULL
    WHERE id = ANY (v_disabled) AND stage = 'handed';
  RETURN QUERY
    WITH claimed AS (
      UPDATE deliveries d SET claimed_until = p_now + make_interval(secs => p_claim_seconds)
      WHERE d.id = ANY (v_free) AND d.stage = 'handed' RETURNING d.id, d.is_manual, d.webhook_id, d.event_id
    )
    SELECT d.id, d.is_manual, e.id, e.event_type, e.data, e.operation, e.occurred_at, w.url, w.receiver, w.secret,
      CASE WHEN w.previous_secret_until > p_now THEN w.previous_secret END
    FROM claimed d JOIN webhooks w ON w.id = d.webhook_id JOIN events e ON e.id = d.event_id;
END $$;
