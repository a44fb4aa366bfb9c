-- Writes an event if an active webhook of the account subscribes to its type. To be called in the transaction that
-- changes the fact. The relays are notified when that commits.
--
-- With a mark the event is written only once until p_held_until: of all that write under one mark of an account, also on
-- other replicas, only the first does, and who subscribes later gets it when the mark is free again. p_operation names
-- the operation that caused the event, or is null.
--
-- A mark held for more than twice as long as this one would be is of a clock that was set back since, and counts as free.
--
-- Locks the mark. Returns whether the event was written.
CREATE OR REPLACE FUNCTION event_write(
  p_account uuid,
  p_type text,
  p_data json,
  p_operation text,
  p_now timestamptz,
  p_mark text DEFAULT NULL,
  p_held_until timestamptz DEFAULT NULL
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM event_subscriptions WHERE account_id = p_account AND event_types & event_bit(p_type) <> 0
  ) THEN
    RETURN false;
  END IF;
  IF p_mark IS NOT NULL THEN
    -- Without this look, each that comes too late would lock the mark, and so write to the disk for nothing.
    IF EXISTS (
      SELECT FROM event_marks WHERE account_id = p_account AND mark = p_mark AND held_until > p_now
        AND held_until - p_now <= 2 * (p_held_until - p_now)
    ) THEN
      RETURN false;
    END IF;
    INSERT INTO event_marks AS m (account_id, mark, held_until) VALUES (p_account, p_mark, p_held_until)
    ON CONFLICT (account_id, mark) DO UPDATE SET held_until = excluded.held_until
      WHERE m.held_until <= p_now OR m.held_until - p_now > 2 * (p_held_until - p_now);
    IF NOT FOUND THEN
      RETURN false;
    END IF;
  END IF;
  INSERT INTO events (id, account_id, event_type, data, operation, occurred_at)
  VALUES (gen_random_uuid(), p_account, p_type, p_data, p_operation, p_now);
  RETURN true;
END $$;
