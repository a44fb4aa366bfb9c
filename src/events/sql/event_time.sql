-- A moment as an event's data writes it: ISO 8601, in UTC, with milliseconds.
--
-- Locks nothing. Returns null for null.
CREATE OR REPLACE FUNCTION event_time(p_at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
