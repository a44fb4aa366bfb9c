import { QUERY_WORDS_MAX } from '../text/search-query';

/**
 * The configuration of Postgres' full-text search by which a text of this language is indexed. Texts of other languages than
 * English keep their words as they are, because English stems and stop words would spoil them. A text whose language is not
 * known (null) is mostly a short one, and is taken for English.
 */
export function textSearchConfiguration(language: string | null): 'pg_catalog.english' | 'pg_catalog.simple' {
  return language === null || language === 'en' ? 'pg_catalog.english' : 'pg_catalog.simple';
}

/**
 * One row of so many is a sample, by which it is estimated how frequent a word is. Each table has an index of its samples'
 * words.
 */
const SAMPLED_ONE_OF = 64;
/** The sample of a table with random ids: the last byte of a UUID is random. */
export const SAMPLED_BY_ID = `get_byte(uuid_send(id), 15) < ${256 / SAMPLED_ONE_OF}`;
/** So many rows of the rarest words are looked at: reading the words of 5,000 takes some 80 ms. */
const LOOKED_AT = 2_500;
/** A bound of all rows that are looked at. The words are chosen by a sample, which may err. */
const LOOKED_AT_MAX = 8_000;

/** The SQL of a ranking by words, in which $1 is the account. All of it comes from the code, never from a caller. */
interface WordRanking {
  /** Has the columns `account_id`, `id`, which is unique within an account, and `search`, a tsvector. */
  table: string;
  /** The condition that chooses the rows to be ranked, that of the account included. */
  chosen: string;
  /** Whether so much is left out by what no index of words knows that few rows may be left. */
  filtered: string;
  /** The condition that makes a row a sample, as the index of the samples has it. */
  sampled: string;
  /** How many rows are chosen; too few, where to count more would take long. */
  total: string;
  /** A text, written by `searchableText`, whose words are looked for. */
  words: string;
  /** Makes of a tsquery the one by which rows are found, such as one that excludes words; absent means itself. */
  narrowed?: (query: string) => string;
  /** How many rows are chosen by the quick ranking of Postgres, to be ranked by the better one. */
  candidatesMax: number;
  /** The order by which the candidates are chosen instead, among all rows that match. */
  candidatesOrder?: string;
  /** How many times as much an occurrence of weight A, as that in a title, counts as any other; absent means as much. */
  headingWeight?: number;
}

/**
 * CTEs that rank rows of a table which have any of the words, as the end of a WITH clause: `scores (id, score)`, and
 * `rarities (word, rarity)`, whose sum is the score of a row of average length that has each word once.
 *
 * Ranks by Okapi BM25 (k1 = 1.2, b = 0.75, Lucene's idf), because ts_rank does not weigh rare words higher than frequent
 * ones; ts_rank only chooses the candidates. The scores are computed in SQL and not by src/text, because they need only
 * the indexed words, and the texts need not leave the database. A word of the query stands for its English stem too, by
 * which English texts are indexed. A word that no row has weighs as much as one that a single row has.
 *
 * To read the words of every row that has a frequent one would take seconds. So rows are looked for by the rarest words,
 * as many as have LOOKED_AT rows together, and one more; the other words count in what is found then. The rows of one
 * word are taken as they lie in the table, so that every page of one ranking has the same candidates. Where a filter
 * leaves fewer than LOOKED_AT rows, all of them are looked at, because to look for each word would cost as much for each.
 */
export function rankedByWords(ranking: WordRanking): string {
  return `${wordsOf(ranking)},
  ${foundOf(ranking)},
  ${candidatesOf(ranking)},
  ${scoresOf(ranking)}`;
}

/** The tsquery of the rows that have any of the words of a text. */
export function anyWordOf(words: string, narrowed: WordRanking['narrowed'] = itself): string {
  return narrowed(`any_word(first_words(${words}, ${QUERY_WORDS_MAX}))`);
}

/**
 * The same tsquery, but Postgres does not know it while it plans. Where it knows that words are frequent, it reads the
 * table instead of their index, which takes longer than it believes. Where a filter leaves few rows, it has to know them,
 * or it reads all rows of frequent words instead of the filter's index.
 */
export function unplanned(query: string): string {
  return `(SELECT ${query})`;
}

/**
 * A FROM clause of the account's rows that a CTE names by `id`, each looked up by its key. OFFSET keeps Postgres from
 * making a join of it: where its statistics are older than an account's rows, it believes that the account has none, and
 * a join would compare each of thousands with each row of the CTE.
 */
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
    SELECT lexeme AS word, tsvector_to_array(to_tsvector('pg_catalog.english', lexeme)) || lexeme AS lexemes
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

/** The rows that are looked at for their words: none where the candidates are chosen by an order. */
function foundOf({ table, chosen, filtered, words, narrowed, candidatesOrder }: WordRanking): string {
  const isByWords = String(candidatesOrder === undefined);
  return `of_filter AS MATERIALIZED (
    SELECT id FROM ${table} WHERE ${isByWords} AND (${filtered}) AND ${chosen} AND search @@ ${anyWordOf(words, narrowed)}
    LIMIT ${LOOKED_AT}
  ), filter AS MATERIALIZED (
    SELECT (${filtered}) AND count(*) < ${LOOKED_AT} AS leaves_few FROM of_filter
  ), picked AS MATERIALIZED (
    SELECT * FROM (
      SELECT word, query, sum(matches) OVER (ORDER BY matches, word) - matches AS matches_before FROM sampled
    ) AS summed WHERE matches_before < ${LOOKED_AT} 
      AND ${isByWords} AND NOT (SELECT leaves_few FROM filter)
  ), found AS MATERIALIZED (
    SELECT word, matches_before, id FROM picked CROSS JOIN LATERAL (
      SELECT id FROM ${table} WHERE ${chosen} AND search @@ query LIMIT ${LOOKED_AT}
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
    (SELECT id FROM found GROUP BY id ORDER BY min(matches_before), id LIMIT ${LOOKED_AT_MAX})`
      : `SELECT id FROM ${table} WHERE ${chosen} AND search @@ ${unplanned(anyWordOf(words, narrowed))}
    ORDER BY ${candidatesOrder} LIMIT ${candidatesMax}`;
  return `looked_at AS MATERIALIZED (
    ${lookedAt}
  ), candidates AS MATERIALIZED (
    SELECT by_key.id, search, length(search) AS length FROM ${eachOf('looked_at', table)}
    ORDER BY ts_rank(search, ${unplanned(anyWordOf(words))}) DESC, by_key.id LIMIT ${candidatesMax}
  )`;
}

/**
 * How often each word is in each candidate. A text has hundreds of words, of which a few are searched for; those are picked
 * by a look into an object before any join, which would first put all words of all candidates into a table.
 */
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

function scoresOf({ total, headingWeight = 1 }: WordRanking): string {
  const headingExtra = `${headingWeight - 1} * cardinality(array_positions(weights, 'A'))`;
  const frequency = `cardinality(positions)${headingWeight === 1 ? '' : ` + ${headingExtra}`}`;
  return `average AS (
    SELECT avg(length)::float8 AS length FROM candidates
  ), ${occurrencesOf(frequency)}, spread AS MATERIALIZED (
    SELECT word, CASE WHEN found_rows < ${LOOKED_AT} THEN found_rows ELSE greatest(1, matches, candidates) END AS matches
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
