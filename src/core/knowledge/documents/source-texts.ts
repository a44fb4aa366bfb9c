import { Injectable } from '@nestjs/common';
import { Unprocessable } from '../../errors/request-errors';
import { DocumentTexts } from './document-texts';

/** In UTF-16 units. So long may a text be that an operation reads, in the request or in a document. */
const TEXT_LENGTH_MAX = 400_000;

/** Where an operation's text is: in the request, or in a document of the account. */
export interface TextSource {
  readonly content?: string | null;
  readonly document_id?: string | null;
}

/** The text that an operation works on. */
export interface SourceText {
  readonly text: string;
  /** The document's title; null for a text of the request. */
  readonly title: string | null;
  /** Null for a text of the request. */
  readonly documentId: string | null;
}

/** Reads the text of a request, which holds it or names a document. */
@Injectable()
export class SourceTexts {
  constructor(private readonly documents: DocumentTexts) {}

  /**
   * @throws Unprocessable unless exactly one of content and document_id is given, for a text of more than 400,000
   *   characters and for one that says nothing; and what DocumentTexts.of throws
   */
  async of(accountId: string, source: TextSource): Promise<SourceText> {
    const { content = null, document_id: documentId = null } = source;
    if ((content === null) === (documentId === null)) {
      throw new Unprocessable('Give either content or document_id.');
    }
    const found = content === null ? await this.ofDocument(accountId, documentId ?? '') : ofContent(content);
    if (found.text.length > TEXT_LENGTH_MAX) {
      throw new Unprocessable(`The text has more than ${TEXT_LENGTH_MAX} characters.`);
    }
    if (!/[\p{L}\p{N}]/u.test(found.text)) {
      throw new Unprocessable('The text has no letter and no digit: there is nothing to read.');
    }
    return found;
  }

  private async ofDocument(accountId: string, documentId: string): Promise<SourceText> {
    const { text, title } = await this.documents.of(accountId, documentId);
    return { text, title, documentId };
  }
}

function ofContent(text: string): SourceText {
  return { text, title: null, documentId: null };
}
