import { Injectable } from '@nestjs/common';
import type { ListRagDocumentsQuery } from '../../../generated/types';
import { Conflict, NotFound } from '../../core/errors/request-errors';
import { DocumentsRepository } from '../../core/knowledge/documents/documents.repository';
import { limitMetadata } from '../../core/knowledge/memories/limit-metadata';
import {
  RagDocumentsRepository,
  type RagDocumentEntry,
  type RagTotals,
} from '../../core/knowledge/rag/rag-documents.repository';
import type { RagDocumentRecord } from '../../core/knowledge/rag/rag-document.entity';
import { RagIndexing, type Indexed, type IndexOrder } from '../../core/knowledge/rag/rag-indexing';
import { RagRetrieval, type Retrieved, type RetrieveOrder } from '../../core/knowledge/rag/rag-retrieval';
import { openPeriod } from '../../core/money/usage/period';
import type { BoundedPage } from '../../infrastructure/database/bounded-page';

/** The form that ids of documents have, those that accounts choose too. Postgres takes not every other text. */
const DOCUMENT_ID = /^[A-Za-z0-9_][A-Za-z0-9_.:@~-]{0,127}$/;

/** The indexed documents of an account. */
@Injectable()
export class RagService {
  constructor(
    private readonly documents: RagDocumentsRepository,
    private readonly uploaded: DocumentsRepository,
    private readonly indexing: RagIndexing,
    private readonly retrieval: RagRetrieval,
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
