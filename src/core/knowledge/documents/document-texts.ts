import { Injectable } from '@nestjs/common';
import { NotFound } from '../../errors/request-errors';

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
  /**
   * @throws NotFound where the account has no such document, Conflict while it has not been processed
   */
  of(_accountId: string, _documentId: string): Promise<DocumentText> {
    return Promise.reject(new NotFound('document'));
  }
}
