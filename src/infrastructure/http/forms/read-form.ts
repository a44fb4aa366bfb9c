import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { BODY_FAULTS, bodyTooLarge, fileInOtherField, type BodyFault } from '../body-fault';
import { storeFile, type UploadedFile } from './uploaded-file';
import type { TemporaryFiles } from './temporary-files';

/** Of a file. */
export const FILE_BYTES_MAX = 25 * 1024 * 1024;
/** Of a field, its name apart. */
const FIELD_BYTES_MAX = 64 * 1024;
const FIELD_NAME_BYTES_MAX = 100;
const FIELDS_MAX = 16;
/** Of all fields together: as much of a form as is ever in memory. */
export const FIELDS_BYTES_MAX = FIELDS_MAX * FIELD_BYTES_MAX;
/** Of the head of one part, which names its field and its file. */
const HEAD_BYTES_MAX = 16 * 1024;
const HEADERS_MAX = 16;
/** A body of which nothing comes for so long has stalled. */
export const STALLED_AFTER_MS = 5_000;

/** Which fields a form may have that are no plain text. */
export interface FormShape {
  /** The one that is a file; null where there is none. */
  readonly file: string | null;
  /** How many bytes the body may have. */
  readonly bytesMax: number;
  /** Whose file it is; null where that is not known. */
  readonly owner: string | null;
}

export interface Form {
  /** The texts of the fields by their names. */
  readonly fields: ReadonlyMap<string, string>;
  readonly file: UploadedFile | null;
}

/** What came of reading a form. */
export type FormOutcome = Form | BodyFault | 'broken off';

/**
 * Reads a form. Its file is in a temporary file afterwards, which the caller removes; where there is no form nothing is left.
 * At no time is more of the body in memory than a few pieces.
 */
export async function readForm(
  request: IncomingMessage,
  shape: FormShape,
  files: TemporaryFiles,
): Promise<FormOutcome> {
  const reading = new FormReading(shape, files);
  const outcome = await reading.read(request).catch(async (error: unknown) => {
    await reading.discard();
    throw error;
  });
  if (!(typeof outcome === 'object' && 'fields' in outcome)) {
    await reading.discard();
  }
  return outcome;
}

class FormReading {
  private readonly fields = new Map<string, string>();
  private stored: Promise<UploadedFile | null> | null = null;
  private source: Readable | null = null;
  private path: string | null = null;
  private fault: BodyFault | null = null;
  private isStopped: () => void = () => undefined;
  /** Resolves when it makes no sense to read on. */
  private readonly stopped = new Promise<void>((resolve) => (this.isStopped = resolve));

  constructor(
    private readonly shape: FormShape,
    private readonly files: TemporaryFiles,
  ) {}

  async read(request: IncomingMessage): Promise<FormOutcome> {
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

  /** Removes the file. */
  async discard(): Promise<void> {
    if (this.path !== null) {
      await this.files.remove(this.path);
    }
  }

  private parserOf({ headers }: IncomingMessage): BusboyInstance | null {
    try {
      const limits = {
        fieldNameSize: FIELD_NAME_BYTES_MAX,
        fieldSize: FIELD_BYTES_MAX,
        fields: FIELDS_MAX,
        files: 1,
        fileSize: FILE_BYTES_MAX,
        parts: FIELDS_MAX + 1,
        headerPairs: HEADERS_MAX,
        headerSize: HEAD_BYTES_MAX,
      };
      const parser = new Busboy({
        headers: { 'content-type': String(headers['content-type']) },
        limits,
        isPartAFile: (name, mediaType, fileName) => this.isFile(name, mediaType, fileName),
      });
      parser.on('field', (name, value, isNameCut, isCut) => this.takeField(name, value, isNameCut || isCut));
      parser.on('file', (name, source, fileName) => this.takeFile(name, source as Readable, fileName));
      parser.on('error', () => this.stop(BODY_FAULTS.malformedForm));
      parser.on('partsLimit', () => this.stop(BODY_FAULTS.tooManyParts));
      parser.on('fieldsLimit', () => this.stop(BODY_FAULTS.tooManyParts));
      parser.on('filesLimit', () => this.stop(BODY_FAULTS.tooManyParts));
      return parser;
    } catch {
      return null;
    }
  }

  /** Hands the body over to the parser, piece by piece as it takes them. */
  private async feed(request: IncomingMessage, parser: BusboyInstance): Promise<'whole' | 'broken off'> {
    const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    let bytes = 0;
    try {
      for (;;) {
        const next = await withinStallTime(pieces.next());
        if (next === 'stalled') {
          this.stop(BODY_FAULTS.stalled);
        } else if (next.done) {
          // One that ended after its time was answered with 408 already.
          return request.socket.writableEnded ? 'broken off' : 'whole';
        } else {
          bytes += next.value.length;
          if (bytes > this.shape.bytesMax) {
            this.stop(bodyTooLarge(this.shape.bytesMax, FILE_BYTES_MAX));
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
      // What still comes is thrown away, as far as whoever answers lets it come. An error would have no listener any more.
      request.on('error', () => undefined);
      void pieces.return?.().then(() => request.resume());
    }
  }

  /**
   * Whether a part is a file. A page can say that a field is JSON only by making a blob of it, to which the browser gives the
   * name "blob" (XMLHttpRequest standard, "create an entry"); it stays a field.
   */
  private isFile(name?: string, mediaType?: string, fileName?: string): boolean {
    const isJsonField = name !== this.shape.file && mediaType === 'application/json';
    return mediaType === 'application/octet-stream' || (fileName !== undefined && !isJsonField);
  }

  private takeField(name: string | undefined, value: string, isCut: boolean): void {
    if (isCut) {
      this.stop(BODY_FAULTS.fieldTooLong);
    } else if (name === this.shape.file) {
      this.stop(BODY_FAULTS.noFileName);
    } else if (this.fields.has(name ?? '')) {
      this.stop(BODY_FAULTS.repeatedField);
    } else {
      this.fields.set(name ?? '', value);
    }
  }

  private takeFile(name: string, source: Readable, fileName: string | undefined): void {
    source.on('error', () => this.stop(BODY_FAULTS.malformedForm));
    if (name !== this.shape.file || fileName === undefined || fileName === '') {
      source.resume();
      this.stop(name === this.shape.file ? BODY_FAULTS.noFileName : fileInOtherField(this.shape.file));
      return;
    }
    this.source = source;
    source.once('limit', () => this.stop(bodyTooLarge(this.shape.bytesMax, FILE_BYTES_MAX)));
    this.stored = this.store(source, fileName);
    // Whoever waits for it is told of a failure; until then it must not count as one that nobody handles.
    this.stored.catch(() => this.isStopped());
  }

  private async store(source: Readable, fileName: string): Promise<UploadedFile | null> {
    const target = await this.files.create(this.shape.owner);
    if (target === null) {
      this.stop(BODY_FAULTS.tooManyUploads);
      return null;
    }
    this.path = target.path;
    return storeFile(source, fileName, target);
  }

  /** Ends the parser and closes the file that is being written. */
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
    // Where this process itself was held up, what has arrived meanwhile is read before the body is given up.
    timer = setTimeout(() => setImmediate(() => setImmediate(resolve, 'stalled')), STALLED_AFTER_MS);
  });
  // Where it stalls, nobody asks any more what becomes of the piece.
  pending.catch(() => undefined);
  return Promise.race([pending, stalled]).finally(() => clearTimeout(timer));
}
