import type { DataSource } from 'typeorm';

const WORDS_MAX = 64;

/** Where a chunk stands, in UTF-16 units of its document's content. */
export interface RankedPlace {
  documentId: string;
  start: number;
  end: number;
}

/** What Postgres alone finds: any word of the query, ranked by ts_rank as it is by default. */
export async function plainRanking(
  database: DataSource,
  accountId: string,
  words: string,
  limit: number,
): Promise<RankedPlace[]> {
  return database.query(
    `WITH asked AS MATERIALIZED (SELECT any_word(first_words($2, ${WORDS_MAX})) AS query)
     SELECT document_id AS "documentId", starts_at AS start, ends_at AS "end"
     FROM rag_chunks, asked WHERE account_id = $1 AND search @@ query
     ORDER BY ts_rank(search, query) DESC, id LIMIT $3`,
    [accountId, words, limit],
  );
}
