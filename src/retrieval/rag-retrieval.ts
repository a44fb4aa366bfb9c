import { Global, Injectable, Module, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountDatabases } from '../database/account-databases';
import type { Engine } from '../models/model-provider';
import { searchableText } from '../text/searchable-text';
import { fitToTokens, type TokenCounter } from '../text/token-counter';
import { ChunkEmbeddings } from './chunk-embeddings';
import { rankedByWords, SAMPLED_BY_ID } from './full-text-search';
import { Configuration } from '../config/configuration';
import { ContentChunks, RagIndexing } from './rag-indexing';
import { DocumentRecord, DocumentsRepository } from './documents.repository';
import { MemoriesRepository, MemoryEntity } from './memories.repository';
import { RagDocumentEntity, RagDocumentsRepository } from './rag-documents.repository';
import { SourceTexts } from './source-texts';
import { VectorCache, type CachedVectors } from './vector-cache';
import {
  PgVectorRepository,
  VectorRowsRepository,
  type SimilarChunk,
  type SimilarOrder,
  type VectorSpace,
} from './vectors.repository';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ServiceUnavailable } from '../errors/api-errors';
import { runInThread, threadPool } from '../runtime/thread-source';
import { untilAborted } from '../runtime/clock';
import { nearestRows, type NearestRows, type VectorScan } from './nearest-rows';

/** Such a scan takes a few milliseconds, less than starting a thread. */
const IN_PROCESS_NUMBERS_MAX = 2_000_000;
const DEADLINE_MS = 10_000;
const SCANS_WAITING_MAX = 64;
const JOB: keyof typeof import('./nearest-rows') = 'nearestRows';

@Injectable()
export class VectorThreads implements OnApplicationShutdown {
  private readonly pool = threadPool(
    join(__dirname, 'nearest-rows'),
    {
      name: JOB,
      maxThreads: Math.min(4, Math.max(1, availableParallelism() - 1)),
      maxQueue: SCANS_WAITING_MAX,
    },
    new Logger('VectorThreads'),
  );

  /** @throws OperationTimedOut after ten seconds; ServiceUnavailable when too many scans wait; the signal's reason */
  async scan(scan: VectorScan, signal: AbortSignal): Promise<NearestRows> {
    signal.throwIfAborted();
    const rows = scan.only?.length ?? scan.segments.reduce((sum, segment) => sum + segment.rows, 0);
    if (rows * scan.query.length <= IN_PROCESS_NUMBERS_MAX) {
      return nearestRows(scan);
    }
    if (this.pool.queueSize >= SCANS_WAITING_MAX) {
      throw new ServiceUnavailable('Too many searches are waiting.', 1);
    }
    return runInThread<NearestRows>(this.pool, scan, DEADLINE_MS, signal);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }
}

/** Up to this many chunks that meet the conditions are scanned alone; of more, one in ten found meets them. */
const CHOSEN_MAX = 5_000;
/** Found beyond the limit, because some may be deleted. */
const SPARE = 20;
const GROWTH = 4;
const CHECKED_AT_ONCE_MAX = 1_000;

export interface NearestOrder extends SimilarOrder {
  readonly model: string;
}

@Injectable()
export class ChunkVectors {
  constructor(
    private readonly rows: VectorRowsRepository,
    private readonly pgVector: PgVectorRepository,
    private readonly cache: VectorCache,
    private readonly threads: VectorThreads,
  ) {}

  /**
   * By cosine (-1 to 1), best first; nothing deleted before the call on any replica. Without pgvector only
   * the newest 50,000 chunks, or what RETRIEVAL_VECTORS_MB_MAX holds, are searched.
   * @throws ServiceUnavailable, OperationTimedOut when too much is to be searched at once; the signal's reason
   */
  async nearest(accountId: string, order: NearestOrder): Promise<SimilarChunk[]> {
    const space = { accountId, model: order.model, dimensions: order.vector.length };
    return (await this.pgVector.nearest(space, order)) ?? this.scan(space, order);
  }

  private async scan(space: VectorSpace, order: SimilarOrder): Promise<SimilarChunk[]> {
    const { collection, filter, limit, signal } = order;
    const isRestricted = collection !== null || filter !== null;
    const chosen = isRestricted ? await this.rows.meeting(space, order, CHOSEN_MAX) : null;
    const vectors = await untilAborted(this.cache.upToDate(space), signal);
    const checked = new Map<string, boolean>();
    for (let wanted = limit + SPARE; ; wanted *= GROWTH) {
      const scan = vectors.scan(order.vector, wanted, chosen);
      const { rows, similarities } = await this.threads.scan(scan, signal);
      const found = Array.from(rows, (row, index) => ({
        chunkId: vectors.chunkAt(row),
        similarity: similarities[index] as number,
      }));
      const meeting = await this.meeting(space, vectors, found, checked, order);
      if (meeting.length >= limit || found.length < wanted) {
        return meeting.slice(0, limit);
      }
    }
  }

  private async meeting(
    space: VectorSpace,
    vectors: CachedVectors,
    found: readonly SimilarChunk[],
    checked: Map<string, boolean>,
    order: SimilarOrder,
  ): Promise<SimilarChunk[]> {
    const meeting: SimilarChunk[] = [];
    for (let start = 0; start < found.length && meeting.length < order.limit; start += CHECKED_AT_ONCE_MAX) {
      const part = found.slice(start, start + CHECKED_AT_ONCE_MAX);
      const unchecked = part.map(({ chunkId }) => chunkId).filter((chunkId) => !checked.has(chunkId));
      if (unchecked.length > 0) {
        const verdicts = await this.rows.checked(space.accountId, unchecked, order);
        for (const chunkId of unchecked) {
          checked.set(chunkId, verdicts.get(chunkId) ?? false);
        }
        unchecked.filter((chunkId) => !verdicts.has(chunkId)).forEach((chunkId) => vectors.remove(chunkId));
        if (vectors.isMostlyRemoved) {
          this.cache.forget(space);
        }
      }
      meeting.push(...part.filter(({ chunkId }) => checked.get(chunkId)));
    }
    return meeting;
  }
}

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

  /** In the order of the ranking, without chunks deleted meanwhile. */
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
  minScore: number | null;
  allowDegraded: boolean;
}

interface AskedChunks {
  readonly top_k: number;
  readonly collection?: string | null;
  readonly filter?: Record<string, unknown> | null;
  readonly min_score?: number | null;
  readonly allow_degraded?: boolean;
}

export function retrieveOrder(query: string, asked: AskedChunks): RetrieveOrder {
  return {
    query,
    topK: asked.top_k,
    collection: asked.collection ?? null,
    filter: asked.filter ?? null,
    minScore: asked.min_score ?? null,
    allowDegraded: asked.allow_degraded ?? false,
  };
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

const NEAREST_MAX = 100;

@Injectable()
export class ChunkRetrieval {
  constructor(
    private readonly chunks: RagChunksRepository,
    private readonly embeddings: ChunkEmbeddings,
    private readonly vectors: ChunkVectors,
  ) {}

  /** The filter has to be within limitMetadata. @throws what ChunkEmbeddings.embed and ChunkVectors.nearest throw */
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

/** Each cut to SOURCE_TOKENS_MAX. Throws what TokenCounter.count throws. */
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
