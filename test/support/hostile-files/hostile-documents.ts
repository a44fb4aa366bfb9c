import { endlessBytes } from './endless-bytes';
import { zipArchive, type ZipEntry } from './zip-archive';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const MEBIBYTE = 1024 * 1024;

const TYPES: ZipEntry = {
  name: '[Content_Types].xml',
  content:
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.' +
    'wordprocessingml.document.main+xml"/></Types>',
};
const RELATIONSHIPS: ZipEntry = {
  name: '_rels/.rels',
  content:
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
    '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" ' +
    'Target="word/document.xml"/></Relationships>',
};

/** A Word document whose main part is that XML, with further entries. */
function docxOf(main: Partial<ZipEntry> & { content: Buffer | string }, ...others: ZipEntry[]): Buffer {
  return zipArchive([TYPES, RELATIONSHIPS, { name: 'word/document.xml', ...main }, ...others]);
}

function documentOf(body: string, declarations = ''): string {
  return `<?xml version="1.0"?>${declarations}<w:document ${W}><w:body>${body}</w:body></w:document>`;
}

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const HARMLESS = documentOf(paragraph('hello'));

/** Nothing hostile: what Word keeps of a field, such as a name that it merged into a letter. */
export const simpleField = () =>
  docxOf({
    content: documentOf(
      '<w:p><w:r><w:t xml:space="preserve">Dear </w:t></w:r><w:fldSimple w:instr="MERGEFIELD Name"><w:r><w:t>Ada Lowe</w:t></w:r></w:fldSimple></w:p>',
    ),
  });

/** Whose properties are that XML. */
export const documentWith = (properties: string) =>
  docxOf({ content: HARMLESS }, { name: 'docProps/core.xml', content: properties });

/** A gigabyte of the same letter in the main part. */
export const zipBomb = () =>
  docxOf({ content: '', deflated: endlessBytes(1024), declaredBytes: 1024 * MEBIBYTE });

/** 500 MB that are declared to be a hundred bytes. */
export const lyingZip = () => docxOf({ content: '', deflated: endlessBytes(500), declaredBytes: 100 });

/** Many parts, each of which is too small to be told by its ratio. */
export const manySmallBombs = () => {
  const deflated = endlessBytes(1);
  const parts = Array.from({ length: 500 }, (_, index) => ({
    name: `word/media/${index}`,
    content: '',
    deflated,
  }));
  return docxOf({ content: HARMLESS }, ...parts.map((part) => ({ ...part, declaredBytes: MEBIBYTE })));
};

/** A thousand entries that share the bytes of one (D. Fifield, A better zip bomb, 2019). */
export const overlappingZip = () =>
  docxOf(
    { content: HARMLESS },
    {
      name: 'word/media/0',
      content: Buffer.alloc(900_000, 'a'),
      alsoCalled: Array.from({ length: 999 }, (_, index) => `word/media/${index + 1}`),
    },
  );

/** Archives in archives, of which nobody opens more than the first. */
export const nestedZip = () => {
  let inner = zipArchive([{ name: 'a', content: Buffer.alloc(10 * MEBIBYTE) }]);
  for (let depth = 0; depth < 4; depth += 1) {
    inner = zipArchive([
      { name: 'a.zip', content: inner },
      { name: 'b.zip', content: inner },
    ]);
  }
  return docxOf({ content: HARMLESS }, { name: 'word/embeddings/inner.zip', content: inner, isStored: true });
};

export const manyEntries = () =>
  docxOf(
    { content: HARMLESS },
    ...Array.from({ length: 60_000 }, (_, i) => ({ name: `word/${i}`, content: '', isStored: true })),
  );

export const upwardName = () =>
  docxOf({ content: HARMLESS }, { name: '../../../etc/cron.d/job', content: 'x' });
export const absoluteName = () => docxOf({ content: HARMLESS }, { name: '/etc/cron.d/job', content: 'x' });
export const endlessName = () =>
  docxOf({ content: HARMLESS }, { name: `word/${'a'.repeat(4_096)}`, content: 'x' });
export const encryptedZip = () => docxOf({ content: HARMLESS, isEncrypted: true });
export const otherArchive = () =>
  zipArchive([TYPES, RELATIONSHIPS, { name: 'word/other.xml', content: '<a/>' }]);
export const cutZip = () => docxOf({ content: HARMLESS }).subarray(0, -40);
export const pdfInZip = () =>
  zipArchive([{ name: '[Content_Types].xml', content: '%PDF-1.7\n', isStored: true }]);

/** Nine entities of ten of the one before: a billion times `lol`. */
export const billionLaughs = () => docxOf({ content: documentOf(paragraph('&l9;'), laughs()) });
export const billionLaughsInUtf16 = () =>
  docxOf({ content: Buffer.from(`\ufeff${documentOf(paragraph('&l9;'), laughs())}`, 'utf16le') });
export const externalEntity = () =>
  docxOf({ content: documentOf(paragraph('&e;'), '<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]>') });

function laughs(): string {
  const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`);
  return `<!DOCTYPE lolz [<!ENTITY l0 "lol">${entities.join('')}]>`;
}

export const deepXml = () =>
  docxOf({
    content: documentOf(
      `${'<w:sdt><w:sdtContent>'.repeat(50_000)}${'</w:sdtContent></w:sdt>'.repeat(50_000)}`,
    ),
  });

/** 30 MB of XML that is no bomb: as many small paragraphs as that has. */
export const hugeDocument = () =>
  docxOf({
    content: documentOf(Array.from({ length: 500_000 }, (_, i) => paragraph(`word ${i * 7919}`)).join('')),
  });
