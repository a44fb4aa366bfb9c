-- An amount in nano-USD as the decimal USD of an event's data, exact and without zeros at its end.
--
-- Locks nothing. Returns null for null.
CREATE OR REPLACE FUNCTION event_usd(p_nano bigint) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT trim_scale(p_nano * 0.000000001)
$$;
