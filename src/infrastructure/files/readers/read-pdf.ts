import { getDocumentProxy } from 'unpdf';
import { judgeTrailer } from '../archives/judge-trailer';
import { EncryptedFile, FileTooComplex, UnreadableFile } from '../file-errors';
import { PAGES_MAX, TEXT_CHARACTERS_MAX } from '../file-limits';
import type { ReadFile } from '../read-file';
import { boundedText, boundedTitle } from './bounded-text';
import { textOfPdfPage, type PdfPiece } from './pdf-page-text';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

const SILENT = 0;

/**
 * The text of a PDF, page by page, with an empty line between pages; '' for a scanned one, which has pictures only.
 * @throws EncryptedFile for one that asks for a password, UnreadableFile for a broken one, FileTooComplex for more than
 *   2,000 pages, FileContradictsName for one that is an archive too
 */
export async function readPdf(bytes: Buffer): Promise<ReadFile> {
  judgeTrailer(bytes);
  const pdf = await opened(bytes);
  if (pdf.numPages > PAGES_MAX) {
    throw new FileTooComplex(`The document has ${pdf.numPages} pages; at most ${PAGES_MAX} are read.`);
  }
  const { text, isCut } = await textOf(pdf);
  return { text, markdown: null, pages: pdf.numPages, title: await titleOf(pdf), tables: [], isCut };
}

async function opened(bytes: Buffer): Promise<PdfDocument> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
      verbosity: SILENT,
    });
  } catch (cause) {
    if (nameOf(cause) === 'PasswordException') {
      throw new EncryptedFile('The PDF asks for a password; upload it without one.', { cause });
    }
    throw broken(cause);
  }
}

async function textOf(pdf: PdfDocument): Promise<{ text: string; isCut: boolean }> {
  const pages: string[] = [];
  let length = 0;
  for (let number = 1; number <= pdf.numPages && length <= TEXT_CHARACTERS_MAX; number += 1) {
    const text = await pageText(pdf, number);
    pages.push(text);
    length += text.length + 2;
  }
  const { text, isCut } = boundedText(pages.filter((page) => page !== '').join('\n\n'));
  return { text, isCut: isCut || pages.length < pdf.numPages };
}

async function pageText(pdf: PdfDocument, number: number): Promise<string> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return textOfPdfPage(items as PdfPiece[]);
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
    // A document whose metadata is broken has no title; its pages were read.
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
