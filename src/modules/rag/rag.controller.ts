import {
  ragApi,
  type DeleteRagDocumentCall,
  type GenerateWithRagCall,
  type GetRagDocumentCall,
  type GetRagStatsCall,
  type IndexRagDocumentCall,
  type ListRagDocumentsCall,
  type RagApi,
  type RetrieveRagChunksCall,
} from '../../../generated/contract';
import type {
  IndexedRagDocument,
  RagAnswer,
  RagDocument,
  RagDocumentList,
  RagRetrieval,
  RagStats,
} from '../../../generated/types';
import { planOf } from '../../contract/estimates';
import { Serves } from '../../contract/serves.decorator';
import type { StreamedAnswer } from '../../core/models/streams/streamed-answer';
import { CountedContent } from './index-estimates';
import { PlannedQuestion } from './rag-answer-estimates';
import { RagGeneration } from './rag-generation.service';
import {
  toIndexed,
  toRagChunk,
  toRagDocument,
  toRagDocumentEntry,
  toRagStats,
  toRetrieveOrder,
} from './rag.mapper';
import { RagService } from './rag.service';

@Serves(ragApi)
export class RagController implements RagApi {
  constructor(
    private readonly rag: RagService,
    private readonly generation: RagGeneration,
  ) {}

  async indexRagDocument(call: IndexRagDocumentCall): Promise<IndexedRagDocument> {
    const { account, body, signal, meter } = call;
    const { tokens } = planOf(call, CountedContent);
    const indexed = await this.rag.index(
      account.id,
      {
        content: body.content,
        collection: body.collection,
        metadata: body.metadata ?? {},
        documentId: body.document_id ?? null,
        tokens,
        callId: call.idempotencyId,
        allowDegraded: body.allow_degraded ?? false,
      },
      signal,
    );
    meter.report({ inputTokens: indexed.isDeduplicated ? 0 : tokens, outputTokens: 0 });
    return toIndexed(indexed);
  }

  async retrieveRagChunks(call: RetrieveRagChunksCall): Promise<RagRetrieval> {
    const { account, body, signal } = call;
    const { chunks, engine } = await this.rag.retrieve(account.id, toRetrieveOrder(body), signal);
    call.setEngine(engine);
    return { results: chunks.map(toRagChunk), total: chunks.length };
  }

  async generateWithRag(call: GenerateWithRagCall): Promise<RagAnswer | StreamedAnswer> {
    const { question } = planOf(call, PlannedQuestion);
    return this.generation.generate(question, call, call.body.stream ?? false);
  }

  async getRagStats({ account }: GetRagStatsCall): Promise<RagStats> {
    return toRagStats(await this.rag.stats(account.id));
  }

  async listRagDocuments({ account, query }: ListRagDocumentsCall): Promise<RagDocumentList> {
    const { items, isTruncated, total } = await this.rag.list(account.id, query);
    return {
      documents: items.map(toRagDocumentEntry),
      total,
      limit: isTruncated ? items.length : query.limit,
      offset: query.offset,
      truncated: isTruncated,
    };
  }

  async getRagDocument({ account, params }: GetRagDocumentCall): Promise<RagDocument> {
    return toRagDocument(await this.rag.get(account.id, params.document_id));
  }

  async deleteRagDocument({ account, params }: DeleteRagDocumentCall): Promise<void> {
    await this.rag.remove(account.id, params.document_id);
  }
}
