import { createRequire } from 'node:module';
import type { FileJobs } from '../file-jobs';
import type { FileKind, WrittenKind } from '../file-kinds';
import type { JobAnnounced } from './messages';

type Job = (bytes: Buffer) => unknown;
type Reader = (bytes: Buffer) => unknown;

/**
 * Loads a module when it is needed: a child that reads texts has no use for 80 MB of libraries that read pictures and PDFs.
 * It loads modules as `require` does, TypeScript too where the tests have taught it that.
 */
const load = createRequire(__filename);

/** What is done with the bytes of a file, its code loaded. */
export function loadJob({ job, parameters }: JobAnnounced): Job {
  switch (job) {
    case 'read':
      return loadReader((parameters as FileJobs['read']['parameters']).kind);
    case 'imageFacts': {
      const { kind } = parameters as FileJobs['imageFacts']['parameters'];
      const { imageFacts } = load(
        '../images/read-image-facts',
      ) as typeof import('../images/read-image-facts');
      return (bytes) => imageFacts(bytes, kind);
    }
    case 'changeImage': {
      const { kind, change } = parameters as FileJobs['changeImage']['parameters'];
      const { changeImage } = load('../images/change-image') as typeof import('../images/change-image');
      return (bytes) => changeImage(bytes, kind, change);
    }
    case 'write': {
      const { kind, isPlain } = parameters as FileJobs['write']['parameters'];
      const writer = loadWriter(kind);
      const { plainAsMarkdown } = load(
        '../writers/plain-as-markdown',
      ) as typeof import('../writers/plain-as-markdown');
      return (bytes) => writer(isPlain ? plainAsMarkdown(bytes.toString('utf8')) : bytes.toString('utf8'));
    }
  }
}

function loadReader(kind: FileKind): Reader {
  switch (kind) {
    case 'txt':
      return (load('../readers/read-text') as typeof import('../readers/read-text')).readText;
    case 'md':
      return (load('../readers/read-markdown') as typeof import('../readers/read-markdown')).readMarkdown;
    case 'html':
      return (load('../readers/read-html') as typeof import('../readers/read-html')).readHtml;
    case 'csv':
      return (load('../readers/read-csv') as typeof import('../readers/read-csv')).readCsv;
    case 'json':
      return (load('../readers/read-json') as typeof import('../readers/read-json')).readJson;
    case 'pdf':
      return (load('../readers/read-pdf') as typeof import('../readers/read-pdf')).readPdf;
    case 'docx':
      return (load('../readers/read-docx') as typeof import('../readers/read-docx')).readDocx;
    case 'png':
    case 'jpeg':
    case 'webp': {
      const { readImage } = load('../images/read-image') as typeof import('../images/read-image');
      return (bytes) => readImage(bytes, kind);
    }
  }
}

function loadWriter(kind: WrittenKind): (markdown: string) => unknown {
  switch (kind) {
    case 'txt':
      return (load('../writers/write-text') as typeof import('../writers/write-text')).writeText;
    case 'md':
      return (markdown) => Buffer.from(markdown, 'utf8');
    case 'html':
      return (load('../writers/write-html') as typeof import('../writers/write-html')).writeHtml;
    case 'docx':
      return (load('../writers/write-docx') as typeof import('../writers/write-docx')).writeDocx;
    case 'pdf':
      return (load('../writers/write-pdf') as typeof import('../writers/write-pdf')).writePdf;
  }
}
