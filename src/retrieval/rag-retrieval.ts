import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Engine } from '../models/model-provider';
import { searchableText } from '../text/searchable-text';
import { ChunkEmbeddings } from './chunk-embeddings';
import { ChunkVectors } from './chunk-vectors';
import { rankedByWords, SAMPLED_BY_ID } from './full-text-search';

/** Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet", SIGIR 2009. */
const K = 60;

/**
 * Fuses rankings of ids, the best first, by reciprocal rank fusion. The score of an id is the sum over the rankings of
 * 1 / (60 + rank), as a share of the greatest possible sum: 1 for the id that is first in all of them. An id that a
 * ranking has twice counts where it stands first. The map is in the order of the scores, and of the ids where those are
 * equal.
 */
export function fuseRankings(rankings: readonly (readonly string[])[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [index, id] of [...new Set(ranking)].entries()) {
      scores.set(id, (scores.get(id) ?? 0) + (K + 1) / (K + 1 + index) / rankings.length);
    }
  }
  return new Map([...scores].sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1)));
}

/** How many chunks are chosen by the quick ranking of Postgres, to be ranked by the better one. */
const CANDIDATES_MAX = 100;
/** How often a word of the heading counts as one of the text. */
const HEADING_WEIGHT = 2;

/** What is to be ranked. */
type RankingOrder = Pick<RetrieveOrder, 'query' | 'collection' | 'filter'>;

/** A chunk's place in a ranking. */
interface RankedChunk {
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

/** What is to be retrieved; null means no condition. */
export interface RetrieveOrder {
  query: string;
  /** How many chunks are wanted at most. */
  topK: number;
  collection: string | null;
  /** The metadata of a chunk's document have to contain all of this. */
  filter: Record<string, unknown> | null;
  /** Between 0 and 1: chunks with a smaller score are left out. */
  minScore: number | null;
  allowDegraded: boolean;
}

/** A chunk that was found. Offsets are UTF-16 units of its document's content. */
export interface FoundChunk {
  chunkId: string;
  documentId: string;
  collection: string;
  /**
   * Between 0 and 1. By words alone: which share of the query the chunk answers, rare words weighing more. With vectors:
   * how high it stands in both rankings, 1 for the first in both.
   */
  score: number;
  text: string;
  start: number;
  end: number;
  heading: string | null;
  /** Those of the document. */
  metadata: Record<string, unknown>;
}

/** Chunks that were found, the best first, and how. */
export interface Retrieved {
  chunks: FoundChunk[];
  engine: Engine;
}

const BY_WORDS: Engine = { provider: 'embedded', method: 'bm25', quality: 'basic' };

/** How many of the nearest chunks are fused with the ranking by words, which has as many. */
const NEAREST_MAX = 100;

/** Finds the chunks of an account's documents that answer a query. */
@Injectable()
export class ChunkRetrieval {
  constructor(
    private readonly chunks: RagChunksRepository,
    private readonly embeddings: ChunkEmbeddings,
    private readonly vectors: ChunkVectors,
  ) {}

  /**
   * The chunks that share words with the query, or that are near to it in meaning where an upstream embeds; best first.
   * A query of nothing but stop words has no words. The filter has to be within limitMetadata.
   * @throws what ChunkEmbeddings.embed and ChunkVectors.nearest throw; the signal's reason when it aborts
   */
  async retrieve(accountId: string, order: RetrieveOrder, signal: AbortSignal): Promise<Retrieved> {
    const { query, topK, collection, filter, minScore } = order;
    const [byWords, byMeaning] = await Promise.all([
      this.chunks.rankByWords(accountId, { query, collection, filter }),
      this.rankByMeaning(accountId, order, signal),
    ]);
    signal.throwIfAborted();
    const ranked = byMeaning ? fused(byWords, byMeaning.chunkIds) : byWords;
    const wanted = ranked.filter(({ score }) => score >= (minScore ?? 0)).slice(0, topK);
    const engine = byMeaning
      ? { provider: byMeaning.provider, method: 'bm25+vectors', quality: 'model' }
      : BY_WORDS;
    return { chunks: await this.chunks.read(accountId, wanted), engine };
  }

  /** The chunks that point in the query's direction, the nearest first; null where no upstream embeds. */
  private async rankByMeaning(
    accountId: string,
    { query, collection, filter, allowDegraded }: RetrieveOrder,
    signal: AbortSignal,
  ): Promise<{ provider: string; chunkIds: string[] } | null> {
    const embedded = await this.embeddings.embed([query], { signal, allowDegraded });
    const [vector] = embedded?.vectors ?? [];
    if (!embedded || !vector) {
      return null;
    }
    const { model, provider } = embedded;
    const order = { model, vector, limit: NEAREST_MAX, signal, collection, filter };
    const nearest = await this.vectors.nearest(accountId, order);
    const alike = nearest.filter(({ similarity }) => similarity > 0);
    return { provider, chunkIds: alike.map(({ chunkId }) => chunkId) };
  }
}

function fused(byWords: readonly RankedChunk[], byMeaning: readonly string[]): RankedChunk[] {
  const scores = fuseRankings([byWords.map(({ chunkId }) => chunkId), byMeaning]);
  return Array.from(scores, ([chunkId, score]) => ({ chunkId, score }));
}
