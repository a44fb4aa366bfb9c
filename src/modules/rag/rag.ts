import { Module, type OnModuleInit } from '@nestjs/common';
import { type Call, ragApi, type RagApi } from '../../../generated/contract';
import type {
  GenerateWithRagRequest,
  IndexedRagDocument,
  IndexRagDocumentRequest,
  RagAnswer,
  RagDocument,
  RagDocumentEntry,
  RagDocumentList,
  RagRetrieval,
  RagStats,
  RetrieveRagChunksRequest,
} from '../../../generated/types';
import {
  CountedInput,
  type Estimate,
  type EstimatedCall,
  Estimates,
  planOf,
  Serves,
} from '../../contract/operation';
import { Conflict, Unprocessable } from '../../errors/api-errors';
import { openPeriod } from '../../ledger/period';
import { TextGeneration } from '../../models/generation/text-generation';
import type { StreamedAnswer } from '../../models/streamed-answer';
import { DocumentsRepository } from '../../retrieval/documents.repository';
import { limitMetadata, inSnakeCase } from '../../runtime/json';
import {
  type RagDocumentEntry as StoredEntry,
  RagDocumentsRepository,
} from '../../retrieval/rag-documents.repository';
import { RagIndexing } from '../../retrieval/rag-indexing';
import { ChunkRetrieval, type RetrieveOrder } from '../../retrieval/rag-retrieval';
import { TokenCounter } from '../../text/token-counter';
import { RagAnswers, RagQuestion, toRagRetrieval } from './rag-answers';

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

function toRetrieveOrder(body: RetrieveRagChunksRequest): RetrieveOrder {
  return {
    query: body.query,
    topK: body.top_k,
    collection: body.collection ?? null,
    filter: body.filter ?? null,
    minScore: body.min_score ?? null,
    allowDegraded: body.allow_degraded ?? false,
  };
}

function toRagDocumentEntry(entry: StoredEntry): RagDocumentEntry {
  return {
    ...inSnakeCase(entry, 'documentId', 'collection', 'chunks', 'tokens', 'bytes'),
    ...inSnakeCase(entry, 'language', 'metadata', 'createdAt', 'updatedAt'),
  };
}

@Serves(ragApi)
class RagController implements RagApi, OnModuleInit {
  constructor(
    private readonly documents: RagDocumentsRepository,
    private readonly uploaded: DocumentsRepository,
    private readonly indexing: RagIndexing,
    private readonly retrieval: ChunkRetrieval,
    private readonly answers: RagAnswers,
    private readonly generation: TextGeneration,
    private readonly estimates: Estimates,
    private readonly tokens: TokenCounter,
  ) {}

  onModuleInit(): void {
    this.estimates.register('indexRagDocument', (call) => this.estimateIndexing(call));
    this.estimates.register('generateWithRag', (call) => this.estimateAnswer(call));
  }

  private async estimateIndexing({ body, signal }: EstimatedCall): Promise<Estimate> {
    const { content, metadata } = body as IndexRagDocumentRequest;
    limitMetadata(metadata ?? {}, 'metadata');
    if (!LETTER_OR_DIGIT.test(content)) {
      throw new Unprocessable(
        'The content has no letter and no digit, so that nothing could be found in it.',
      );
    }
    return CountedInput.estimate(await this.tokens.count(content, signal));
  }

  private async estimateAnswer({ body, signal }: EstimatedCall): Promise<Estimate> {
    const asked = body as GenerateWithRagRequest;
    limitMetadata(asked.filter ?? {}, 'filter');
    const question = new RagQuestion(toRetrieveOrder(asked), await this.generation.terms(asked));
    return { ...(await this.answers.bound(question, signal)), choices: 1, plan: question };
  }

  async indexRagDocument(call: Call<'indexRagDocument'>): Promise<IndexedRagDocument> {
    const { account, body, signal, meter } = call;
    const { tokens } = planOf(call, CountedInput);
    const { content, collection, document_id: documentId = null } = body;
    // The record says what was read from the file, and its entry has to hold just that.
    if (documentId !== null && (await this.uploaded.ownsEntry(account.id, documentId))) {
      throw new Conflict('The id is that of an uploaded document, whose entry is made by processing it.');
    }
    const order = {
      content,
      collection,
      metadata: body.metadata ?? {},
      documentId,
      tokens,
      callId: call.idempotencyId,
      allowDegraded: body.allow_degraded ?? false,
    };
    const indexed = await this.indexing.index(account.id, order, signal);
    meter.report({ inputTokens: indexed.isDeduplicated ? 0 : tokens, outputTokens: 0 });
    return {
      ...inSnakeCase(indexed, 'documentId', 'collection', 'chunks', 'tokens'),
      deduplicated: indexed.isDeduplicated,
    };
  }

  async retrieveRagChunks(call: Call<'retrieveRagChunks'>): Promise<RagRetrieval> {
    const { account, body, signal } = call;
    limitMetadata(body.filter ?? {}, 'filter');
    const { chunks, engine } = await this.retrieval.retrieve(account.id, toRetrieveOrder(body), signal);
    call.setEngine(engine);
    return toRagRetrieval(chunks);
  }

  async generateWithRag(call: Call<'generateWithRag'>): Promise<RagAnswer | StreamedAnswer> {
    return this.answers.generate(planOf(call, RagQuestion), call, call.body.stream ?? false);
  }

  async getRagStats({ account }: Call<'getRagStats'>): Promise<RagStats> {
    const totals = await this.documents.totals(account.id);
    return {
      ...inSnakeCase(totals, 'documents', 'chunks', 'tokens', 'bytes'),
      ...inSnakeCase(totals, 'collections', 'oldestAt', 'newestAt'),
    };
  }

  async listRagDocuments({ account, query }: Call<'listRagDocuments'>): Promise<RagDocumentList> {
    const { items, ...page } = await this.documents.list(
      account.id,
      { ...query, ...openPeriod(query) },
      { 'collection = $': query.collection },
    );
    return { documents: items.map(toRagDocumentEntry), ...page };
  }

  async getRagDocument({ account, params }: Call<'getRagDocument'>): Promise<RagDocument> {
    const document = await this.documents.get(account.id, params.document_id);
    return { ...toRagDocumentEntry(document), content: document.content };
  }

  async deleteRagDocument({ account, params }: Call<'deleteRagDocument'>): Promise<void> {
    const { document_id: documentId } = params;
    if (await this.uploaded.ownsEntry(account.id, documentId)) {
      await this.documents.get(account.id, documentId);
      // Without its entry the document would be ready and never found.
      throw new Conflict(
        `The entry belongs to an uploaded document; DELETE /api/documents/${documentId} deletes both.`,
      );
    }
    await this.documents.remove(account.id, documentId);
  }
}

@Module({ controllers: [RagController], providers: [RagAnswers] })
export class RagModule {}
