import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import {
  type DeleteRagDocumentCall,
  type GenerateWithRagCall,
  type GetRagDocumentCall,
  type GetRagStatsCall,
  type IndexRagDocumentCall,
  type ListRagDocumentsCall,
  ragApi,
  type RagApi,
  type RetrieveRagChunksCall,
} from '../../../generated/contract';
import type {
  IndexedRagDocument,
  IndexRagDocumentRequest,
  ListRagDocumentsQuery,
  RagAnswer,
  RagDocument,
  RagDocumentList,
  RagRetrieval,
  RagStats,
} from '../../../generated/types';
import { type Estimate, type EstimatedCall, Estimates, planOf } from '../../contract/estimates';
import { Serves } from '../../contract/serves';
import type { BoundedPage } from '../../database/bounded-statements';
import { Conflict, NotFound, Unprocessable } from '../../errors/api-errors';
import { openPeriod } from '../../ledger/period';
import type { StreamedAnswer } from '../../models/streamed-answer';
import { DocumentsRepository } from '../../retrieval/documents.repository';
import { limitMetadata } from '../../retrieval/limit-metadata';
import {
  type RagDocumentEntry,
  type RagDocumentRecord,
  RagDocumentsRepository,
  type RagTotals,
} from '../../retrieval/rag-documents.repository';
import { type Indexed, type IndexOrder, RagIndexing } from '../../retrieval/rag-indexing';
import { ChunkRetrieval, type Retrieved, type RetrieveOrder } from '../../retrieval/rag-retrieval';
import { TokenCounter } from '../../text/token-counter';
import { PlannedQuestion, RagAnswerEstimates, RagAnswers, RagGeneration } from './rag-answers';
import {
  toIndexed,
  toRagChunk,
  toRagDocument,
  toRagDocumentEntry,
  toRagStats,
  toRetrieveOrder,
} from './rag.mapper';

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** The tokens of the content that a call was priced by, so that they are counted once. */
class CountedContent {
  constructor(readonly tokens: number) {}
}

/** Counts the tokens of the content that is to be indexed, and refuses what can't be, before anything is reserved. */
@Injectable()
class IndexEstimates implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly tokens: TokenCounter,
  ) {}

  onModuleInit(): void {
    this.estimates.register('indexRagDocument', (call) => this.estimate(call));
  }

  /**
   * @throws ValidationFailed for too much metadata, Unprocessable for a content without a letter or digit, and what
   * TokenCounter.count throws
   */
  async estimate({ body, signal }: EstimatedCall): Promise<Estimate> {
    const { content, metadata } = body as IndexRagDocumentRequest;
    limitMetadata(metadata ?? {}, 'metadata');
    if (!LETTER_OR_DIGIT.test(content)) {
      throw new Unprocessable(
        'The content has no letter and no digit, so that nothing could be found in it.',
      );
    }
    const inputTokens = await this.tokens.count(content, signal);
    return {
      inputTokens,
      outputTokensMax: 0,
      choices: 1,
      model: null,
      plan: new CountedContent(inputTokens),
    };
  }
}

/** The form that ids of documents have, those that accounts choose too. Postgres takes not every other text. */
const DOCUMENT_ID = /^[A-Za-z0-9_][A-Za-z0-9_.:@~-]{0,127}$/;

/** The indexed documents of an account. */
@Injectable()
class RagService {
  constructor(
    private readonly documents: RagDocumentsRepository,
    private readonly uploaded: DocumentsRepository,
    private readonly indexing: RagIndexing,
    private readonly retrieval: ChunkRetrieval,
  ) {}

  /** @throws Conflict when the account has too many documents, and for the id of one that was uploaded */
  async index(accountId: string, order: IndexOrder, signal: AbortSignal): Promise<Indexed> {
    const { documentId } = order;
    // The record says what was read from the file, and its entry has to hold just that.
    if (documentId !== null && (await this.uploaded.ownsEntry(accountId, documentId))) {
      throw new Conflict('The id is that of an uploaded document, whose entry is made by processing it.');
    }
    return this.indexing.index(accountId, order, signal);
  }

  /** @throws ValidationFailed for a filter that is too large */
  async retrieve(accountId: string, order: RetrieveOrder, signal: AbortSignal): Promise<Retrieved> {
    limitMetadata(order.filter ?? {}, 'filter');
    return this.retrieval.retrieve(accountId, order, signal);
  }

  /** @throws Unprocessable when the period would end before it starts */
  async list(
    accountId: string,
    query: ListRagDocumentsQuery,
  ): Promise<BoundedPage<RagDocumentEntry> & { total: number }> {
    const { start, end } = openPeriod(query);
    const collection = query.collection ?? null;
    return this.documents.list(accountId, { ...query, collection, createdFrom: start, createdBefore: end });
  }

  /** @throws NotFound where the account has no document of that id */
  async get(accountId: string, documentId: string): Promise<RagDocumentRecord> {
    const document = DOCUMENT_ID.test(documentId) ? await this.documents.find(accountId, documentId) : null;
    if (!document) {
      throw new NotFound('document');
    }
    return document;
  }

  /** @throws NotFound where the account has no document of that id, Conflict where it is the entry of one that was uploaded */
  async remove(accountId: string, documentId: string): Promise<void> {
    if (await this.uploaded.ownsEntry(accountId, documentId)) {
      await this.get(accountId, documentId);
      // Without its entry the document would be ready and never found.
      throw new Conflict(
        `The entry belongs to an uploaded document; DELETE /api/documents/${documentId} deletes both.`,
      );
    }
    if (!DOCUMENT_ID.test(documentId) || !(await this.documents.remove(accountId, documentId))) {
      throw new NotFound('document');
    }
  }

  async stats(accountId: string): Promise<RagTotals> {
    return this.documents.totals(accountId);
  }
}

@Serves(ragApi)
class RagController implements RagApi {
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

@Module({
  controllers: [RagController],
  providers: [IndexEstimates, RagAnswerEstimates, RagAnswers, RagGeneration, RagService],
})
export class RagModule {}
