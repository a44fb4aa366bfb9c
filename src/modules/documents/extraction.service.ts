import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ExtractDocumentCall } from '../../../generated/contract';
import type { DocumentExtract, ExtractDocumentRequest } from '../../../generated/types';
import { AnsweredOperations } from '../../contract/answered-operations';
import { Conflict } from '../../core/errors/request-errors';
import { DocumentReading } from '../../core/knowledge/documents/document-reading';
import { DocumentsRepository } from '../../core/knowledge/documents/documents.repository';
import { TextThreads } from '../../core/text/threads/text-threads';
import { extractionTask, type Extract } from './extraction.task';

/** Extracts facts from documents that were processed. */
@Injectable()
export class ExtractionService implements OnModuleInit {
  constructor(
    private readonly answered: AnsweredOperations,
    private readonly documents: DocumentsRepository,
    private readonly reading: DocumentReading,
    private readonly threads: TextThreads,
  ) {}

  onModuleInit(): void {
    this.answered.register<ExtractDocumentRequest>('extractDocument', async ({ account, params, body }) => {
      const { id, kind, status } = await this.documents.get(account.id, params.doc_id ?? '');
      const stored = status === 'ready' ? await this.reading.storedOf(id) : null;
      if (!stored) {
        throw new Conflict('The document is not ready: process it first.');
      }
      return extractionTask({ ...stored, documentId: id, kind }, body, this.threads);
    });
  }

  /** Throws what AnsweredOperations.answer throws. */
  extract(call: ExtractDocumentCall): Promise<DocumentExtract> {
    return this.answered.answer<Extract>(call);
  }
}
