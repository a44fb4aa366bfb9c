-- The first distinct words of an English text as lexemes, without stop words ("the", "of").
--
-- Locks nothing. Returns words_max lexemes at most, and null where there is none.
CREATE OR REPLACE FUNCTION first_words(content text, words_max integer) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT array_agg(lexeme)
  FROM (
    SELECT lexeme FROM unnest(to_tsvector('pg_catalog.english', content))
    ORDER BY positions[1], lexeme LIMIT words_max
  ) AS word
);
