import { load } from 'cheerio/slim';
import { convertToHtml, images } from 'mammoth';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import {
  EncryptedFile,
  FileContradictsName,
  FileRefusal,
  FileTooComplex,
  UnreadableFile,
  UnsupportedFile,
} from '../file-errors';
import type { ReadFile } from '../file-jobs';
import { ARCHIVE_ENTRIES_MAX, INFLATED_BYTES_MAX, NESTING_MAX } from '../file-limits';
import { utf16Of } from '../sniff-file-kind';
import { readPage } from './read-html';
import { boundedTitle } from './read-text';

const DECLARATION = /<!\s*(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i;
const TAG = /<(\/?)[A-Za-z_][^<>]*?(\/?)>/g;

/** Entities expand to gigabytes (billion laughs) or name files. @throws UnsupportedFile, FileTooComplex */
function checkXml(bytes: Buffer): void {
  const encoding = utf16Of(bytes) ?? guessedUtf16(bytes);
  const text = encoding === null ? bytes.toString('latin1') : new TextDecoder(encoding).decode(bytes);
  if (DECLARATION.test(text)) {
    throw new UnsupportedFile('The document has XML with declarations of its own, as entity bombs do.');
  }
  checkDepth(text);
}

function guessedUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0x3c && bytes[1] === 0) {
    return 'utf-16le';
  }
  return bytes[0] === 0 && bytes[1] === 0x3c ? 'utf-16be' : null;
}

function checkDepth(text: string): void {
  let depth = 0;
  for (const [, closes, isEmpty] of text.matchAll(TAG)) {
    depth += closes === '/' ? -1 : isEmpty === '/' ? 0 : 1;
    if (depth > NESTING_MAX) {
      throw new FileTooComplex(`The parts of the document are nested more than ${NESTING_MAX} levels deep.`);
    }
  }
}

const NAME_CHARACTERS_MAX = 500;
/** XML deflates to a hundredth at most; a bomb of a single letter to a thousandth. */
const RATIO_MAX = 200;
const RATIO_CHECKED_FROM_BYTES = 1024 * 1024;
const MAIN_PART = 'word/document.xml';
const PROPERTIES_PART = 'docProps/core.xml';
const XML_PART = /\.(?:xml|rels|vml)$/i;

interface Tally {
  inflatedBytes: number;
  readonly names: Set<string>;
  readonly ranges: { start: number; end: number }[];
  readonly parts: Map<string, Buffer>;
}

/** Inflates every entry once and counts the bytes, whatever the archive declares. @throws FileRefusals */
async function partsOf(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  if (bytes.subarray(0, 1024).includes('%PDF-')) {
    throw new FileContradictsName('The file is a PDF too, besides an archive.');
  }
  const tally: Tally = { inflatedBytes: 0, names: new Set(), ranges: [], parts: new Map() };
  try {
    const zip = await fromBufferPromise(bytes, { strictFileNames: false });
    const { entryCount } = zip;
    if (entryCount > ARCHIVE_ENTRIES_MAX) {
      throw new FileTooComplex(
        `The document has ${entryCount} parts; at most ${ARCHIVE_ENTRIES_MAX} are read.`,
      );
    }
    for await (const entry of zip.eachEntry()) {
      await checkEntry(zip, entry, tally);
    }
  } catch (cause) {
    throw cause instanceof FileRefusal
      ? cause
      : new UnreadableFile('The archive of the Word document is broken.', { cause });
  }
  if (!tally.names.has(MAIN_PART)) {
    throw new UnsupportedFile('The file is an archive, but no Word document.');
  }
  return tally.parts;
}

async function checkEntry(zip: ZipFile, entry: Entry, tally: Tally): Promise<void> {
  checkName(entry.fileName, tally.names);
  if (entry.isEncrypted()) {
    throw new EncryptedFile('The document is encrypted; upload it without a password.');
  }
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  checkRange({ start: entry.relativeOffsetOfLocalHeader, end: fileDataStart + entry.compressedSize }, tally);
  const isXml = XML_PART.test(entry.fileName);
  const content = await inflated(zip, entry, tally, isXml);
  if (isXml) {
    checkXml(content);
    tally.parts.set(entry.fileName, content);
  }
}

/** The library has refused absolute names and those that lead upwards. */
function checkName(name: string, names: Set<string>): void {
  if (name.length > NAME_CHARACTERS_MAX || names.has(name)) {
    throw new FileTooComplex('A part of the document has a name that is endless, or is there twice.');
  }
  names.add(name);
}

/** Entries that share their bytes inflate to far more than the archive has. */
function checkRange(range: { start: number; end: number }, { ranges }: Tally): void {
  const overlapping = ranges.some(({ start, end }) => range.start < end && start < range.end);
  if (overlapping) {
    throw new FileTooComplex('Parts of the document share their bytes, as those of a zip bomb do.');
  }
  ranges.push(range);
}

async function inflated(zip: ZipFile, entry: Entry, tally: Tally, isKept: boolean): Promise<Buffer> {
  const kept: Buffer[] = [];
  let entryBytes = 0;
  const stream = await zip.openReadStreamPromise(entry);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    entryBytes += chunk.length;
    tally.inflatedBytes += chunk.length;
    const isBomb = entryBytes > RATIO_CHECKED_FROM_BYTES && entryBytes > entry.compressedSize * RATIO_MAX;
    if (isBomb || tally.inflatedBytes > INFLATED_BYTES_MAX) {
      throw new FileTooComplex('The document inflates to far more than it has bytes, as a zip bomb does.');
    }
    if (isKept) {
      kept.push(chunk);
    }
  }
  return Buffer.concat(kept);
}

const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"];
/** Pictures would otherwise become base64 in the HTML. */
const WITHOUT_BYTES = images.imgElement(() => Promise.resolve({ src: '' }));

/** A regular expression, because a tree of elements takes memory and time, and may nest too deeply. */
const TITLE = /<dc:title[^>]*>([^<]{1,1000})<\/dc:title>/;

/** @throws FileRefusals */
export async function readDocx(bytes: Buffer): Promise<ReadFile> {
  const parts = await partsOf(bytes);
  const [, title = ''] = TITLE.exec(parts.get(PROPERTIES_PART)?.toString('utf8') ?? '') ?? [];
  const page = readPage(await htmlOf(parts));
  return { ...page, title: boundedTitle(load(title, { xml: true }).text()) ?? page.title };
}

const SIMPLE_FIELD = /(<\/?w:)fldSimple(?=[\s/>])/g;

function archiveOf(parts: ReadonlyMap<string, Buffer>) {
  return {
    exists: (name: string) => parts.has(name),
    read: (name: string, encoding?: string) => {
      const content = parts.get(name) ?? Buffer.alloc(0);
      const text = encoding === undefined ? null : new TextDecoder(encoding).decode(content);
      return Promise.resolve(text === null ? content : text.replaceAll(SIMPLE_FIELD, '$1smartTag'));
    },
  };
}

async function htmlOf(parts: ReadonlyMap<string, Buffer>): Promise<string> {
  try {
    const input = { file: archiveOf(parts) } as unknown as Parameters<typeof convertToHtml>[0];
    const { value } = await convertToHtml(input, {
      styleMap: STYLES,
      convertImage: WITHOUT_BYTES,
      externalFileAccess: false,
    });
    return value;
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw cause;
    }
    throw new UnreadableFile('The Word document is broken and cannot be read.', { cause });
  }
}
