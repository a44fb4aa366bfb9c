import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import {
  askForBody,
  BODY_FAULTS,
  type BodyFault,
  type BodyOwner,
  type BodyRoom,
  bodyTooLarge,
  compressedBody,
  encodingOf,
  fileInOtherField,
} from './request-body';
import { JsonCounts, parseJson } from './json-text';
import { storeFile, type TemporaryFiles, type UploadedFile } from './uploaded-files';

const FILE_BYTES_MAX = 25 * 1024 * 1024;
const FIELD_BYTES_MAX = 64 * 1024;
const FIELD_NAME_BYTES_MAX = 100;
const FIELDS_MAX = 16;
const FIELDS_BYTES_MAX = FIELDS_MAX * FIELD_BYTES_MAX;
const HEAD_BYTES_MAX = 16 * 1024;
const HEADERS_MAX = 16;
const STALLED_AFTER_MS = 5_000;

interface FormBounds {
  readonly bytesMax: number;
  readonly form: FormFields;
  readonly owner: string | null;
  readonly room: BodyRoom | null;
}

interface Form {
  readonly fields: ReadonlyMap<string, string>;
  readonly file: UploadedFile | null;
}

type FormOutcome = Form | BodyFault | 'broken off';

/** Holds a few pieces in memory. The caller removes the file. */
class FormReading {
  private readonly fields = new Map<string, string>();
  private stored: Promise<UploadedFile | null> | null = null;
  private source: Readable | null = null;
  private path: string | null = null;
  private fault: BodyFault | null = null;
  private isStopped: () => void = () => undefined;
  private readonly stopped = new Promise<void>((resolve) => (this.isStopped = resolve));

  constructor(
    private readonly bounds: FormBounds,
    private readonly files: TemporaryFiles,
  ) {}

  async form(request: IncomingMessage): Promise<FormOutcome> {
    let outcome: FormOutcome | null = null;
    try {
      outcome = await this.read(request);
      return outcome;
    } finally {
      const isForm = outcome !== null && typeof outcome === 'object' && 'fields' in outcome;
      if (!isForm && this.path !== null) {
        await this.files.remove(this.path);
      }
    }
  }

  private async read(request: IncomingMessage): Promise<FormOutcome> {
    const parser = this.parserOf(request);
    if (parser === null) {
      return BODY_FAULTS.malformedForm;
    }
    const end = await this.feed(request, parser);
    if (end === 'broken off') {
      await this.abandon(parser);
      return end;
    }
    if (this.fault === null) {
      const finished = once(parser, 'finish').catch(() => undefined);
      parser.end();
      await Promise.race([finished, this.stopped]);
    }
    if (this.fault) {
      await this.abandon(parser);
      return this.fault;
    }
    const file = (await this.stored) ?? null;
    return this.fault ?? { fields: this.fields, file };
  }

  private parserOf({ headers }: IncomingMessage): BusboyInstance | null {
    try {
      const parser = new Busboy({
        headers: { 'content-type': String(headers['content-type']) },
        limits: {
          fieldNameSize: FIELD_NAME_BYTES_MAX,
          fieldSize: FIELD_BYTES_MAX,
          fields: FIELDS_MAX,
          files: 1,
          fileSize: FILE_BYTES_MAX,
          parts: FIELDS_MAX + 1,
          headerPairs: HEADERS_MAX,
          headerSize: HEAD_BYTES_MAX,
        },
        isPartAFile: (name, mediaType, fileName) => this.isFile(name, mediaType, fileName),
      });
      parser.on('field', (name, value, isNameCut, isCut) => this.takeField(name, value, isNameCut || isCut));
      parser.on('file', (name, source, fileName) => this.takeFile(name, source as Readable, fileName));
      parser.on('error', () => this.stop(BODY_FAULTS.malformedForm));
      for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
        parser.on(limit, () => this.stop(BODY_FAULTS.tooManyParts));
      }
      return parser;
    } catch {
      return null;
    }
  }

  private async feed(request: IncomingMessage, parser: BusboyInstance): Promise<'whole' | 'broken off'> {
    const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    let bytes = 0;
    try {
      for (;;) {
        const next = await withinStallTime(pieces.next());
        if (next === 'stalled') {
          this.stop(BODY_FAULTS.stalled);
        } else if (next.done) {
          // One that ended late was answered with 408 already.
          return request.socket.writableEnded ? 'broken off' : 'whole';
        } else {
          bytes += next.value.length;
          if (bytes > this.bounds.bytesMax) {
            this.stop(bodyTooLarge(this.bounds.bytesMax, FILE_BYTES_MAX));
          }
        }
        if (this.fault) {
          return 'whole';
        }
        if (next !== 'stalled' && !parser.write(next.value)) {
          await Promise.race([once(parser, 'drain').catch(() => undefined), this.stopped]);
        }
      }
    } catch {
      return 'broken off';
    } finally {
      // The rest is discarded; an error in it would have no listener.
      request.on('error', () => undefined);
      void pieces.return?.().then(() => request.resume());
    }
  }

  /** Pages mark a JSON field by a blob, which browsers name "blob" (XMLHttpRequest, "create an entry"). */
  private isFile(name?: string, mediaType?: string, fileName?: string): boolean {
    const isJsonField = name !== this.bounds.form.file && mediaType === 'application/json';
    return mediaType === 'application/octet-stream' || (fileName !== undefined && !isJsonField);
  }

  private takeField(name: string | undefined, value: string, isCut: boolean): void {
    if (isCut) {
      this.stop(BODY_FAULTS.fieldTooLong);
    } else if (name === this.bounds.form.file) {
      this.stop(BODY_FAULTS.noFileName);
    } else if (this.fields.has(name ?? '')) {
      this.stop(BODY_FAULTS.repeatedField);
    } else {
      this.fields.set(name ?? '', value);
    }
  }

  private takeFile(name: string, source: Readable, fileName: string | undefined): void {
    source.on('error', () => this.stop(BODY_FAULTS.malformedForm));
    const { file } = this.bounds.form;
    if (name !== file || fileName === undefined || fileName === '') {
      source.resume();
      this.stop(name === file ? BODY_FAULTS.noFileName : fileInOtherField(file));
      return;
    }
    this.source = source;
    source.once('limit', () => this.stop(bodyTooLarge(this.bounds.bytesMax, FILE_BYTES_MAX)));
    this.stored = this.store(source, fileName);
    // The failure is reported to whoever waits; until then it must not be unhandled.
    this.stored.catch(() => this.isStopped());
  }

  private async store(source: Readable, fileName: string): Promise<UploadedFile | null> {
    const target = await this.files.create(this.bounds.owner);
    if (target === null) {
      this.stop(BODY_FAULTS.tooManyUploads);
      return null;
    }
    this.path = target.path;
    return storeFile(source, fileName, target);
  }

  private async abandon(parser: BusboyInstance): Promise<void> {
    parser.destroy();
    this.source?.destroy();
    await this.stored?.catch(() => undefined);
  }

  private stop(fault: BodyFault): void {
    this.fault ??= fault;
    this.isStopped();
  }
}

async function withinStallTime<Result>(pending: Promise<Result>): Promise<Result | 'stalled'> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<'stalled'>((resolve) => {
    // If this process itself was late, reads first what has arrived.
    timer = setTimeout(() => setImmediate(() => setImmediate(resolve, 'stalled')), STALLED_AFTER_MS);
  });
  // After a stall nobody waits for it: a failure would end the process.
  pending.catch(() => undefined);
  return Promise.race([pending, stalled]).finally(() => clearTimeout(timer));
}

declare module 'fastify' {
  interface FastifyRequest {
    uploadedFile?: UploadedFile;
  }
}

export interface FormFields {
  readonly file: string | null;
  readonly json: readonly string[];
}

/** Heap per byte of a field: two bytes for a character, and what is parsed out of it. */
const FIELD_HEAP_BYTES = 4;

export function takeFormRoom({ headers, server }: FastifyRequest, owner: BodyOwner): BodyRoom | null {
  const announcedBytes = Number(headers['content-length'] ?? FIELDS_BYTES_MAX);
  return server.bodyBudget.take(owner, Math.min(announcedBytes, FIELDS_BYTES_MAX) * FIELD_HEAP_BYTES);
}

/** Checksum and name stand for the file, so that retries are equal. @returns false where the client left */
export async function readFormBody(
  request: FastifyRequest,
  bounds: FormBounds,
  files: TemporaryFiles,
): Promise<boolean> {
  const fault = faultOfHead(request, bounds.bytesMax) ?? (bounds.room ? null : BODY_FAULTS.tooManyBodies);
  if (fault) {
    request.bodyFault = fault;
    return true;
  }
  askForBody(request.raw);
  const outcome = await new FormReading(bounds, files).form(request.raw);
  if (outcome === 'broken off') {
    return false;
  }
  if ('status' in outcome) {
    request.bodyFault = outcome;
    return true;
  }
  const body = bodyOf(request, outcome, bounds.form);
  if (request.bodyFault) {
    await (outcome.file && files.remove(outcome.file.path));
    return true;
  }
  request.body = body;
  const fieldsLength = [...outcome.fields.values()].reduce((sum, { length }) => sum + length, 0);
  bounds.room?.hold(fieldsLength * FIELD_HEAP_BYTES);
  request.uploadedFile = outcome.file ?? undefined;
  return true;
}

function faultOfHead({ headers }: FastifyRequest, bytesMax: number): BodyFault | null {
  const encoding = encodingOf(headers);
  if (encoding !== null) {
    return compressedBody(encoding, []);
  }
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    return BODY_FAULTS.notFormType;
  }
  return Number(headers['content-length']) > bytesMax ? bodyTooLarge(bytesMax, FILE_BYTES_MAX) : null;
}

function bodyOf(request: FastifyRequest, { fields, file }: Form, names: FormFields): Record<string, unknown> {
  const members: [string, unknown][] =
    file && names.file !== null ? [[names.file, `${file.checksum} ${file.name}`]] : [];
  for (const [name, text] of fields) {
    members.push([name, names.json.includes(name) ? valueOf(request, name, text) : text]);
  }
  return Object.fromEntries(members);
}

function valueOf(request: FastifyRequest, name: string, text: string): unknown {
  const excess = new JsonCounts().take(Buffer.from(text));
  if (excess) {
    request.bodyFault = excess;
    return undefined;
  }
  const parsed = parseJson(text);
  if ('fault' in parsed) {
    request.bodyFault = { status: 400, message: `has a field ${name} that ${parsed.fault}` };
    return undefined;
  }
  return parsed.value;
}
