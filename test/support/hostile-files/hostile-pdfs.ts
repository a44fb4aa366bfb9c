import PDFDocument from 'pdfkit';
import { deflateSync } from 'node:zlib';
import { endlessZlibBytes } from './endless-bytes';

/** A PDF of these objects, the first of which is its catalog. Each has the number of its place, from 1. */
export function pdfOf(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  objects.forEach((object, index) => {
    offsets.push(length);
    add(
      Buffer.concat([
        Buffer.from(`${index + 1} 0 obj\n`),
        Buffer.from(object as string),
        Buffer.from('\nendobj\n'),
      ]),
    );
  });
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  add(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`));
  add(Buffer.from(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const FONT = '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';

function stream(content: Buffer, dictionary = ''): Buffer {
  const head = `<< /Length ${content.length} ${dictionary} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\nendstream')]);
}

/** A page with that content. */
function pageOf(content: Buffer, resources = FONT, ...others: (string | Buffer)[]): Buffer {
  return pdfOf([
    CATALOG,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources ${resources} >>`,
    content,
    ...others,
  ]);
}

const inflating = (deflated: Buffer) => stream(deflated, '/Filter /FlateDecode');
const shown = (text: string) => `BT /F1 12 Tf 50 700 Td (${text}) Tj ET\n`;

export const manyPages = (pages: number) =>
  pdfOf([
    CATALOG,
    `<< /Type /Pages /Kids [${Array.from({ length: pages }, (_, i) => `${i + 4} 0 R`).join(' ')}] /Count ${pages} >>`,
    stream(Buffer.from(shown('page'))),
    ...Array.from(
      { length: pages },
      () => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 3 0 R /Resources ${FONT} >>`,
    ),
  ]);

/** Says that it has two pages, and has ten thousand. */
export const lyingPages = () =>
  Buffer.from(manyPages(10_000).toString('latin1').replace('/Count 10000', '/Count 2    '), 'latin1');

export const cyclicPages = () =>
  pdfOf([CATALOG, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 100 /Parent 2 0 R >>']);
/** A gigabyte of spaces as the content of a page. */
export const flateBomb = () => pageOf(inflating(endlessZlibBytes(1024)));
/** A bomb within a bomb. */
export const twiceDeflated = () =>
  pageOf(stream(deflateSync(endlessZlibBytes(4 * 1024)), '/Filter [/FlateDecode /FlateDecode]'));
/** Forty million letters on one page. */
export const endlessText = () =>
  pageOf(inflating(deflateSync(Buffer.from(shown('word '.repeat(100)).repeat(80_000)))));
/** A form that shows itself. */
export const formInItself = () =>
  pageOf(
    stream(Buffer.from('/X Do')),
    '<< /XObject << /X 5 0 R >> >>',
    stream(
      Buffer.from('/X Do /X Do'),
      '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>',
    ),
  );
export const deepArray = () =>
  pdfOf([
    `<< /Type /Catalog /Pages 2 0 R /X ${'['.repeat(100_000)}${']'.repeat(100_000)} >>`,
    '<< /Type /Pages /Kids [] /Count 0 >>',
  ]);

/** Its pages are in an object stream that says to hold ten million objects, and inflates to a gigabyte. */
export function hugeObjectStream(): Buffer {
  const dictionary = '/Type /ObjStm /N 10000000 /First 40000000 /Filter /FlateDecode';
  const held = stream(endlessZlibBytes(1024, 0x31), dictionary);
  const start = Buffer.from('%PDF-1.7\n');
  const second = Buffer.concat([Buffer.from('3 0 obj\n'), held, Buffer.from('\nendobj\n')]);
  const first = Buffer.from(`1 0 obj\n${CATALOG}\nendobj\n`);
  const end = start.length + first.length + second.length;
  const row = (type: number, place: number, index: number) => {
    const bytes = Buffer.alloc(7);
    bytes.writeUInt8(type, 0);
    bytes.writeUInt32BE(place, 1);
    bytes.writeUInt16BE(index, 5);
    return bytes;
  };
  const rows = [
    row(0, 0, 65_535),
    row(1, start.length, 0),
    row(2, 3, 0),
    row(1, start.length + first.length, 0),
    row(1, end, 0),
  ];
  const references = stream(Buffer.concat(rows), '/Type /XRef /Size 5 /W [1 4 2] /Root 1 0 R');
  const last = Buffer.concat([Buffer.from('4 0 obj\n'), references, Buffer.from('\nendobj\n')]);
  return Buffer.concat([start, first, second, last, Buffer.from(`startxref\n${end}\n%%EOF\n`)]);
}

export async function ordinaryPdf(options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const document = new PDFDocument({ compress: true, ...options });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.on('end', resolve));
  document.text('The quarterly report. '.repeat(500));
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

export const encryptedPdf = () => ordinaryPdf({ userPassword: 'secret', ownerPassword: 'other' });
/** Anybody may read it; only printing it is forbidden. */
export const restrictedPdf = () =>
  ordinaryPdf({ ownerPassword: 'other', permissions: { printing: undefined } });
