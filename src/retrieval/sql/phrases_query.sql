-- The full-text query that finds every text with all of these phrases (operator '&') or with any of them ('|'), in texts that
-- are indexed by their English stems and in those that are indexed by their words as they are.
--
-- A phrase stands within the title (weight A) or within the content (weight D), and never reaches from one into the other. It
-- is words of letters and digits, separated by spaces; one that Postgres finds no word in is passed over. So is a required one
-- of nothing but English stop words, as no text that is indexed by its English stems would have it. One of a single
-- word names no weight, so that the index alone answers it. Locks nothing.
-- Returns null where no phrase is left.
CREATE OR REPLACE FUNCTION phrases_query(phrases text[], operator text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT string_agg(
    CASE WHEN query LIKE '%<%>%'
      THEN '(' || regexp_replace(query, '''([^'']+)''', '''\1'':A', 'g')
        || '|' || regexp_replace(query, '''([^'']+)''', '''\1'':D', 'g') || ')'
      ELSE '(' || query || ')'
    END,
    operator
  )
  FROM (
    SELECT (phraseto_tsquery('pg_catalog.english', phrase) || phraseto_tsquery('pg_catalog.simple', phrase))::text AS query
    FROM unnest(phrases) AS phrase
    WHERE operator = '|' OR phraseto_tsquery('pg_catalog.english', phrase)::text <> ''
  ) AS both_kinds
  WHERE query <> ''
)::tsquery;
