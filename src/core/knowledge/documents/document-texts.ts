import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isId } from '../../../infrastructure/ids/ids';
import { Conflict, NotFound } from '../../errors/request-errors';
import type { DocumentStatus } from './document.entity';

/** The text of a document that an account has uploaded and that was processed. */
export interface DocumentText {
  readonly documentId: string;
  readonly title: string;
  readonly text: string;
  /** ISO 639-1; null where it is not known. */
  readonly language: string | null;
}

/** Gives the texts of an account's documents to the operations that read one. */
@Injectable()
export class DocumentTexts {
  constructor(private readonly database: DataSource) {}

  /**
   * @throws NotFound where the account has no such document, and for a text that is no id; Conflict while it is not ready
   */
  async of(accountId: string, documentId: string): Promise<DocumentText> {
    const [row]: TextRow[] = isId(documentId) ? await this.database.query(TEXT, [accountId, documentId]) : [];
    if (!row) {
      throw new NotFound('document');
    }
    const { status, text, title, language } = row;
    if (status !== 'ready' || text === null) {
      throw new Conflict(NOT_READY[status]);
    }
    return { documentId: row.id, title, text, language };
  }
}

const NOT_READY: Record<DocumentStatus, string> = {
  uploaded: 'Process the document first.',
  processing: 'The document is still being processed.',
  failed: 'Processing the document has failed; its record says why.',
  ready: 'The document has no text.',
};

interface TextRow {
  id: string;
  status: DocumentStatus;
  title: string;
  language: string | null;
  text: string | null;
}

// The text of a document that is not ready may be large, and nobody needs it.
const TEXT = `
  SELECT d.id, d.status, d.title, d.language, t.content AS text
  FROM documents d LEFT JOIN document_texts t ON t.document_id = d.id AND d.status = 'ready'
  WHERE d.account_id = $1 AND d.id = $2`;
