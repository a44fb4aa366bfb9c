-- The lexemes by which a word may be indexed: its stems in the languages of its script that Postgres knows, and the word itself.
-- The language of a query is not known, and texts are indexed by the stems of their own.
--
-- Locks nothing. The word is in lower case and without accents.
CREATE OR REPLACE FUNCTION all_stems(word text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT array_agg(DISTINCT stem)
  FROM (
    SELECT word AS stem
    UNION ALL
    SELECT unnest(tsvector_to_array(to_tsvector(configuration, word)))
    FROM unnest(CASE
      WHEN word ~ '^[\u0400-\u04ff]' THEN '{russian}'
      WHEN word ~ '^[\u0600-\u06ff]' THEN '{arabic}'
      WHEN word ~ '^[\u0370-\u03ff]' THEN '{greek}'
      WHEN word ~ '^[\u0900-\u097f]' THEN '{hindi}'
      WHEN word ~ '^[a-z]' THEN
        '{english,german,french,spanish,italian,portuguese,dutch,swedish,danish,norwegian,finnish,romanian,hungarian,turkish}'
      ELSE '{}'
    END::regconfig[]) AS configuration
  ) AS stems
);
