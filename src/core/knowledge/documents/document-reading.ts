import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../infrastructure/clock/clock';
import { isImageKind, type FileKind } from '../../../infrastructure/files/file-kinds';
import { FileReaders } from '../../../infrastructure/files/file-readers';
import type { ReadFile, ReadTable } from '../../../infrastructure/files/read-file';
import { withRefusals } from '../../errors/file-refusals';
import { NotFound, Unprocessable } from '../../errors/request-errors';
import { ModelNotConfigured } from '../../models/model-errors';
import { TokenCounter } from '../../text/tokens/token-counter';
import { REFUSED_FOR_MS, TABLES_LENGTH_MAX } from './document-bounds';
import { DocumentBytes } from './document-bytes';
import type { DocumentRecord } from './document.entity';

/** What an account's document has stored of what was read from it. */
export interface StoredText {
  readonly text: string;
  readonly tables: readonly ReadTable[];
}

/** Reads documents: once, because their bytes never change. */
@Injectable()
export class DocumentReading {
  constructor(
    private readonly database: DataSource,
    private readonly bytes: DocumentBytes,
    private readonly readers: FileReaders,
    private readonly counter: TokenCounter,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes sure that a document's text is stored. A file that can't be read makes its document `failed`.
   * @returns the text's tokens
   * @throws Unprocessable for a file that is broken, encrypted, too complex or without text, ModelNotConfigured for pictures
   *   and scans, ServiceUnavailable where too many files wait, and what TokenCounter.count throws
   */
  async tokensOf(document: DocumentRecord, signal: AbortSignal): Promise<number> {
    const [known]: { tokens: number }[] = await this.database.query(TOKENS, [document.id]);
    if (known) {
      return known.tokens;
    }
    if (isImageKind(document.kind as FileKind)) {
      throw new ModelNotConfigured();
    }
    this.refuseAgain(document);
    try {
      return await this.read(document, signal);
    } catch (error) {
      if (error instanceof Unprocessable) {
        await this.database.query(REFUSE, [document.id, error.message, this.clock.now()]);
      }
      throw error;
    }
  }

  /** The text and the tables of a document that was read; null where it was not. */
  async storedOf(documentId: string): Promise<StoredText | null> {
    const [row]: StoredText[] = await this.database.query(STORED, [documentId]);
    return row ?? null;
  }

  private refuseAgain({ status, error, isPaid, updatedAt }: DocumentRecord): void {
    const ageMs = this.clock.now().getTime() - updatedAt.getTime();
    if (status === 'failed' && !isPaid && error !== null && ageMs < REFUSED_FOR_MS) {
      throw new Unprocessable(error);
    }
  }

  private async read(document: DocumentRecord, signal: AbortSignal): Promise<number> {
    const { id, sizeBytes } = document;
    const bytes = await this.bytes.all(id, sizeBytes, signal);
    const read = await withRefusals(() => this.readers.read(document.kind as FileKind, bytes, signal));
    refuseWithoutText(read, document.kind);
    const tokens = await this.counter.count(read.text, signal);
    const { tables, isCut } = boundedTables(read.tables);
    const rows: unknown[] = await this.database.query(STORE, [
      id,
      read.text,
      read.title,
      read.pages,
      tokens,
      read.isCut || isCut,
      storable(JSON.stringify(tables)),
      read.text.length,
    ]);
    if (rows.length === 0) {
      throw new NotFound('document');
    }
    return tokens;
  }
}

function refuseWithoutText({ text, pages }: ReadFile, kind: string): void {
  if (/[\p{L}\p{N}]/u.test(text)) {
    return;
  }
  // Pages without text are pictures of it, and nothing here can read those.
  if (kind === 'pdf' && pages !== null && pages > 0) {
    throw new ModelNotConfigured();
  }
  throw new Unprocessable('The file has no text: there is nothing to process.');
}

/** As many tables, and rows of the last one, as fit. */
function boundedTables(tables: readonly ReadTable[]): { tables: ReadTable[]; isCut: boolean } {
  const kept: ReadTable[] = [];
  let length = 0;
  for (const { header, rows } of tables) {
    length += JSON.stringify(header).length;
    const first = length;
    const fitting = rows.findIndex((row) => (length += JSON.stringify(row).length) > TABLES_LENGTH_MAX);
    if (first > TABLES_LENGTH_MAX) {
      return { tables: kept, isCut: true };
    }
    if (fitting >= 0) {
      return { tables: [...kept, { header, rows: rows.slice(0, fitting) }], isCut: true };
    }
    kept.push({ header, rows });
  }
  return { tables: kept, isCut: false };
}

/** Postgres stores no NUL in a text of JSON. */
function storable(json: string): string {
  return json.replaceAll('\\u0000', '\\ufffd');
}

const TOKENS = 'SELECT tokens FROM document_texts WHERE document_id = $1';
const STORED = 'SELECT content AS text, tables FROM document_texts WHERE document_id = $1';

// Where two calls have read it, both have read the same.
const STORE = `
  INSERT INTO document_texts (document_id, content, characters, title, pages, tokens, is_cut, tables)
  SELECT $1, $2, $8, $3, $4, $5, $6, $7::jsonb FROM documents WHERE id = $1
  ON CONFLICT (document_id) DO UPDATE SET tokens = excluded.tokens
  RETURNING 1`;

const REFUSE = `
  UPDATE documents SET status = 'failed', error = $2, updated_at = greatest(updated_at, $3)
  WHERE id = $1 AND status IN ('uploaded', 'failed')`;
