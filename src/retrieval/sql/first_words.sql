-- The first distinct words of a query as lexemes, without the stop words of English ("the", "of"): reduced to their stems, by
-- which texts of languages that Postgres knows are indexed, and as they are, by which all others are.
--
-- Locks nothing. Returns the lexemes of words_max words at most, and null where there is none.
CREATE OR REPLACE FUNCTION first_words(content text, words_max integer) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT array_agg(DISTINCT stem)
  FROM (
    SELECT lexeme AS word
    FROM unnest(to_tsvector('pg_catalog.simple', content))
    WHERE to_tsvector('pg_catalog.english', lexeme) <> ''
    ORDER BY positions[1], lexeme LIMIT words_max
  ) AS wanted, unnest(all_stems(word)) AS stem
);
