import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NotFound, Unprocessable } from '../../errors/api-errors';
import { FilesBusy, withRefusals } from '../../files/file-errors';
import type { ReadFile, ReadTable } from '../../files/file-jobs';
import { isImageKind, type FileKind } from '../../files/sniff-file-kind';
import { FileReaders } from '../../files/file-readers';
import { DocumentNeedsReader } from '../../models/errors';
import type { DocumentRecord } from '../../retrieval/documents.repository';
import { Clock } from '../../runtime/clock';
import { FairConcurrencyLimit } from '../../runtime/fair-concurrency-limit';
import { TokenCounter } from '../../text/token-counter';
import {
  DocumentBytes,
  LOAD_TURNS,
  lockRoom,
  REFUSED_FOR_MS,
  refuseFull,
  TABLES_LENGTH_MAX,
} from './document-bytes';

/** What an account's document has stored of what was read from it. */
export interface StoredText {
  readonly text: string;
  readonly tables: readonly ReadTable[];
}

/** Reads documents: once, because their bytes never change. */
@Injectable()
export class DocumentReading {
  private readonly turns = new FairConcurrencyLimit(LOAD_TURNS, () => new FilesBusy());

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
   * @throws Unprocessable for a file that is broken, encrypted, too complex or without text, DocumentNeedsReader for pictures
   *   and scans, Conflict where the account has no room for the text, ServiceUnavailable where too many files wait, of the
   *   account or of all, what TokenCounter.count throws, and the signal's reason
   */
  async tokensOf(document: DocumentRecord, signal: AbortSignal): Promise<number> {
    const known = await this.known(document);
    if (known !== null) {
      return known;
    }
    if (isImageKind(document.kind as FileKind)) {
      throw new DocumentNeedsReader();
    }
    this.refuseAgain(document);
    const loaded = () => this.loaded(document, signal);
    return withRefusals(() => this.turns.within(document.accountId, loaded, { signal }));
  }

  /** The text and the tables of a document that was read; null where it was not. */
  async storedOf(documentId: string): Promise<StoredText | null> {
    const [row]: StoredText[] = await this.database.query(STORED, [documentId]);
    return row ?? null;
  }

  /** The text alone: tables may be large, and parsing them holds up the process. Null where the document was not read. */
  async textOf(documentId: string): Promise<string | null> {
    const [row]: { text: string }[] = await this.database.query(TEXT, [documentId]);
    return row?.text ?? null;
  }

  /** The tokens of a text that is stored; null where none is. @throws DocumentNeedsReader for a scan that was read before */
  private async known({ id }: DocumentRecord): Promise<number | null> {
    const [stored]: { tokens: number; characters: number }[] = await this.database.query(TOKENS, [id]);
    if (stored?.characters === 0) {
      throw new DocumentNeedsReader();
    }
    return stored?.tokens ?? null;
  }

  /** Has the file in memory. */
  private async loaded(document: DocumentRecord, signal: AbortSignal): Promise<number> {
    try {
      signal.throwIfAborted();
      // Another call may have read it while this one waited.
      return (await this.known(document)) ?? (await this.read(document, signal));
    } catch (error) {
      if (error instanceof Unprocessable) {
        await this.database.query(REFUSE, [document.id, error.message, this.clock.now()]);
      }
      throw error;
    }
  }

  private refuseAgain({ status, error, isPaid, updatedAt }: DocumentRecord): void {
    const ageMs = this.clock.now().getTime() - updatedAt.getTime();
    if (status === 'failed' && !isPaid && error !== null && ageMs < REFUSED_FOR_MS) {
      throw new Unprocessable(error);
    }
  }

  private async read(document: DocumentRecord, signal: AbortSignal): Promise<number> {
    const { id, accountId, sizeBytes } = document;
    await refuseFull(this.database.manager, accountId, { documents: 0, bytes: 1 });
    const bytes = await this.bytes.all(id, sizeBytes, signal);
    const order = { accountId, signal };
    const read = await withRefusals(() => this.readers.read(document.kind as FileKind, bytes, order));
    if (isScan(read, document.kind)) {
      // It costs nothing, so it is noted: nobody has it read again and again.
      await this.store(document, { ...read, text: '', tables: [] }, 0);
      throw new DocumentNeedsReader();
    }
    if (!hasText(read)) {
      throw new Unprocessable('The file has no text: there is nothing to process.');
    }
    const tokens = await this.counter.count(read.text, signal);
    await this.store(document, read, tokens);
    return tokens;
  }

  private async store({ id, accountId }: DocumentRecord, read: ReadFile, tokens: number): Promise<void> {
    const { tables, isCut } = boundedTables(read.tables);
    const json = storable(JSON.stringify(tables));
    const bytes = Buffer.byteLength(read.text) + Buffer.byteLength(json);
    await this.database.transaction(async (manager) => {
      const rows: unknown[] = await manager.query(STORE, [
        id,
        read.text,
        read.title,
        read.pages,
        tokens,
        read.isCut || isCut,
        json,
        read.text.length,
      ]);
      if (rows.length === 0) {
        throw new NotFound('document');
      }
      await lockRoom(manager, accountId);
      await manager.query(COUNT_READ, [id, bytes]);
      await refuseFull(manager, accountId, { documents: 0, bytes: 0 });
    });
  }
}

function hasText({ text }: ReadFile): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Pages without text are pictures of it, and nothing here can read those. */
function isScan(read: ReadFile, kind: string): boolean {
  return kind === 'pdf' && (read.pages ?? 0) > 0 && !hasText(read);
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

const TOKENS = 'SELECT tokens, characters FROM document_texts WHERE document_id = $1';
const TEXT = 'SELECT content AS text FROM document_texts WHERE document_id = $1';
const STORED = 'SELECT content AS text, tables FROM document_texts WHERE document_id = $1';

// Where two calls have read it, both have read the same. A deletion that is under way is waited for, and then nothing stored.
const STORE = `
  INSERT INTO document_texts (document_id, content, characters, title, pages, tokens, is_cut, tables)
  SELECT $1, $2, $8, $3, $4, $5, $6, $7::jsonb FROM documents WHERE id = $1 FOR KEY SHARE
  ON CONFLICT (document_id) DO UPDATE SET tokens = excluded.tokens
  RETURNING 1`;

const COUNT_READ = 'UPDATE documents SET read_bytes = $2 WHERE id = $1';

const REFUSE = `
  UPDATE documents SET status = 'failed', error = $2, updated_at = greatest(updated_at, $3)
  WHERE id = $1 AND status IN ('uploaded', 'failed')`;
