import { QUERY_WORDS_MAX } from '../text/search-query';

/** One row in 64 is a sample for word frequencies. Each table indexes its samples' words. */
const SAMPLED_ONE_OF = 64;
/** The last byte of a UUID is random. */
export const SAMPLED_BY_ID = `get_byte(uuid_send(id), 15) < ${256 / SAMPLED_ONE_OF}`;
/** Rows; reading the words of 5,000 takes some 80 ms. */
const ROWS_READ = 2_500;
/** The bound of all rows that are read, because the sample may err. */
const ROWS_READ_MAX = 8_000;

/** SQL of a ranking by words; $1 is the account. All of it is code, never a caller's text. */
interface WordRanking {
  /** With `account_id`, `id`, which is unique within an account, and `search`, a tsvector. */
  table: string;
  chosen: string;
  /** A condition: whether filters outside the word index may leave few rows. */
  filtered: string;
  sampled: string;
  total: string;
  words: string;
  narrowed?: (query: string) => string;
  candidatesMax: number;
  candidatesOrder?: string;
  headingWeight?: number;
}

/**
 * CTEs at the end of a WITH clause: `scores (id, score)`, and `rarities (word, rarity)`, whose sum is the score of a
 * row of average length with each word once. Okapi BM25 (k1 = 1.2, b = 0.75, Lucene's idf), because ts_rank, which only
 * chooses candidates, does not weigh rare words higher. A word includes its stems, and an unknown one weighs as one of
 * a single row. Reading all rows of a frequent word would take seconds, so rows are found by the rarest words that have
 * ROWS_READ rows together, and one more; other words count only within these rows, in the table's order, so that every
 * page has the same candidates. Where a filter leaves fewer than ROWS_READ rows, all are read; where no more than the
 * candidates, words are counted in these, because a sample of few rows says nothing.
 */
export function rankedByWords(ranking: WordRanking): string {
  return `${wordsOf(ranking)},
  ${foundOf(ranking)},
  ${candidatesOf(ranking)},
  ${scoresOf(ranking)}`;
}

export function anyWordOf(words: string, narrowed: WordRanking['narrowed'] = itself): string {
  return narrowed(`any_word(first_words(${words}, ${QUERY_WORDS_MAX}))`);
}

/** Hidden from the planner, which for frequent words would read the table. Not where a filter leaves few rows. */
export function unplanned(query: string): string {
  return `(SELECT ${query})`;
}

/** OFFSET prevents a join: with old statistics Postgres would compare each row with each. */
export function eachOf(cte: string, table: string): string {
  return `${cte} CROSS JOIN LATERAL (
    SELECT * FROM ${table} AS of_account WHERE of_account.account_id = $1 AND of_account.id = ${cte}.id OFFSET 0
  ) AS by_key`;
}

function itself(query: string): string {
  return query;
}

function wordsOf({ table, chosen, sampled, words, narrowed = itself }: WordRanking): string {
  return `
  words AS MATERIALIZED (
    SELECT lexeme AS word, all_stems(lexeme) AS lexemes
    FROM unnest(to_tsvector('pg_catalog.simple', ${words}))
    WHERE to_tsvector('pg_catalog.english', lexeme) <> ''
    ORDER BY positions[1], lexeme LIMIT ${QUERY_WORDS_MAX}
  ), queries AS MATERIALIZED (
    SELECT word, ${narrowed('any_word(lexemes)')} AS query FROM words
  ), sampled AS MATERIALIZED (
    SELECT word, query, (
      SELECT count(*) FROM ${table} WHERE ${chosen} AND search @@ query AND ${sampled}
    ) * ${SAMPLED_ONE_OF} AS matches
    FROM queries
  )`;
}

function foundOf({ table, chosen, filtered, words, narrowed, candidatesOrder }: WordRanking): string {
  const isByWords = String(candidatesOrder === undefined);
  return `of_filter AS MATERIALIZED (
    SELECT id FROM ${table} WHERE ${isByWords} AND (${filtered}) AND ${chosen} AND search @@ ${anyWordOf(words, narrowed)}
    LIMIT ${ROWS_READ}
  ), filter AS MATERIALIZED (
    SELECT (${filtered}) AND count(*) < ${ROWS_READ} AS leaves_few FROM of_filter
  ), picked AS MATERIALIZED (
    SELECT * FROM (
      SELECT word, query, sum(matches) OVER (ORDER BY matches, word) - matches AS matches_before FROM sampled
    ) AS summed WHERE matches_before < ${ROWS_READ} 
      AND ${isByWords} AND NOT (SELECT leaves_few FROM filter)
  ), found AS MATERIALIZED (
    SELECT word, matches_before, id FROM picked CROSS JOIN LATERAL (
      SELECT id FROM ${table} WHERE ${chosen} AND search @@ query LIMIT ${ROWS_READ}
    ) AS of_word
  )`;
}

function candidatesOf({
  table,
  chosen,
  words,
  narrowed,
  candidatesMax,
  candidatesOrder,
}: WordRanking): string {
  const lookedAt =
    candidatesOrder === undefined
      ? `SELECT id FROM of_filter WHERE (SELECT leaves_few FROM filter) UNION ALL
    (SELECT id FROM found GROUP BY id ORDER BY min(matches_before), id LIMIT ${ROWS_READ_MAX})`
      : `SELECT id FROM ${table} WHERE ${chosen} AND search @@ ${unplanned(anyWordOf(words, narrowed))}
    ORDER BY ${candidatesOrder} LIMIT ${candidatesMax}`;
  return `looked_at AS MATERIALIZED (
    ${lookedAt}
  ), candidates AS MATERIALIZED (
    SELECT by_key.id, search, length(search) AS length FROM ${eachOf('looked_at', table)}
    ORDER BY ts_rank(search, ${unplanned(anyWordOf(words))}) DESC, by_key.id LIMIT ${candidatesMax}
  )`;
}

/** Picks the few words that matter before any join, which would put all words of all candidates into a table. */
function occurrencesOf(frequency: string): string {
  return `occurrences AS MATERIALIZED (
    SELECT id, length, word, sum(${frequency})::float8 AS frequency
    FROM candidates CROSS JOIN LATERAL (
      SELECT * FROM unnest(search) AS indexed (lexeme, positions, weights)
      WHERE (SELECT jsonb_object_agg(lexeme, '') FROM words, unnest(lexemes) AS lexeme) ? lexeme OFFSET 0
    ) AS indexed
      JOIN (SELECT DISTINCT word, lexeme FROM words, unnest(lexemes) AS lexeme) AS wanted USING (lexeme)
    GROUP BY id, length, word
  )`;
}

function scoresOf({ total, headingWeight = 1, candidatesMax, candidatesOrder }: WordRanking): string {
  const headingExtra = `${headingWeight - 1} * cardinality(array_positions(weights, 'A'))`;
  const frequency = `cardinality(positions)${headingWeight === 1 ? '' : ` + ${headingExtra}`}`;
  return `average AS (
    SELECT avg(length)::float8 AS length FROM candidates
  ), ${occurrencesOf(frequency)}, counted AS MATERIALIZED (
    SELECT ${String(candidatesOrder === undefined)} AND (SELECT leaves_few FROM filter)
      AND (SELECT count(*) FROM of_filter) <= ${candidatesMax} AS are_all
  ), spread AS MATERIALIZED (
    SELECT word, CASE WHEN found_rows < ${ROWS_READ} THEN found_rows
      WHEN (SELECT are_all FROM counted) THEN greatest(1, candidates)
      ELSE greatest(1, matches, candidates) END AS matches
    FROM sampled
      LEFT JOIN (SELECT word, count(*) AS found_rows FROM found GROUP BY word) AS by_found USING (word)
      LEFT JOIN (SELECT word, count(*) AS candidates FROM occurrences GROUP BY word) AS by_candidates USING (word)
  ), rarities AS MATERIALIZED (
    SELECT word, ln(1 + (total - matches + 0.5) / (matches + 0.5))::float8 AS rarity
    FROM spread, (SELECT greatest(${total}, max(matches)) AS total FROM spread) AS totals
  ), scores AS (
    SELECT id, sum(rarity * frequency * 2.2 /
      (frequency + 1.2 * (0.25 + 0.75 * occurrences.length / average.length))) AS score
    FROM occurrences JOIN rarities USING (word), average GROUP BY id
  )`;
}
