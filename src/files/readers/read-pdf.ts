import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { EncryptedFile, FileTooComplex, UnreadableFile } from '../file-errors';
import type { ReadFile } from '../file-jobs';
import { PAGES_MAX, TEXT_CHARACTERS_MAX } from '../file-limits';
import { checkTrailer } from '../sniff-file-kind';
import type { PageBlock } from './pdf-layout';
import { blocksOfPage, type Drawings } from './pdf-page';
import { boundedText, boundedTitle } from './read-text';
import { BoundedTables } from './tables';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

const SILENT = 0;
/** No picture is decoded where a page is asked for its rules. */
const NO_PIXELS = 0;
/** Of so many pages rules are asked for, which takes half as long again; other tables are seen by the places of texts alone. */
const RULED_PAGES_MAX = 20;

// The library hands on what it draws by a method that Node has from version 21 on.
const { prototype } = ArrayBuffer as unknown as { prototype: { transferToFixedLength?: unknown } };
prototype.transferToFixedLength ??= function copy(this: ArrayBuffer) {
  return this.slice(0);
};

/**
 * The text page by page, with an empty line between pages; '' for a scanned PDF.
 * @throws EncryptedFile, UnreadableFile, FileTooComplex for more than 2,000 pages, FileContradictsName for an archive
 */
export async function readPdf(bytes: Buffer): Promise<ReadFile> {
  checkTrailer(bytes);
  const pdf = await opened(bytes);
  if (pdf.numPages > PAGES_MAX) {
    throw new FileTooComplex(`The document has ${pdf.numPages} pages; at most ${PAGES_MAX} are read.`);
  }
  return { ...(await contentOf(pdf)), markdown: null, pages: pdf.numPages, title: await titleOf(pdf) };
}

async function opened(bytes: Buffer): Promise<PdfDocument> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
      maxImageSize: NO_PIXELS,
      verbosity: SILENT,
    });
  } catch (cause) {
    if (nameOf(cause) === 'PasswordException') {
      throw new EncryptedFile('The PDF asks for a password; upload it without one.', { cause });
    }
    throw broken(cause);
  }
}

async function contentOf(pdf: PdfDocument): Promise<Pick<ReadFile, 'text' | 'tables' | 'isCut'>> {
  const { OPS } = (await getResolvedPDFJS()) as { OPS: Drawings['operations'] };
  const drawings: Drawings = { operations: OPS, pagesLeft: RULED_PAGES_MAX };
  const tables = new BoundedTables();
  const parts: string[] = [];
  let length = 0;
  let number = 0;
  while (number < pdf.numPages && length <= TEXT_CHARACTERS_MAX) {
    number += 1;
    for (const block of await blocksOf(pdf, number, drawings)) {
      const part = 'rows' in block ? block.rows.map((row) => row.join('\t')).join('\n') : block.text;
      parts.push(part);
      length += part.length + 2;
      if ('rows' in block) {
        tables.add(block.rows);
      }
    }
  }
  const { text, isCut } = boundedText(parts.join('\n\n'));
  return { text, tables: tables.tables, isCut: isCut || tables.isCut || number < pdf.numPages };
}

async function blocksOf(pdf: PdfDocument, number: number, drawings: Drawings): Promise<PageBlock[]> {
  try {
    const page = await pdf.getPage(number);
    const blocks = await blocksOfPage(page, drawings);
    page.cleanup();
    return blocks;
  } catch (cause) {
    throw broken(cause);
  }
}

async function titleOf(pdf: PdfDocument): Promise<string | null> {
  try {
    const { info } = await pdf.getMetadata();
    const { Title: title } = info as { Title?: unknown };
    return typeof title === 'string' ? boundedTitle(title) : null;
  } catch {
    // The pages of a document with broken metadata were read.
    return null;
  }
}

function broken(cause: unknown): Error {
  return cause instanceof RangeError
    ? new FileTooComplex('The parts of the PDF are nested too deeply.', { cause })
    : new UnreadableFile('The PDF is broken and cannot be read.', { cause });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
