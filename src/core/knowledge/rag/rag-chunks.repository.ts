import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { searchableText } from '../../text/searchable-text';
import { rankedByWords, SAMPLED_BY_ID } from '../retrieval/ranked-by-words';
import type { FoundChunk, RetrieveOrder } from './rag-retrieval';

/** How many chunks are chosen by the quick ranking of Postgres, to be ranked by the better one. */
const CANDIDATES_MAX = 100;
/** How often a word of the heading counts as one of the text. */
const HEADING_WEIGHT = 2;

/** What is to be ranked. */
export type RankingOrder = Pick<RetrieveOrder, 'query' | 'collection' | 'filter'>;

/** A chunk's place in a ranking. */
export interface RankedChunk {
  chunkId: string;
  score: number;
}

/** The chunks of indexed documents in Postgres. */
@Injectable()
export class RagChunksRepository {
  constructor(private readonly database: DataSource) {}

  /**
   * The account's chunks that have any word of the query, at most 100, the best first. Scores are between 0 and 1: BM25,
   * divided by the score of a chunk of average length that has every word of the query once. What scores higher has 1
   * too, and still stands before.
   */
  async rankByWords(accountId: string, { query, collection, filter }: RankingOrder): Promise<RankedChunk[]> {
    return this.database.query(RANK, [
      accountId,
      searchableText(query),
      collection,
      filter === null ? null : JSON.stringify(filter),
    ]);
  }

  /** The chunks with their documents, in the order of the ranking, without those that are deleted meanwhile. */
  async read(accountId: string, ranked: readonly RankedChunk[]): Promise<FoundChunk[]> {
    const rows: Omit<FoundChunk, 'score'>[] = await this.database.query(READ, [
      accountId,
      ranked.map(({ chunkId }) => chunkId),
    ]);
    const byId = new Map(rows.map((row) => [row.chunkId, row]));
    return ranked.flatMap(({ chunkId, score }) => {
      const row = byId.get(chunkId);
      return row ? [{ ...row, score }] : [];
    });
  }
}

/** Whether a row, of a document or of a chunk, is chosen by its account and its collection. */
const WITHIN = 'account_id = $1 AND ($3::text IS NULL OR collection = $3)';

const RANK = `
  WITH filtered AS MATERIALIZED (
    SELECT document_id, chunks FROM rag_documents WHERE ${WITHIN} AND metadata @> $4
  ), ${rankedByWords({
    table: 'rag_chunks',
    chosen: `${WITHIN} AND ($4::jsonb IS NULL OR document_id IN (SELECT document_id FROM filtered))`,
    filtered: '$4::jsonb IS NOT NULL',
    sampled: SAMPLED_BY_ID,
    total: `CASE WHEN $4::jsonb IS NOT NULL THEN (SELECT sum(chunks) FROM filtered)
      WHEN $3::text IS NOT NULL THEN (SELECT sum(chunks) FROM rag_documents WHERE ${WITHIN})
      ELSE (SELECT chunks FROM rag_totals WHERE account_id = $1) END`,
    words: '$2',
    candidatesMax: CANDIDATES_MAX,
    headingWeight: HEADING_WEIGHT,
  })}
  SELECT id AS "chunkId", least(1, score / (SELECT sum(rarity) FROM rarities)) AS score
  FROM scores ORDER BY scores.score DESC, id`;

const READ = `
  SELECT c.id AS "chunkId", document_id AS "documentId", c.collection, c.content AS text, starts_at AS start,
    ends_at AS "end", heading, metadata
  FROM rag_chunks c JOIN rag_documents USING (account_id, document_id)
  WHERE account_id = $1 AND c.id = ANY ($2::uuid[])`;
