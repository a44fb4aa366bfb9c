-- The full-text query that finds what this query finds, has all that is required, and has nothing of what is excluded; null
-- for either means no condition.
--
-- Locks nothing. Returns null where the query is null.
CREATE OR REPLACE FUNCTION narrowed_query(query tsquery, required tsquery, excluded tsquery) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN required IS NULL AND excluded IS NULL THEN query
  WHEN excluded IS NULL THEN query && required
  WHEN required IS NULL THEN query && !!excluded
  ELSE query && required && !!excluded
END;
