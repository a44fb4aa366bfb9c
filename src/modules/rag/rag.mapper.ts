import type {
  IndexedRagDocument,
  RagChunk,
  RagDocument,
  RagDocumentEntry,
  RagStats,
  RetrieveRagChunksRequest,
} from '../../../generated/types';
import type {
  RagDocumentEntry as StoredEntry,
  RagDocumentRecord,
  RagTotals,
} from '../../retrieval/rag-documents.repository';
import type { Indexed } from '../../retrieval/rag-indexing';
import type { FoundChunk, RetrieveOrder } from '../../retrieval/rag-retrieval';

export function toIndexed(indexed: Indexed): IndexedRagDocument {
  const { documentId, collection, chunks, tokens, isDeduplicated } = indexed;
  return { document_id: documentId, collection, chunks, tokens, deduplicated: isDeduplicated };
}

export function toRetrieveOrder(body: RetrieveRagChunksRequest): RetrieveOrder {
  return {
    query: body.query,
    topK: body.top_k,
    collection: body.collection ?? null,
    filter: body.filter ?? null,
    minScore: body.min_score ?? null,
    allowDegraded: body.allow_degraded ?? false,
  };
}

export function toRagChunk(chunk: FoundChunk): RagChunk {
  const { chunkId, documentId, ...rest } = chunk;
  return { chunk_id: chunkId, document_id: documentId, ...rest };
}

export function toRagDocumentEntry(entry: StoredEntry): RagDocumentEntry {
  return {
    document_id: entry.documentId,
    collection: entry.collection,
    chunks: entry.chunks,
    tokens: entry.tokens,
    bytes: entry.bytes,
    language: entry.language,
    metadata: entry.metadata,
    created_at: entry.createdAt.toISOString(),
    updated_at: entry.updatedAt.toISOString(),
  };
}

export function toRagDocument(record: RagDocumentRecord): RagDocument {
  return { ...toRagDocumentEntry(record), content: record.content };
}

export function toRagStats(totals: RagTotals): RagStats {
  const { documents, chunks, tokens, bytes, collections, oldestAt, newestAt } = totals;
  return {
    documents,
    chunks,
    tokens,
    bytes,
    collections,
    oldest_at: oldestAt?.toISOString() ?? null,
    newest_at: newestAt?.toISOString() ?? null,
  };
}
