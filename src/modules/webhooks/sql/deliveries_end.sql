-- Ends deliveries that will not be attempted again, for a reason that is not an attempt's. One that is over stays as it
-- is.
--
-- Locks the deliveries. Returns how many it ended.
CREATE OR REPLACE FUNCTION deliveries_end(p_deliveries uuid[], p_reason text, p_now timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_ended integer;
BEGIN
  UPDATE deliveries SET stage = 'over', status = 'failed', error_message = p_reason, response_body = NULL,
    is_manual = false, next_attempt_at = NULL, scheduled_at = NULL, handed_until = NULL,
    failed_at = coalesce(failed_at, p_now), abandoned_at = coalesce(abandoned_at, p_now)
  WHERE id = ANY (p_deliveries) AND stage <> 'over';
  GET DIAGNOSTICS v_ended = ROW_COUNT;
  RETURN v_ended;
END $$;
