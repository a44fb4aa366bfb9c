import { Injectable, Logger } from '@nestjs/common';
import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { lockAccount } from '../../accounts/account-rows';
import { AccountDatabases } from '../../database/account-databases';
import { ApiError, CallStopped, NotFound, ServiceUnavailable, Unprocessable } from '../../errors/api-errors';
import { FilesBusy, withRefusals } from '../../files/file-errors';
import type { ReadFile, ReadTable } from '../../files/file-jobs';
import { type FileKind, isImageKind } from '../../files/sniff-file-kind';
import { FileReaders } from '../../files/file-readers';
import { DocumentNeedsReader } from '../../models/errors';
import type { DocumentRecord } from '../../retrieval/documents.repository';
import { Clock } from '../../runtime/clock';
import { type ConcurrencyBounds, FairConcurrencyLimit } from '../../runtime/concurrency-limit';
import { TokenCounter } from '../../text/token-counter';
import { DocumentBytes, refuseFull } from './document-bytes';
import { CallTraces } from '../../events/call-traces';
import { storageRefusalOf } from '../../ledger/storage-limit';
import { WorkOrigin } from '../../observability/tracing';
import { RagIndexing } from '../../retrieval/rag-indexing';
import { type AccountLease, Lease, LeasedWorker } from '../../work/leased-worker';
import { readJob } from '../../work/queue-worker';
import {
  RETRY_DELAY_MS,
  DOCUMENT_QUEUE,
  DocumentAttempts,
  DocumentDispatcher,
  DocumentJob,
} from './document-attempts';

/** For reading files. An account reads one while the next loads; waiting calls hold no bytes. */
const LOAD_TURNS: ConcurrencyBounds = {
  atOnceMax: 4,
  accountAtOnceMax: 2,
  waitingMax: 128,
  accountWaitingMax: 16,
};
const TABLES_LENGTH_MAX = 4_000_000;
/** An unreadable file is not read again so soon: reading it is free, and would fail again. */
const REFUSED_FOR_MS = 60_000;

export interface StoredText {
  readonly text: string;
  readonly tables: readonly ReadTable[];
}

@Injectable()
export class DocumentReading {
  private readonly turns = new FairConcurrencyLimit(LOAD_TURNS, () => new FilesBusy());

  constructor(
    private readonly databases: AccountDatabases,
    private readonly bytes: DocumentBytes,
    private readonly readers: FileReaders,
    private readonly counter: TokenCounter,
    private readonly clock: Clock,
  ) {}

  /** An unreadable file becomes `failed`. @throws Unprocessable, DocumentNeedsReader, Conflict, ServiceUnavailable */
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

  async storedOf({ id, accountId }: DocumentRecord): Promise<StoredText | null> {
    const [row]: StoredText[] = await this.databases.of(accountId).query(STORED, [id]);
    return row ?? null;
  }

  /** Without tables, whose parsing can block the process. Null where the document was not read. */
  async textOf({ id, accountId }: DocumentRecord): Promise<string | null> {
    const [row]: { text: string }[] = await this.databases.of(accountId).query(TEXT, [id]);
    return row?.text ?? null;
  }

  private async known({ id, accountId }: DocumentRecord): Promise<number | null> {
    const database = this.databases.of(accountId);
    const [stored]: { tokens: number; characters: number }[] = await database.query(TOKENS, [id]);
    if (stored?.characters === 0) {
      throw new DocumentNeedsReader();
    }
    return stored?.tokens ?? null;
  }

  private async loaded(document: DocumentRecord, signal: AbortSignal): Promise<number> {
    try {
      signal.throwIfAborted();
      // Another call may have read it while this one waited.
      return (await this.known(document)) ?? (await this.read(document, signal));
    } catch (error) {
      if (error instanceof Unprocessable) {
        const { id, accountId } = document;
        await this.databases.of(accountId).query(REFUSE, [id, error.message, this.clock.now()]);
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
    const { accountId } = document;
    await refuseFull(this.databases.of(accountId).manager, accountId, { documents: 0, bytes: 1 });
    const bytes = await this.bytes.all(document, signal);
    const order = { accountId, signal };
    const read = await withRefusals(() => this.readers.read(document.kind as FileKind, bytes, order));
    if (isScan(read, document.kind)) {
      // Reading a scan is free, so the result is stored to prevent repeats.
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
    await this.databases.of(accountId).transaction(async (manager) => {
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
      await lockAccount(manager, accountId);
      await manager.query(COUNT_READ, [id, bytes]);
      await refuseFull(manager, accountId, { documents: 0, bytes: 0 });
    });
  }
}

function hasText({ text }: ReadFile): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function isScan(read: ReadFile, kind: string): boolean {
  return kind === 'pdf' && (read.pages ?? 0) > 0 && !hasText(read);
}

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

// Two calls that read the same file store the same. The lock waits for a running deletion, then stores nothing.
const STORE = `
  INSERT INTO document_texts (document_id, content, characters, title, pages, tokens, is_cut, tables)
  SELECT $1, $2, $8, $3, $4, $5, $6, $7::jsonb FROM documents WHERE id = $1 FOR KEY SHARE
  ON CONFLICT (document_id) DO UPDATE SET tokens = excluded.tokens
  RETURNING 1`;

const COUNT_READ = 'UPDATE documents SET read_bytes = $2 WHERE id = $1';

const REFUSE = `
  UPDATE documents SET status = 'failed', error = $2, updated_at = greatest(updated_at, $3)
  WHERE id = $1 AND status IN ('uploaded', 'failed')`;

const DOCUMENTS_COLLECTION = 'documents';
const FAULTS_MAX = 5;
const RUN_AT_ONCE_MAX = 4;
const PERCENT = { cut: 50, embedded: 80 };

/** Indexing and becoming ready are one transaction. */
@Processor(DOCUMENT_QUEUE, { concurrency: RUN_AT_ONCE_MAX })
export class DocumentProcessor extends LeasedWorker<DocumentRecord> {
  protected readonly logger = new Logger('Documents');

  constructor(
    private readonly attempts: DocumentAttempts,
    private readonly reading: DocumentReading,
    private readonly indexing: RagIndexing,
    dispatcher: DocumentDispatcher,
    private readonly traces: CallTraces,
  ) {
    super(attempts, dispatcher);
  }

  async process(job: Job<DocumentJob>): Promise<void> {
    await this.run(readJob(DocumentJob, job).documentId);
  }

  protected begin(lease: Lease): Promise<DocumentRecord | null> {
    return this.attempts.take(lease);
  }

  protected async originOf({ runId }: Lease, { requestId, accountId }: DocumentRecord): Promise<WorkOrigin> {
    const span = await this.traces.follow('document', 'consumer', requestId, {});
    return { requestId: requestId ?? runId, causedBy: null, accountId, span };
  }

  protected async carryOut(lease: Lease, document: DocumentRecord, signal: AbortSignal): Promise<void> {
    const attempt = { ...lease, accountId: document.accountId };
    try {
      await this.index(attempt, document, signal);
    } catch (error) {
      await this.endWithout(attempt, document, error);
    }
  }

  private async index(attempt: AccountLease, document: DocumentRecord, signal: AbortSignal): Promise<void> {
    const { id, accountId, title, name, kind, tokens, faults } = document;
    const content = await this.reading.textOf(document);
    if (content === null) {
      throw new Overtaken();
    }
    const order = {
      content,
      collection: DOCUMENTS_COLLECTION,
      metadata: { title, name, type: kind },
      documentId: id,
      tokens: tokens ?? 0,
      callId: null,
      // Found by words only is better than not at all.
      allowDegraded: faults + 1 >= FAULTS_MAX,
    };
    await this.indexing.index(accountId, order, signal, {
      reached: (stage) => this.attempts.progress(attempt, PERCENT[stage]),
      first: async (manager) => {
        if (!(await this.attempts.lock(manager, attempt))) {
          throw new Overtaken();
        }
      },
      last: (manager, facts) => this.attempts.finish(manager, attempt, facts),
    });
  }

  private async endWithout(
    attempt: AccountLease,
    { id, attempts, faults, requestId }: DocumentRecord,
    thrown: unknown,
  ): Promise<void> {
    const error = storageRefusalOf(thrown) ?? thrown;
    if (error instanceof Overtaken) {
      return;
    }
    if (error instanceof CallStopped) {
      await this.attempts.giveBack(attempt, 0, faults);
      return;
    }
    this.logger.warn({
      message: 'a document was not processed',
      request_id: requestId,
      document_id: id,
      error: String(error),
    });
    if (error instanceof ServiceUnavailable) {
      await this.attempts.giveBack(attempt, RETRY_DELAY_MS * attempts, faults);
    } else if (error instanceof ApiError && error.status < 500) {
      await this.attempts.fail(attempt, error.message);
    } else if (faults + 1 >= FAULTS_MAX) {
      await this.attempts.fail(attempt, 'The document could not be indexed. Process it again later.');
    } else {
      await this.attempts.giveBack(attempt, RETRY_DELAY_MS * (faults + 1), faults + 1);
    }
  }
}

class Overtaken extends Error {}
