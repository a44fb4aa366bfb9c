-- The full-text query that finds every text with at least one of these lexemes.
--
-- Locks nothing. Returns null where there is no lexeme.
CREATE OR REPLACE FUNCTION any_word(words text[]) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT string_agg('''' || word || '''', ' | ') FROM unnest(words) AS word)::tsquery;
