-- The moment at which a day begins in a time zone.
--
-- Where the clocks are set back across midnight (Azores, Cuba), there are two midnights on that date. The day starts
-- with the first of them, because that is when the date changes; Postgres by itself returns the second.
--
-- Locks nothing. Returns null where the day or the zone is null; an unknown zone is an error. One expression, so that Postgres
-- carries it out as a part of the statement, and not as a statement of its own.
CREATE OR REPLACE FUNCTION day_starts_at(p_day date, p_zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT p_day::timestamp AT TIME ZONE p_zone - CASE
    WHEN (p_day::timestamp AT TIME ZONE p_zone - interval '1 hour') AT TIME ZONE p_zone >= p_day THEN interval '1 hour'
    ELSE interval '0'
  END
$$;
