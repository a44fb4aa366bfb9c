import { getDocumentProxy } from 'unpdf';
import { EncryptedFile, FileTooComplex, UnreadableFile } from '../file-errors';
import type { ReadFile } from '../file-jobs';
import { PAGES_MAX, TEXT_CHARACTERS_MAX } from '../file-limits';
import { checkTrailer } from '../sniff-file-kind';
import { boundedText, boundedTitle } from './read-text';

interface PdfPiece {
  readonly str?: string;
  /** The last number of the text's matrix is the height on the page. */
  readonly transform?: readonly number[];
  readonly height?: number;
  readonly hasEOL?: boolean;
}

/** A greater distance, in heights of letters, separates paragraphs. */
const PARAGRAPH_GAP_HEIGHTS = 1.9;

/** In the order of the content, with an empty line between paragraphs. */
function textOfPdfPage(pieces: readonly PdfPiece[]): string {
  const lines: string[] = [];
  let line = '';
  let lastHeightUp: number | null = null;
  let isNewLine = true;
  for (const { str = '', transform, height = 0, hasEOL = false } of pieces) {
    const heightUp = transform?.[5];
    if (isNewLine && str.trim() !== '' && heightUp !== undefined) {
      if (lastHeightUp !== null && Math.abs(lastHeightUp - heightUp) > height * PARAGRAPH_GAP_HEIGHTS) {
        lines.push('');
      }
      lastHeightUp = heightUp;
      isNewLine = false;
    }
    line += str;
    if (hasEOL) {
      lines.push(line.trimEnd());
      line = '';
      isNewLine = true;
    }
  }
  lines.push(line.trimEnd());
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

const SILENT = 0;

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
