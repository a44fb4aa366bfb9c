import { Global, Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountDatabases } from '../database/account-databases';
import type { Engine } from '../models/model-provider';
import { searchableText } from '../text/searchable-text';
import { fitToTokens, type TokenCounter } from '../text/token-counter';
import { ChunkEmbeddings } from './chunk-embeddings';
import { ChunkVectors, VectorThreads } from './chunk-vectors';
import { rankedByWords, SAMPLED_BY_ID } from './full-text-search';
import { Configuration } from '../config/configuration';
import { ContentChunks, RagIndexing } from './rag-indexing';
import { DocumentRecord, DocumentsRepository } from './documents.repository';
import { MemoriesRepository, MemoryEntity } from './memories.repository';
import { RagDocumentEntity, RagDocumentsRepository } from './rag-documents.repository';
import { SourceTexts } from './source-texts';
import { VectorCache } from './vector-cache';
import { PgVectorRepository, VectorRowsRepository } from './vectors.repository';

/** Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet", SIGIR 2009. */
const K = 60;

/** Sums of 1 / (60 + rank), as a share of the greatest possible sum, best first, then by id. */
export function fuseRankings(rankings: readonly (readonly string[])[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [index, id] of [...new Set(ranking)].entries()) {
      scores.set(id, (scores.get(id) ?? 0) + (K + 1) / (K + 1 + index) / rankings.length);
    }
  }
  return new Map([...scores].sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1)));
}

const CANDIDATES_MAX = 100;
const HEADING_WEIGHT = 2;

interface RankedChunk {
  chunkId: string;
  score: number;
}

@Injectable()
export class RagChunksRepository {
  constructor(private readonly databases: AccountDatabases) {}

  /** At most 100, best first, as a share of the BM25 of a chunk of average length with each word once. */
  async rankByWords(
    accountId: string,
    { query, collection, filter }: Pick<RetrieveOrder, 'query' | 'collection' | 'filter'>,
  ): Promise<RankedChunk[]> {
    const values = [accountId, searchableText(query), collection, filter && JSON.stringify(filter)];
    return this.databases.of(accountId).query(RANK, values);
  }

  /** In the order of the ranking, without chunks that are deleted meanwhile. */
  async read(accountId: string, ranked: readonly RankedChunk[]): Promise<FoundChunk[]> {
    const values = [accountId, ranked.map(({ chunkId }) => chunkId)];
    const rows: Omit<FoundChunk, 'score'>[] = await this.databases.of(accountId).query(READ, values);
    const byId = new Map(rows.map((row) => [row.chunkId, row]));
    return ranked.flatMap(({ chunkId, score }) => {
      const row = byId.get(chunkId);
      return row ? [{ ...row, score }] : [];
    });
  }
}

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

export interface RetrieveOrder {
  query: string;
  topK: number;
  collection: string | null;
  filter: Record<string, unknown> | null;
  /** Between 0 and 1. */
  minScore: number | null;
  allowDegraded: boolean;
}

/** Offsets are UTF-16 units of the document's content. */
export interface FoundChunk {
  chunkId: string;
  documentId: string;
  collection: string;
  /** By words alone, the share of the query that the chunk answers, 0 to 1; with vectors, the fused rank. */
  score: number;
  text: string;
  start: number;
  end: number;
  heading: string | null;
  metadata: Record<string, unknown>;
}

const BY_WORDS: Engine = { provider: 'embedded', method: 'bm25', quality: 'basic' };

/** As many as the ranking by words has. */
const NEAREST_MAX = 100;

@Injectable()
export class ChunkRetrieval {
  constructor(
    private readonly chunks: RagChunksRepository,
    private readonly embeddings: ChunkEmbeddings,
    private readonly vectors: ChunkVectors,
  ) {}

  /**
   * Near in meaning too where an upstream embeds; best first. The filter has to be within limitMetadata.
   * @throws what ChunkEmbeddings.embed and ChunkVectors.nearest throw; the signal's reason
   */
  async retrieve(
    accountId: string,
    order: RetrieveOrder,
    signal: AbortSignal,
  ): Promise<{ chunks: FoundChunk[]; engine: Engine }> {
    const { topK, minScore } = order;
    const [byWords, byMeaning] = await Promise.all([
      this.chunks.rankByWords(accountId, order),
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

/** In tokens, for one source with its heading and frame. */
export const SOURCE_TOKENS_MAX = 600;
const SOURCE_FRAMING_TOKENS_MAX = 60;

export function sourcesTokensMax(count: number): number {
  return count * (SOURCE_TOKENS_MAX + SOURCE_FRAMING_TOKENS_MAX);
}

/** Each cut to the tokens of a source. Throws what TokenCounter.count throws. */
export async function fittedSources(
  texts: readonly string[],
  counter: TokenCounter,
  signal: AbortSignal,
): Promise<string[]> {
  const sources: string[] = [];
  for (const text of texts) {
    sources.push(await fitToTokens(text, SOURCE_TOKENS_MAX, counter, signal));
  }
  return sources;
}

const SERVICES = [
  ChunkEmbeddings,
  ChunkRetrieval,
  ChunkVectors,
  ContentChunks,
  DocumentsRepository,
  MemoriesRepository,
  RagChunksRepository,
  RagDocumentsRepository,
  RagIndexing,
  SourceTexts,
];

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([DocumentRecord, MemoryEntity, RagDocumentEntity])],
  providers: [
    ...SERVICES,
    PgVectorRepository,
    VectorRowsRepository,
    VectorThreads,
    {
      provide: VectorCache,
      useFactory: (rows: VectorRowsRepository, configuration: Configuration) =>
        new VectorCache(rows, configuration.retrievalVectorBytesMax),
      inject: [VectorRowsRepository, Configuration],
    },
  ],
  exports: SERVICES,
})
export class RetrievalModule {}
