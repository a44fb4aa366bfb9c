import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { FileRefusal, type RefusalName, REFUSALS } from './file-errors';
import type { FileJobName, FileJobs, ChildMessage, JobAnnounced } from './file-jobs';
import type { FileKind, ImageKind, WrittenKind } from './sniff-file-kind';

type Reader = (bytes: Buffer) => unknown;

/** Modules load late: a child that reads texts must not hold 80 MB of libraries for pictures and PDFs. */
const load = createRequire(__filename);

const images = () => load('./images/images') as typeof import('./images/images');
const texts = () => load('./writers/markdown') as typeof import('./writers/markdown');

const JOBS: { readonly [Name in FileJobName]: (parameters: FileJobs[Name]['parameters']) => Reader } = {
  read: ({ kind }) => READERS[kind](),
  imageFacts: ({ kind }) => {
    const { imageFacts } = images();
    return (bytes) => imageFacts(bytes, kind);
  },
  changeImage: ({ kind, change }) => {
    const { changeImage } = images();
    return (bytes) => changeImage(bytes, kind, change);
  },
  write: ({ kind, isPlain }) => {
    const writer = WRITERS[kind]();
    const { plainAsMarkdown } = texts();
    return (bytes) => writer(isPlain ? plainAsMarkdown(bytes.toString('utf8')) : bytes.toString('utf8'));
  },
};

const READERS: Readonly<Record<FileKind, () => Reader>> = {
  txt: () => (load('./readers/read-text') as typeof import('./readers/read-text')).readText,
  md: () => (load('./readers/read-text') as typeof import('./readers/read-text')).readMarkdown,
  html: () => (load('./readers/read-html') as typeof import('./readers/read-html')).readHtml,
  csv: () => (load('./readers/read-text') as typeof import('./readers/read-text')).readCsv,
  json: () => (load('./readers/read-text') as typeof import('./readers/read-text')).readJson,
  pdf: () => (load('./readers/read-pdf') as typeof import('./readers/read-pdf')).readPdf,
  docx: () => (load('./readers/read-docx') as typeof import('./readers/read-docx')).readDocx,
  png: () => imageReader('png'),
  jpeg: () => imageReader('jpeg'),
  webp: () => imageReader('webp'),
};

function imageReader(kind: ImageKind): Reader {
  const { readImage } = images();
  return (bytes) => readImage(bytes, kind);
}

const WRITERS: Readonly<Record<WrittenKind, () => (markdown: string) => unknown>> = {
  txt: () => texts().writeText,
  md: () => (markdown) => Buffer.from(markdown, 'utf8'),
  html: () => texts().writeHtml,
  docx: () => (load('./writers/write-docx') as typeof import('./writers/write-docx')).writeDocx,
  pdf: () => (load('./writers/write-pdf') as typeof import('./writers/write-pdf')).writePdf,
};

// The main module of a child process, which reads one file at a time from its standard input.

const GUARD_HEAP_MB_MAX = 8;

const [residentBytesMax = 'Infinity'] = process.argv.slice(2);
// The service ends its children itself, after the calls that wait for them.
process.on('SIGTERM', () => undefined).on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
new Worker(join(__dirname, 'guard-thread.cjs'), {
  workerData: { parentId: process.ppid, residentBytesMax: Number(residentBytesMax) },
  resourceLimits: { maxOldGenerationSizeMb: GUARD_HEAP_MB_MAX },
}).unref();
process.on('message', (announced: JobAnnounced) => void work(announced));
send({ type: 'ready' });

async function work(announced: JobAnnounced): Promise<void> {
  try {
    const job = JOBS[announced.job](announced.parameters as never);
    const arriving = received(announced.sizeBytes);
    send({ type: 'loaded' });
    const result = await job(await arriving);
    send({ type: 'done', result });
  } catch (error) {
    send(failureOf(error));
  }
}

function send(message: ChildMessage): void {
  process.send?.(message);
}

function received(sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  if (sizeBytes === 0) {
    return Promise.resolve(bytes);
  }
  return new Promise((resolve) => {
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.copy(bytes, length);
      if (length === sizeBytes) {
        process.stdin.off('data', onData).pause();
        resolve(bytes);
      }
    };
    process.stdin.on('data', onData).resume();
  });
}

function failureOf(error: unknown): ChildMessage {
  if (error instanceof FileRefusal && error.name in REFUSALS) {
    return { type: 'refused', refusal: error.name as RefusalName, message: error.message };
  }
  // Nesting too deep for a library overflows its stack.
  if (error instanceof RangeError) {
    const message = 'The file is nested too deeply, or too large.';
    return { type: 'refused', refusal: 'FileTooComplex', message };
  }
  return { type: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
