-- Makes handed deliveries due again, because the queue did not take them. One whose attempt has been recorded meanwhile
-- stays as it is.
--
-- Locks the deliveries. Returns nothing.
CREATE OR REPLACE FUNCTION deliveries_put_back(p_deliveries uuid[], p_attempts integer[]) RETURNS void
LANGUAGE sql AS $$
  UPDATE deliveries d SET stage = 'due', handed_until = NULL
  FROM unnest(p_deliveries, p_attempts) AS given(id, attempt)
  WHERE d.id = given.id AND d.stage = 'handed' AND d.attempt_count = given.attempt - 1
$$;
