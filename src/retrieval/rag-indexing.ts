import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isRetryOf } from '../accounts/account-rows';
import { Clock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import { TextThreads } from '../text/text-threads';
import { textJobs } from '../text/text.jobs';
import { ChunkEmbeddings } from './chunk-embeddings';
import { RagDocumentsRepository, type StoredDocument } from './rag-documents.repository';
import { VectorRowsRepository } from './vectors.repository';

/** Not stored yet. Offsets are UTF-16 units of the content. */
export interface ContentChunk {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly heading: string | null;
  readonly words: string;
  readonly headingWords: string;
}

@Injectable()
export class ContentChunks {
  constructor(private readonly threads: TextThreads) {}

  /** Does not block the event loop. Throws what TextThreads.run throws. */
  async of(
    content: string,
    signal: AbortSignal,
  ): Promise<{ chunks: ContentChunk[]; language: string | null }> {
    const cut = await this.threads.run(textJobs.cutText, content, [content], signal);
    const chunks = cut.chunks.map((chunk) => ({
      ...chunk,
      id: newId(),
      text: content.slice(chunk.start, chunk.end),
    }));
    return { chunks, language: cut.language };
  }
}

export interface IndexOrder {
  content: string;
  collection: string;
  metadata: Record<string, unknown>;
  /** Chosen by the account; null where one is made. */
  documentId: string | null;
  tokens: number;
  /** The same for every retry of one call; null where retries cannot be recognised. */
  callId: string | null;
  allowDegraded: boolean;
}

export interface Indexed {
  documentId: string;
  collection: string;
  chunks: number;
  tokens: number;
  isDeduplicated: boolean;
}

interface IndexWork {
  reached?(stage: 'cut' | 'embedded'): Promise<void>;
  /** Runs first in the storing transaction; what it throws rolls back. */
  first?(manager: EntityManager): Promise<void>;
  last?(manager: EntityManager, facts: { chunks: number; language: string | null }): Promise<void>;
}

@Injectable()
export class RagIndexing {
  constructor(
    private readonly documents: RagDocumentsRepository,
    private readonly contentChunks: ContentChunks,
    private readonly embeddings: ChunkEmbeddings,
    private readonly vectors: VectorRowsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Where an upstream embeds, chunks are stored with vectors or not at all. A retry gets the first answer.
   * @throws Conflict when the account is full, and what TextThreads.run and ChunkEmbeddings.embed throw
   */
  async index(
    accountId: string,
    order: IndexOrder,
    signal: AbortSignal,
    beside: IndexWork = {},
  ): Promise<Indexed> {
    const { content, collection, documentId, allowDegraded } = order;
    const contentHash = createHash('sha256').update(content).digest();
    const known = documentId ? null : await this.documents.findContent(accountId, collection, contentHash);
    if (known) {
      return toIndexed(known, order, this.clock.now());
    }
    const { chunks, language } = await this.contentChunks.of(content, signal);
    await this.documents.refuseFull(accountId, order, chunks);
    await beside.reached?.('cut');
    const embedded = await this.embeddings.embed(chunks.map(embeddedText), { signal, allowDegraded });
    await beside.reached?.('embedded');
    signal.throwIfAborted();
    const now = this.clock.now();
    const stored = await this.documents.store(
      {
        accountId,
        documentId: documentId ?? newId(),
        isNamed: documentId !== null,
        callId: order.callId,
        collection,
        content,
        contentHash,
        metadata: order.metadata,
        language,
        tokens: order.tokens,
        bytes: Buffer.byteLength(content),
        chunks: chunks.length,
        createdAt: now,
        updatedAt: now,
      },
      chunks,
      async (manager) => {
        if (embedded) {
          const { model, vectors } = embedded;
          const rows = vectors.map((vector, index) => ({ chunkId: String(chunks[index]?.id), vector }));
          await this.vectors.insert(manager, accountId, model, rows);
        }
        await beside.last?.(manager, { chunks: chunks.length, language });
      },
      async (manager) => beside.first?.(manager),
    );
    return toIndexed(stored, order, now);
  }
}

function embeddedText({ heading, text }: ContentChunk): string {
  return heading === null ? text : `${heading}\n\n${text}`;
}

function toIndexed(stored: StoredDocument, { documentId, callId }: IndexOrder, now: Date): Indexed {
  const { collection, chunks, tokens } = stored;
  const earlier = { callId: stored.callId, at: stored.createdAt };
  const isOwnWork = documentId !== null || stored.isNew || isRetryOf(earlier, callId, now);
  return { documentId: stored.documentId, collection, chunks, tokens, isDeduplicated: !isOwnWork };
}
