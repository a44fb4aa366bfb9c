import {
  documentsApi,
  type DeleteDocumentCall,
  type DocumentsApi,
  type ExtractDocumentCall,
  type GetDocumentCall,
  type GetDocumentContentCall,
  type ListDocumentsCall,
  type ProcessDocumentCall,
  type UploadDocumentCall,
} from '../../../generated/contract';
import type {
  StoredDocument,
  DocumentExtract,
  DocumentList,
  UploadedDocument,
} from '../../../generated/types';
import type { BinaryAnswer } from '../../contract/binary-answer';
import { Serves } from '../../contract/serves.decorator';
import { toDocument } from './documents.mapper';
import { DocumentsService } from './documents.service';
import { ExtractionService } from './extraction.service';

@Serves(documentsApi)
export class DocumentsController implements DocumentsApi {
  constructor(
    private readonly documents: DocumentsService,
    private readonly extraction: ExtractionService,
  ) {}

  async uploadDocument(call: UploadDocumentCall): Promise<UploadedDocument> {
    const { document, isDeduplicated } = await this.documents.upload(call);
    return { ...toDocument(document), deduplicated: isDeduplicated };
  }

  async listDocuments({ account, query }: ListDocumentsCall): Promise<DocumentList> {
    const { items, isTruncated, total } = await this.documents.list(account.id, query);
    return {
      documents: items.map(toDocument),
      total,
      limit: isTruncated ? items.length : query.limit,
      offset: query.offset,
      truncated: isTruncated,
    };
  }

  async getDocument({ account, params }: GetDocumentCall): Promise<StoredDocument> {
    return toDocument(await this.documents.get(account.id, params.doc_id));
  }

  async getDocumentContent({
    account,
    params,
    requestHeaders,
  }: GetDocumentContentCall): Promise<BinaryAnswer> {
    return this.documents.content(account.id, params.doc_id, requestHeaders);
  }

  async deleteDocument({ account, params }: DeleteDocumentCall): Promise<void> {
    await this.documents.remove(account.id, params.doc_id);
  }

  async processDocument(call: ProcessDocumentCall): Promise<StoredDocument> {
    return toDocument(await this.documents.process(call));
  }

  extractDocument(call: ExtractDocumentCall): Promise<DocumentExtract> {
    return this.extraction.extract(call);
  }
}
