import { BullModule } from '@nestjs/bullmq';
import { Logger, Module, type OnModuleInit } from '@nestjs/common';
import { type Call, documentsApi, type DocumentsApi } from '../../../generated/contract';
import type {
  DocumentExtract,
  DocumentList,
  ExtractDocumentRequest,
  StoredDocument,
  UploadedDocument,
} from '../../../generated/types';
import { AnsweredOperations } from '../../contract/answered-module';
import {
  BinaryAnswer,
  CountedInput,
  type Estimate,
  type EstimatedCall,
  Estimates,
  planOf,
  Serves,
} from '../../contract/operation';
import { apiError, Conflict, Unprocessable, ValidationFailed } from '../../errors/api-errors';
import { withRefusals } from '../../files/file-errors';
import { FILE_KINDS, type FileKind, kindOfExtension, sniffFileKind } from '../../files/sniff-file-kind';
import { hasTag, POLICY_OF_FILES } from '../../http/response-headers';
import { openPeriod } from '../../ledger/period';
import { judgeCallersSchema } from '../../models/generation/answer-schema';
import { PromptFile } from '../../models/generation/prompt';
import { type AnswerTask, ruleTask } from '../../models/generation/typed-answers';
import { type DocumentRecord, DocumentsRepository } from '../../retrieval/documents.repository';
import { limitMetadata, inSnakeCase } from '../../runtime/json';
import type { TextJob } from '../../text/text-job';
import { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';
import { DOCUMENT_QUEUE, DocumentAttempts, DocumentDispatcher } from './document-attempts';
import { DocumentBytes, DocumentUploads } from './document-bytes';
import { DocumentProcessor, DocumentReading, type StoredText } from './document-reading';

const NAME_BYTES_MAX = 200;
const EXTENSION_BYTES_MAX = 20;

/** Without folders, controls, marks of direction, and what Windows forbids; at most 200 bytes of UTF-8; never empty. */
export function safeFileName(name: string): string {
  const base = name.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const cleaned = base
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    // Without the lookbehind a long row of points would take quadratic time.
    .replace(/(?<![. ])[. ]+$/, '');
  const dot = cleaned.lastIndexOf('.');
  const extension = dot > 0 ? cleaned.slice(dot) : '';
  if (extension === '' || Buffer.byteLength(extension) > EXTENSION_BYTES_MAX) {
    return cutToBytes(cleaned, NAME_BYTES_MAX) || 'file';
  }
  return cutToBytes(cleaned.slice(0, dot), NAME_BYTES_MAX - Buffer.byteLength(extension)) + extension;
}

function cutToBytes(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax));
  return text.slice(0, read).trimEnd();
}

/** In ASCII, and the real name where that differs (RFC 6266, RFC 8187). It has no controls and no quotes. */
function attachmentNamed(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^ -~]|["\\%]/g, '_');
  const quoted = `attachment; filename="${plain}"`;
  if (plain === name) {
    return quoted;
  }
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${quoted}; filename*=UTF-8''${encoded}`;
}

const RANGE = /^bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})$/i;

/** Null for the whole file, also for several or invalid ranges (RFC 9110, section 14.2). @throws RangeNotSatisfiable */
function readRange(header: string | undefined, sizeBytes: number) {
  const [, first = '', last = ''] = RANGE.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') {
    return null;
  }
  const range =
    first === ''
      ? { start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes }
      : { start: Number(first), end: last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1) };
  if (last !== '' && first !== '' && Number(last) < Number(first)) {
    return null;
  }
  if (range.start >= range.end) {
    throw new RangeNotSatisfiable(sizeBytes);
  }
  return range;
}

class RangeNotSatisfiable extends apiError(
  416,
  'Range Not Satisfiable',
  (sizeBytes: number) => `The file has ${sizeBytes} bytes.`,
  (sizeBytes) => ({ headers: { 'Content-Range': `bytes */${sizeBytes}` } }),
) {}

function toDocument(record: DocumentRecord): StoredDocument {
  const kind = record.kind as FileKind;
  return {
    ...inSnakeCase(record, 'id', 'name', 'title', 'sizeBytes', 'metadata', 'status', 'progress', 'error'),
    ...inSnakeCase(record, 'pages', 'language', 'characters', 'tokens', 'chunks'),
    ...inSnakeCase(record, 'createdAt', 'updatedAt', 'processedAt'),
    type: kind,
    media_type: FILE_KINDS[kind].mediaType,
    checksum: record.checksum.toString('hex'),
    truncated: record.isTruncated,
  };
}

function refuseOtherType(type: string | null, kind: FileKind): void {
  const named = type?.trim().toLowerCase().replace(/^\./, '') ?? '';
  const byMediaType = Object.entries(FILE_KINDS).find(
    ([, { mediaType }]) => mediaType === named.split(';')[0],
  );
  const claimed = (byMediaType?.[0] as FileKind | undefined) ?? kindOfExtension(named);
  if (claimed !== null && claimed !== kind) {
    throw new Unprocessable(`The metadata call the file ${claimed}, but it is ${kind}.`);
  }
}

const FINDINGS_MAX = 1_000;
const ROWS_MAX = 10_000;
/** In UTF-16 units. Longer texts fit into no request to a model. */
const ASKED_LENGTH_MAX = 400_000;

type Extract = Omit<DocumentExtract, 'model' | 'usage'>;
type What = NonNullable<DocumentExtract['what']>;

interface ExtractSource extends StoredText {
  readonly documentId: string;
  readonly kind: string;
}

const PROMPT = new PromptFile('extraction');

function extractionTask(
  source: ExtractSource,
  { what = null, schema = null }: Pick<ExtractDocumentRequest, 'what' | 'schema'>,
  threads: TextThreads,
): AnswerTask<Extract> {
  if (schema !== null) {
    return askedTask(source, what, schema);
  }
  if (what === null) {
    throw new Unprocessable('Give what is to be extracted, or a schema.');
  }
  return ruleTask('extraction', [source.text], (signal) => found(source, what, threads, signal));
}

function askedTask(
  { documentId, text }: ExtractSource,
  what: What | null,
  schema: Record<string, unknown>,
): AnswerTask<Extract> {
  judgeCallersSchema(schema);
  if (text.length > ASKED_LENGTH_MAX) {
    throw new Unprocessable(`The text has more than ${ASKED_LENGTH_MAX} characters, too many for a model.`);
  }
  const choices = { what: what?.replaceAll('_', ' ') ?? 'them' };
  return {
    question: {
      prompt: PROMPT.fill({ choices, material: { text } }),
      name: 'document_extract',
      schema,
      read: (value: Record<string, unknown>) => ({ ...nothingOf(documentId, what), value }),
    },
    embedded: null,
    without: 'Only a model fills in a schema. Without one send what (entities, tables, …) and no schema.',
    reads: [],
  };
}

async function found(
  { documentId, kind, text, tables }: ExtractSource,
  what: What,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<Extract> {
  const empty = nothingOf(documentId, what);
  const find = <Item>(job: TextJob<string, Item[]>) => threads.run(job, text, [text], signal);
  if (what === 'tables') {
    // Only plain text may show further tables by its lines; elsewhere commas are punctuation.
    const isText = kind === 'txt' || kind === 'md';
    const seen = tables.length > 0 || !isText ? tables : await find(textJobs.findTables);
    return { ...empty, ...boundedTables(seen) };
  }
  const items = await find<unknown>(FINDERS[what]);
  return { ...empty, [what]: items.slice(0, FINDINGS_MAX), truncated: items.length > FINDINGS_MAX };
}

const FINDERS: Readonly<Record<Exclude<What, 'tables'>, TextJob<string, unknown[]>>> = {
  entities: textJobs.findEntities,
  dates: textJobs.findDates,
  amounts: textJobs.findAmounts,
  key_values: textJobs.findKeyValues,
};

function nothingOf(documentId: string, what: What | null): Extract {
  const none = { entities: null, tables: null, key_values: null, dates: null, amounts: null, value: null };
  return { document_id: documentId, what, ...none, truncated: false };
}

function boundedTables(tables: StoredText['tables']): Pick<Extract, 'tables' | 'truncated'> {
  let rowsLeft = ROWS_MAX;
  let isTruncated = tables.length > FINDINGS_MAX;
  const kept = tables.slice(0, FINDINGS_MAX).map(({ header, rows }) => {
    const taken = rows.slice(0, rowsLeft);
    isTruncated ||= taken.length < rows.length;
    rowsLeft -= taken.length;
    return { header, rows: taken };
  });
  return { tables: kept, truncated: isTruncated };
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

@Serves(documentsApi)
class DocumentsController implements DocumentsApi, OnModuleInit {
  private readonly logger = new Logger('Documents');

  constructor(
    private readonly documents: DocumentsRepository,
    private readonly uploads: DocumentUploads,
    private readonly bytes: DocumentBytes,
    private readonly attempts: DocumentAttempts,
    private readonly dispatcher: DocumentDispatcher,
    private readonly reading: DocumentReading,
    private readonly threads: TextThreads,
    private readonly estimates: Estimates,
    private readonly answered: AnsweredOperations,
  ) {}

  onModuleInit(): void {
    this.estimates.register('processDocument', (call) => this.estimate(call));
    const { extractDocument } = documentsApi.operations;
    this.answered.register<ExtractDocumentRequest>(extractDocument, async ({ account, params, body }) => {
      const document = await this.documents.get(account.id, params.doc_id ?? '');
      const { id, kind, status } = document;
      const stored = status === 'ready' ? await this.reading.storedOf(document) : null;
      if (!stored) {
        throw new Conflict('The document is not ready: process it first.');
      }
      return extractionTask({ ...stored, documentId: id, kind }, body, this.threads);
    });
  }

  /** Before the reservation: an unreadable file costs nothing. The text is kept, whoever pays for it. */
  private async estimate({ account, params, signal }: EstimatedCall): Promise<Estimate> {
    const document = await this.documents.get(account.id, params.doc_id ?? '');
    const tokens = await this.reading.tokensOf(document, signal);
    return CountedInput.estimate((await this.attempts.isPaid(document)) ? 0 : tokens);
  }

  async uploadDocument({
    account,
    body,
    file,
    idempotencyId,
    signal,
  }: Call<'uploadDocument'>): Promise<UploadedDocument> {
    if (!file) {
      throw new ValidationFailed([{ field: 'file', message: 'must be a file' }]);
    }
    const { title, ...metadata } = body.metadata ?? {};
    limitMetadata(metadata, 'metadata');
    const name = safeFileName(file.name);
    const kind = await withRefusals(() => sniffFileKind(file.head, file.sizeBytes, name));
    refuseOtherType(metadata.type ?? null, kind);
    const { path, sizeBytes, checksum } = file;
    const order = {
      name,
      title: title ?? name.replace(/(?<=.)\.[^.]{1,10}$/u, ''),
      kind,
      metadata,
      sizeBytes,
      checksum,
      path,
      callId: idempotencyId,
    };
    const { document, isDeduplicated } = await this.uploads.store(account.id, order, signal);
    return { ...toDocument(document), deduplicated: isDeduplicated };
  }

  async listDocuments({ account, query }: Call<'listDocuments'>): Promise<DocumentList> {
    const { items, ...page } = await this.documents.list(
      account.id,
      { ...query, ...openPeriod(query) },
      { 'status = $': query.status, 'kind = $': query.type },
    );
    return { documents: items.map(toDocument), ...page };
  }

  async getDocument({ account, params }: Call<'getDocument'>): Promise<StoredDocument> {
    return toDocument(await this.documents.get(account.id, params.doc_id));
  }

  async getDocumentContent(call: Call<'getDocumentContent'>): Promise<BinaryAnswer> {
    const { account, params, requestHeaders: headers } = call;
    const document = await this.documents.get(account.id, params.doc_id);
    const { name, kind, sizeBytes, checksum } = document;
    const etag = `"${checksum.toString('hex')}"`;
    const always = {
      etag,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'content-disposition': attachmentNamed(name),
      'content-security-policy': POLICY_OF_FILES,
      'x-content-type-options': 'nosniff',
    };
    if (hasTag(headers['if-none-match'], etag)) {
      return new BinaryAnswer({ status: 304, headers: always }, () => noBytes());
    }
    const ifRange = headers['if-range'];
    const asked = ifRange === undefined || ifRange.trim() === etag ? headers.range : undefined;
    const range = readRange(asked, sizeBytes);
    const { start, end } = range ?? { start: 0, end: sizeBytes };
    const head = {
      status: range ? 206 : 200,
      headers: {
        ...always,
        'content-type': FILE_KINDS[kind as FileKind].mediaType,
        'content-length': String(end - start),
        ...(range && { 'content-range': `bytes ${start}-${end - 1}/${sizeBytes}` }),
      },
    };
    return new BinaryAnswer(head, (signal) => this.bytes.range(document, { start, end }, signal));
  }

  async deleteDocument({ account, params }: Call<'deleteDocument'>): Promise<void> {
    const attempts = await this.documents.removeWithEntry(account.id, params.doc_id);
    // A job that is left in the queue finds no document and ends.
    await this.dispatcher
      .remove(params.doc_id, attempts)
      .catch((error: unknown) =>
        this.logger.warn({ message: 'jobs of a deleted document are left', error: String(error) }),
      );
  }

  async processDocument(call: Call<'processDocument'>): Promise<StoredDocument> {
    const { account, params, idempotencyId, requestId, meter } = call;
    const { tokens } = planOf(call, CountedInput);
    const found = await this.documents.get(account.id, params.doc_id);
    const order = { callId: idempotencyId, requestId, isPaid: tokens === 0 };
    const document = await this.attempts.begin(found, order);
    meter.report({ inputTokens: tokens, outputTokens: 0 });
    return toDocument(document);
  }

  extractDocument(call: Call<'extractDocument'>): Promise<DocumentExtract> {
    return this.answered.answer<Extract>(call);
  }
}

const SERVICES = [DocumentAttempts, DocumentBytes, DocumentDispatcher, DocumentReading, DocumentUploads];

@Module({
  imports: [BullModule.registerQueue({ name: DOCUMENT_QUEUE })],
  controllers: [DocumentsController],
  providers: SERVICES,
  exports: SERVICES,
})
export class DocumentsModule {}

@Module({ imports: [DocumentsModule], providers: [DocumentProcessor] })
export class DocumentWorkersModule {}
