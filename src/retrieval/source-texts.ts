import { Injectable } from '@nestjs/common';
import { AccountDatabases } from '../database/account-databases';
import { Conflict, NotFound, Unprocessable } from '../errors/api-errors';
import { isId } from '../runtime/ids';
import type { DocumentStatus } from './documents.repository';

const NOT_READY: Record<DocumentStatus, string> = {
  uploaded: 'Process the document first.',
  processing: 'The document is still being processed.',
  failed: 'Processing the document has failed; its record says why.',
  ready: 'The document has no text.',
};

interface TextRow {
  status: DocumentStatus;
  title: string;
  text: string | null;
}

const TEXT = `
  SELECT d.status, d.title, t.content AS text
  FROM documents d LEFT JOIN document_texts t ON t.document_id = d.id AND d.status = 'ready'
  WHERE d.account_id = $1 AND d.id = $2`;

const TEXT_LENGTH_MAX = 400_000;

interface TextSource {
  readonly content?: string | null;
  readonly document_id?: string | null;
}

interface SourceText {
  readonly text: string;
  readonly title: string | null;
  readonly documentId: string | null;
}

@Injectable()
export class SourceTexts {
  constructor(private readonly databases: AccountDatabases) {}

  /** @throws Unprocessable for none or both, or over 400,000 UTF-16 units; NotFound; Conflict while it is unready */
  async of(
    accountId: string,
    { content = null, document_id: documentId = null }: TextSource,
  ): Promise<SourceText> {
    if ((content === null) === (documentId === null)) {
      throw new Unprocessable('Give either content or document_id.');
    }
    const found =
      content === null
        ? await this.ofDocument(accountId, documentId ?? '')
        : { text: content, title: null, documentId: null };
    if (found.text.length > TEXT_LENGTH_MAX) {
      throw new Unprocessable(`The text has more than ${TEXT_LENGTH_MAX} characters.`);
    }
    if (!/[\p{L}\p{N}]/u.test(found.text)) {
      throw new Unprocessable('The text has no letter and no digit: there is nothing to read.');
    }
    return found;
  }

  private async ofDocument(accountId: string, documentId: string): Promise<SourceText> {
    const database = this.databases.of(accountId);
    const [row]: TextRow[] = isId(documentId) ? await database.query(TEXT, [accountId, documentId]) : [];
    if (!row) {
      throw new NotFound('document');
    }
    const { status, text, title } = row;
    if (status !== 'ready' || text === null) {
      throw new Conflict(NOT_READY[status]);
    }
    return { text, title, documentId };
  }
}
