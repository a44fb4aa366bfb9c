import { Injectable } from '@nestjs/common';
import type { Engine } from '../../models/model-provider';
import { ChunkEmbeddings } from '../retrieval/vectors/chunk-embeddings';
import { ChunkVectors } from '../retrieval/vectors/chunk-vectors';
import { fuseRankings } from '../retrieval/vectors/fuse-rankings';
import { RagChunksRepository, type RankedChunk } from './rag-chunks.repository';

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
export class RagRetrieval {
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
