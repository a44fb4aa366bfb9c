import { Injectable, Logger } from '@nestjs/common';
import type { ListDocumentsCall, ProcessDocumentCall, UploadDocumentCall } from '../../../generated/contract';
import { BinaryAnswer } from '../../contract/binary-answer';
import { planOf } from '../../contract/estimates';
import { withRefusals } from '../../core/errors/file-refusals';
import { NotFound, Unprocessable, ValidationFailed } from '../../core/errors/request-errors';
import { DocumentAttempts } from '../../core/knowledge/documents/document-attempts';
import { DocumentBytes } from '../../core/knowledge/documents/document-bytes';
import { DocumentQueue } from '../../core/knowledge/documents/document-queue';
import { DocumentRelay } from '../../core/knowledge/documents/document-relay';
import type { DocumentRecord } from '../../core/knowledge/documents/document.entity';
import { DocumentUploads, type StoredUpload } from '../../core/knowledge/documents/document-uploads';
import { DocumentsRepository } from '../../core/knowledge/documents/documents.repository';
import { limitMetadata } from '../../core/knowledge/memories/limit-metadata';
import { FILE_KINDS, kindOfExtension, type FileKind } from '../../infrastructure/files/file-kinds';
import { safeFileName } from '../../infrastructure/files/safe-file-name';
import { sniffFileKind } from '../../infrastructure/files/sniff-file-kind';
import { POLICY_OF_FILES } from '../../infrastructure/http/security-headers';
import { openPeriod } from '../../core/money/usage/period';
import { attachmentNamed } from './attachment-name';
import { hasTag, readRange } from './file-range';
import { ReadTokens } from './process-estimates';

/** What an account does with its documents, apart from extracting facts from them. */
@Injectable()
export class DocumentsService {
  private readonly logger = new Logger('Documents');

  constructor(
    private readonly documents: DocumentsRepository,
    private readonly uploads: DocumentUploads,
    private readonly bytes: DocumentBytes,
    private readonly attempts: DocumentAttempts,
    private readonly relay: DocumentRelay,
    private readonly queue: DocumentQueue,
  ) {}

  /**
   * @throws Unprocessable for a file that is not read or not what it is called, ValidationFailed for too much metadata, and what
   *   DocumentUploads.store throws
   */
  async upload({ account, body, file, idempotencyId, signal }: UploadDocumentCall): Promise<StoredUpload> {
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
      title: title ?? withoutExtension(name),
      kind,
      metadata,
      sizeBytes,
      checksum,
      path,
      callId: idempotencyId,
    };
    return this.uploads.store(account.id, order, signal);
  }

  async list(accountId: string, query: ListDocumentsCall['query']) {
    const { start, end } = openPeriod(query);
    return this.documents.list(accountId, {
      status: query.status ?? null,
      kind: query.type ?? null,
      createdFrom: start,
      createdBefore: end,
      limit: query.limit,
      offset: query.offset,
      sort: query.sort,
      order: query.order,
    });
  }

  /** @throws NotFound where the account has no such document */
  get(accountId: string, id: string): Promise<DocumentRecord> {
    return this.documents.get(accountId, id);
  }

  /**
   * The bytes of the document, or the range of them that is asked for.
   * @throws NotFound, and RangeNotSatisfiable
   */
  async content(
    accountId: string,
    id: string,
    headers: Readonly<Record<string, string | undefined>>,
  ): Promise<BinaryAnswer> {
    const { name, kind, sizeBytes, checksum } = await this.documents.get(accountId, id);
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
      return new BinaryAnswer({ status: 304, headers: always }, () => nothing());
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
    return new BinaryAnswer(head, (signal) => this.bytes.range(id, { start, end }, signal));
  }

  /** @throws NotFound where the account has no such document */
  async remove(accountId: string, id: string): Promise<void> {
    const attempts = await this.documents.remove(accountId, id);
    if (attempts === null) {
      throw new NotFound('document');
    }
    // A job that is left in the queue finds no document and ends.
    await this.queue
      .remove(id, attempts)
      .catch((error: unknown) =>
        this.logger.warn({ message: 'jobs of a deleted document are left', error: String(error) }),
      );
  }

  /** @throws Conflict where the document is being processed or is ready */
  async process(call: ProcessDocumentCall): Promise<DocumentRecord> {
    const { account, params, idempotencyId, requestId, meter } = call;
    const { tokens } = planOf(call, ReadTokens);
    const found = await this.documents.get(account.id, params.doc_id);
    const { document, wasPaid } = await this.attempts.begin(found, { callId: idempotencyId, requestId });
    meter.report({ inputTokens: wasPaid ? 0 : tokens, outputTokens: 0 });
    this.relay.wake();
    return document;
  }
}

/** A type that names a format has to be that of the file; any other word is the account's own. */
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

function withoutExtension(name: string): string {
  return name.replace(/(?<=.)\.[^.]{1,10}$/u, '');
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
