import * as documents from './hostile-documents';
import * as images from './hostile-images';
import * as pdfs from './hostile-pdfs';

type Outcome =
  | 'UnsupportedFile'
  | 'FileContradictsName'
  | 'UnreadableFile'
  | 'EncryptedFile'
  | 'FileTooComplex'
  /** It is read, in part or as a whole. */
  | 'read';

/** A file that is made to harm whoever reads it, and what may become of it. */
export interface HostileFile {
  readonly title: string;
  readonly name: string;
  readonly build: () => Buffer | Promise<Buffer>;
  readonly outcomes: readonly Outcome[];
  /** Whether it takes a second or more: the short run leaves those out. */
  readonly isSlow?: boolean;
}

const MEBIBYTE = 1024 * 1024;
const BOUNDED: readonly Outcome[] = ['FileTooComplex', 'read'];
const BROKEN: readonly Outcome[] = ['UnreadableFile', 'FileTooComplex'];
const text = (content: string) => () => Buffer.from(content);

const DOCUMENTS: readonly HostileFile[] = [
  { title: 'a zip bomb', name: 'a.docx', build: documents.zipBomb, outcomes: ['FileTooComplex'] },
  { title: 'a zip bomb that says to be small', name: 'a.docx', build: documents.lyingZip, outcomes: BROKEN },
  {
    title: 'many small bombs',
    name: 'a.docx',
    build: documents.manySmallBombs,
    outcomes: ['FileTooComplex'],
  },
  {
    title: 'overlapping entries',
    name: 'a.docx',
    build: documents.overlappingZip,
    outcomes: ['FileTooComplex'],
  },
  { title: 'archives in archives', name: 'a.docx', build: documents.nestedZip, outcomes: ['read'] },
  { title: '60,000 entries', name: 'a.docx', build: documents.manyEntries, outcomes: ['FileTooComplex'] },
  {
    title: 'an entry that leads upwards',
    name: 'a.docx',
    build: documents.upwardName,
    outcomes: ['UnreadableFile'],
  },
  { title: 'an absolute entry', name: 'a.docx', build: documents.absoluteName, outcomes: ['UnreadableFile'] },
  {
    title: 'an entry with an endless name',
    name: 'a.docx',
    build: documents.endlessName,
    outcomes: ['FileTooComplex'],
  },
  { title: 'an encrypted entry', name: 'a.docx', build: documents.encryptedZip, outcomes: ['EncryptedFile'] },
  { title: 'another archive', name: 'a.docx', build: documents.otherArchive, outcomes: ['UnsupportedFile'] },
  {
    title: 'an archive that is cut off',
    name: 'a.docx',
    build: documents.cutZip,
    outcomes: ['UnreadableFile'],
  },
  { title: 'a PDF in a ZIP', name: 'a.docx', build: documents.pdfInZip, outcomes: ['FileContradictsName'] },
  {
    title: 'a billion laughs',
    name: 'a.docx',
    build: documents.billionLaughs,
    outcomes: ['UnsupportedFile'],
  },
  {
    title: 'the same in UTF-16',
    name: 'a.docx',
    build: documents.billionLaughsInUtf16,
    outcomes: ['UnsupportedFile'],
  },
  {
    title: 'an external entity',
    name: 'a.docx',
    build: documents.externalEntity,
    outcomes: ['UnsupportedFile'],
  },
  {
    title: 'XML nested 100,000 deep',
    name: 'a.docx',
    build: documents.deepXml,
    outcomes: ['FileTooComplex'],
  },
  {
    title: '30 MB of paragraphs',
    name: 'a.docx',
    build: documents.hugeDocument,
    outcomes: BOUNDED,
    isSlow: true,
  },
];

const PDFS: readonly HostileFile[] = [
  { title: '10,000 pages', name: 'a.pdf', build: () => pdfs.manyPages(10_000), outcomes: ['FileTooComplex'] },
  {
    title: '10,000 pages that say to be 2',
    name: 'a.pdf',
    build: pdfs.lyingPages,
    outcomes: [...BROKEN, 'read'],
  },
  {
    title: '2,000 pages',
    name: 'a.pdf',
    build: () => pdfs.manyPages(2_000),
    outcomes: ['read'],
    isSlow: true,
  },
  { title: 'a password', name: 'a.pdf', build: pdfs.encryptedPdf, outcomes: ['EncryptedFile'] },
  { title: 'restrictions only', name: 'a.pdf', build: pdfs.restrictedPdf, outcomes: ['read'] },
  {
    title: 'its second half missing',
    name: 'a.pdf',
    build: async () => (await pdfs.ordinaryPdf()).subarray(0, 700),
    outcomes: ['UnreadableFile'],
  },
  {
    title: 'nothing but its first line',
    name: 'a.pdf',
    build: text('%PDF-1.7\n'),
    outcomes: ['UnreadableFile'],
  },
  { title: 'pages that are their own children', name: 'a.pdf', build: pdfs.cyclicPages, outcomes: BROKEN },
  { title: 'a flate bomb', name: 'a.pdf', build: pdfs.flateBomb, outcomes: ['FileTooComplex'], isSlow: true },
  {
    title: 'a bomb in a bomb',
    name: 'a.pdf',
    build: pdfs.twiceDeflated,
    outcomes: ['FileTooComplex'],
    isSlow: true,
  },
  { title: 'endless text', name: 'a.pdf', build: pdfs.endlessText, outcomes: BOUNDED, isSlow: true },
  {
    title: 'a form that shows itself',
    name: 'a.pdf',
    build: pdfs.formInItself,
    outcomes: [...BROKEN, 'read'],
    isSlow: true,
  },
  { title: 'arrays nested 100,000 deep', name: 'a.pdf', build: pdfs.deepArray, outcomes: BROKEN },
  {
    title: 'a huge object stream',
    name: 'a.pdf',
    build: pdfs.hugeObjectStream,
    outcomes: BROKEN,
    isSlow: true,
  },
  {
    title: 'a ZIP behind it',
    name: 'a.pdf',
    build: async () => Buffer.concat([await pdfs.ordinaryPdf(), documents.otherArchive()]),
    outcomes: ['FileContradictsName'],
  },
];

const IMAGES: readonly HostileFile[] = [
  { title: '100 megapixels', name: 'a.png', build: images.hundredMegapixels, outcomes: ['FileTooComplex'] },
  { title: 'ten billion pixels', name: 'a.png', build: images.declaredPixels, outcomes: ['FileTooComplex'] },
  {
    title: 'a JPEG of 4,290 megapixels',
    name: 'a.jpg',
    build: images.declaredJpeg,
    outcomes: ['FileTooComplex'],
  },
  { title: 'a gigabyte for one pixel', name: 'a.png', build: images.pngBomb, outcomes: [...BROKEN, 'read'] },
  { title: 'a gigabyte of text', name: 'a.png', build: images.textBomb, outcomes: [...BROKEN, 'read'] },
  { title: 'a gigabyte of colours', name: 'a.png', build: images.profileBomb, outcomes: [...BROKEN, 'read'] },
  {
    title: '49 interlaced megapixels',
    name: 'a.png',
    build: images.interlacedPng,
    outcomes: BOUNDED,
    isSlow: true,
  },
  {
    title: '49 progressive megapixels',
    name: 'a.jpg',
    build: images.progressiveJpeg,
    outcomes: BOUNDED,
    isSlow: true,
  },
  { title: 'a PNG that is cut off', name: 'a.png', build: images.cutPng, outcomes: ['UnreadableFile'] },
  { title: 'a page within a PNG', name: 'a.png', build: images.pageInPng, outcomes: ['FileContradictsName'] },
  {
    title: 'a page behind a PNG',
    name: 'a.png',
    build: images.pageBehindPng,
    outcomes: ['FileContradictsName'],
  },
  {
    title: 'a ZIP behind a PNG',
    name: 'a.png',
    build: images.archiveBehindPng,
    outcomes: ['FileContradictsName'],
  },
  {
    title: 'a ZIP behind a JPEG',
    name: 'a.jpg',
    build: images.archiveBehindJpeg,
    outcomes: ['FileContradictsName'],
  },
  { title: 'a PNG called .pdf', name: 'a.pdf', build: images.ordinaryPng, outcomes: ['FileContradictsName'] },
  {
    title: 'a script that begins as a GIF',
    name: 'a.txt',
    build: text('GIF89a=1;alert(1)'),
    outcomes: ['UnsupportedFile'],
  },
];

const TEXTS: readonly HostileFile[] = [
  {
    title: 'a table of one line of 25 MB',
    name: 'a.csv',
    build: () => Buffer.alloc(25 * MEBIBYTE, 'a,b'),
    outcomes: ['FileTooComplex'],
  },
  {
    title: 'a table with a quote of 25 MB',
    name: 'a.csv',
    build: () => Buffer.concat([Buffer.from('a,"'), Buffer.alloc(25 * MEBIBYTE, 'b\n')]),
    outcomes: BROKEN,
  },
  {
    title: 'a table of 25 MB',
    name: 'a.csv',
    build: () => Buffer.alloc(24 * MEBIBYTE, 'a,b\n'),
    outcomes: BOUNDED,
  },
  {
    title: 'JSON nested a million deep',
    name: 'a.json',
    build: text(`${'['.repeat(1e6)}${']'.repeat(1e6)}`),
    outcomes: ['FileTooComplex'],
  },
  {
    title: '25 MB of small JSON',
    name: 'a.json',
    build: text(`[${'{"a":[]},'.repeat(2.5e6)}1]`),
    outcomes: BOUNDED,
    isSlow: true,
  },
  {
    title: 'a page nested 100,000 deep',
    name: 'a.html',
    build: text(`<!doctype html>${'<div>'.repeat(1e5)}a`),
    outcomes: ['FileTooComplex'],
  },
  {
    title: 'as many unclosed elements, and as many ends of others',
    name: 'a.html',
    build: text(`<!doctype html>${'<b><i>'.repeat(1e5)}${'</u>'.repeat(1e5)}`),
    outcomes: ['FileTooComplex'],
  },
  {
    title: 'a page of 25 MB',
    name: 'a.html',
    build: text(`<!doctype html>${'<p>a'.repeat(6e6)}`),
    outcomes: BOUNDED,
    isSlow: true,
  },
  {
    title: 'quotes nested 100,000 deep',
    name: 'a.md',
    build: text('>'.repeat(1e5)),
    outcomes: BOUNDED,
    isSlow: true,
  },
  {
    title: 'a million brackets',
    name: 'a.md',
    build: text('['.repeat(1e6)),
    outcomes: BOUNDED,
    isSlow: true,
  },
  {
    title: 'a million stars',
    name: 'a.md',
    build: text('*a _b '.repeat(3e5)),
    outcomes: BOUNDED,
    isSlow: true,
  },
  {
    title: '25 MB of text',
    name: 'a.txt',
    build: () => Buffer.alloc(25 * MEBIBYTE, 'ab \n'),
    outcomes: ['read'],
  },
];

/** Every hostile file, with what may become of it. */
export const HOSTILE_FILES: readonly HostileFile[] = [...DOCUMENTS, ...PDFS, ...IMAGES, ...TEXTS];
