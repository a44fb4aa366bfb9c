import { EncryptedFile, FileContradictsName, UnreadableFile, UnsupportedFile } from './file-errors';

export type FileKind = 'txt' | 'md' | 'html' | 'csv' | 'json' | 'pdf' | 'docx' | 'png' | 'jpeg' | 'webp';

export type ImageKind = Extract<FileKind, 'png' | 'jpeg' | 'webp'>;

export type WrittenKind = Extract<FileKind, 'txt' | 'md' | 'html' | 'docx' | 'pdf'>;

interface FileKindFacts {
  readonly mediaType: string;
  readonly family: 'text' | 'document' | 'image';
  /** In lower case, the usual one first. */
  readonly extensions: readonly string[];
}

const DOCX_MEDIA_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

export const FILE_KINDS: Readonly<Record<FileKind, FileKindFacts>> = {
  txt: { mediaType: 'text/plain', family: 'text', extensions: ['txt', 'text', 'log'] },
  md: { mediaType: 'text/markdown', family: 'text', extensions: ['md', 'markdown', 'mdown'] },
  html: { mediaType: 'text/html', family: 'text', extensions: ['html', 'htm', 'xhtml'] },
  csv: { mediaType: 'text/csv', family: 'text', extensions: ['csv', 'tsv', 'tab'] },
  json: { mediaType: 'application/json', family: 'text', extensions: ['json'] },
  pdf: { mediaType: 'application/pdf', family: 'document', extensions: ['pdf'] },
  docx: { mediaType: DOCX_MEDIA_TYPE, family: 'document', extensions: ['docx'] },
  png: { mediaType: 'image/png', family: 'image', extensions: ['png'] },
  jpeg: { mediaType: 'image/jpeg', family: 'image', extensions: ['jpg', 'jpeg', 'jpe', 'jfif'] },
  webp: { mediaType: 'image/webp', family: 'image', extensions: ['webp'] },
};

export function isImageKind(kind: FileKind): kind is ImageKind {
  return FILE_KINDS[kind].family === 'image';
}

/** @param extension without a dot, in any case */
export function kindOfExtension(extension: string): FileKind | null {
  const kinds = Object.keys(FILE_KINDS) as FileKind[];
  return kinds.find((kind) => FILE_KINDS[kind].extensions.includes(extension.toLowerCase())) ?? null;
}

type Signature = FileKind | 'zip' | 'ole' | { readonly unsupported: string };

const unsupported = (name: string): Signature => ({ unsupported: name });

/** In hexadecimal; `..` is any byte. The first match counts. */
const SIGNATURES: readonly (readonly [means: Signature, ...patterns: string[]])[] = [
  ['png', '89504e470d0a1a0a'],
  ['jpeg', 'ffd8ff'],
  ['webp', '52494646........57454250'],
  ['pdf', '255044462d'],
  ['zip', '504b0304', '504b0506', '504b0708'],
  ['ole', 'd0cf11e0a1b11ae1'],
  [unsupported('a GIF image'), '47494638'],
  [unsupported('a TIFF image'), '49492a00', '4d4d002a'],
  [unsupported('a BMP image'), '424d............00000000'],
  [unsupported('an icon'), '00000100'],
  [unsupported('a Photoshop image'), '38425053'],
  [unsupported('a video or an image of its family'), '........66747970'],
  [unsupported('sound or video'), '52494646', '4f676753'],
  [unsupported('sound'), '494433', '664c6143'],
  [unsupported('a video'), '1a45dfa3'],
  [unsupported('an RTF document'), '7b5c727466'],
  [unsupported('a PostScript document'), '25215053'],
  [unsupported('a gzip archive'), '1f8b'],
  [unsupported('a bzip2 archive'), '425a68'],
  [unsupported('an xz archive'), 'fd377a585a00'],
  [unsupported('a Zstandard archive'), '28b52ffd'],
  [unsupported('a 7-Zip archive'), '377abcaf271c'],
  [unsupported('a RAR archive'), '526172211a07'],
  [unsupported('a tar archive'), `${'..'.repeat(257)}7573746172`],
  [unsupported('a program'), '4d5a', '7f454c46', 'cafebabe', 'cffaedfe', '0061736d'],
  [unsupported('a database'), '53514c69746520666f726d6174203300'],
];

/** Shorter signatures could begin a text, so they count only before bytes that no text has. */
const TEXT_LIKE_BYTES_MAX = 3;

function signatureOf(head: Buffer): Signature | null {
  const fits = (hex: string) =>
    new RegExp(`^${hex}`, 'u').test(head.toString('hex', 0, hex.length / 2)) &&
    (hex.length / 2 > TEXT_LIKE_BYTES_MAX || !isText(hex, head));
  return SIGNATURES.find(([, ...patterns]) => patterns.some(fits))?.[0] ?? null;
}

function isText(hex: string, head: Buffer): boolean {
  const isOfLetters = Buffer.from(hex, 'hex').every((byte) => byte >= 0x20 && byte < 0x7f);
  return isOfLetters && !head.subarray(0, 512).includes(0);
}

const CONTROLS = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/g;
const CONTROLS_SHARE_MAX = 0.01;

/** Null for bytes with NUL or many controls. UTF-16 needs a byte order mark. */
function plainTextOf(head: Buffer, isWhole: boolean): string | null {
  const encoding = utf16Of(head);
  if (encoding !== null) {
    const even = head.subarray(2, head.length - (isWhole ? 0 : head.length % 2));
    const text = new TextDecoder(encoding).decode(even);
    return text.includes('\0') ? null : text;
  }
  if (head.includes(0)) {
    return null;
  }
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  return (text.match(CONTROLS)?.length ?? 0) > text.length * CONTROLS_SHARE_MAX ? null : text;
}

export function utf16Of(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) {
    return 'utf-16le';
  }
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : null;
}

function looksLikeHtml(text: string): boolean {
  const start = /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,2000}-->\s*){0,5}/.exec(text)?.[0].length ?? 0;
  return /^<(?:!doctype\s+html|html|head|body)[\s>]/i.test(text.slice(start, start + 40));
}

function looksLikeJson(text: string, isStrict: boolean): boolean {
  if (!isStrict) {
    return /^\s*(?:[[{"\d-]|true|false|null)/.test(text);
  }
  return /^\s*(?:\{\s*["}]|\[\s*[\]"{\d])/.test(text) && /[\]}]\s*$/.test(text);
}

const RECORD_BYTES = 22;
const COMMENT_BYTES_MAX = 0xffff;
const END_OF_DIRECTORY = Buffer.from('PK\x05\x06', 'latin1');
const DIRECTORY_ENTRY = 0x02014b50;

/** A ZIP is read from its end, so any file may be one too. @throws FileContradictsName */
export function checkTrailer(bytes: Buffer): void {
  const start = Math.max(0, bytes.length - RECORD_BYTES - COMMENT_BYTES_MAX);
  let at = bytes.lastIndexOf(END_OF_DIRECTORY);
  while (at >= start && at >= 0) {
    if (at + RECORD_BYTES <= bytes.length && isEndOfArchive(bytes, at)) {
      throw new FileContradictsName('The file is an archive too, besides what it begins as.');
    }
    at = at === 0 ? -1 : bytes.lastIndexOf(END_OF_DIRECTORY, at - 1);
  }
}

/** Four bytes may be chance; a directory before them, or a comment up to the file's end, is not. */
function isEndOfArchive(bytes: Buffer, at: number): boolean {
  const directoryBytes = bytes.readUInt32LE(at + 12);
  const commentBytes = bytes.readUInt16LE(at + 20);
  const directory = at - directoryBytes;
  const hasDirectory = directory >= 0 && bytes.readUInt32LE(directory) === DIRECTORY_ENTRY;
  return hasDirectory || at + RECORD_BYTES + commentBytes === bytes.length;
}

export const SNIFFED_BYTES_MAX = 64 * 1024;

/** Looked for one after the other, as a single expression would take seconds for 4 KiB of hostile text. */
const PDF_HEADER = /%PDF-\d([\s\S]*)/;
const PDF_OBJECT = /\d\s+\d+\s+obj\b/;
const LEADING_SPACE = /^(?:\xef\xbb\xbf)?[\t\n\f\r ]*/;
const FOREIGN_EXTENSIONS = new Set(
  `exe dll so com bat cmd msi scr jar class zip gz tgz bz2 xz 7z rar tar iso dmg gif bmp tif tiff ico svg psd heic avif
  mp3 mp4 m4a wav ogg flac avi mov mkv webm doc xls ppt xlsx pptx odt ods odp rtf epub sqlite wasm`.split(
    /\s+/u,
  ),
);

/** The name decides only between texts. @param head the first 64 KiB @throws FileRefusals */
export function sniffFileKind(head: Buffer, sizeBytes: number, name: string | null): FileKind {
  if (sizeBytes === 0 || head.length === 0) {
    throw new UnreadableFile('The file is empty.');
  }
  const first = head.subarray(0, SNIFFED_BYTES_MAX);
  const extension = extensionOf(name);
  const kind = binaryKindOf(first, extension) ?? textKindOf(first, sizeBytes <= first.length, extension);
  const claimed = kindOfExtension(extension ?? '');
  const isText = FILE_KINDS[kind].family === 'text';
  const isClaimed = claimed === null || claimed === kind || (isText && FILE_KINDS[claimed].family === 'text');
  if (!isClaimed || FOREIGN_EXTENSIONS.has(extension ?? '')) {
    throw new FileContradictsName(
      `The file is called .${extension}, but its bytes are those of ${isText ? 'a text' : kind.toUpperCase()}.`,
    );
  }
  return kind;
}

function binaryKindOf(head: Buffer, extension: string | null): FileKind | null {
  const lead = LEADING_SPACE.exec(head.toString('latin1', 0, 1024))?.[0].length ?? 0;
  const signature = signatureOf(head) ?? (signatureOf(head.subarray(lead)) === 'pdf' ? 'pdf' : null);
  if (signature === 'zip') {
    return checkZip(head, extension);
  }
  if (signature === 'ole') {
    throw head.includes(Buffer.from('EncryptedPackage', 'utf16le'))
      ? new EncryptedFile('The document is encrypted; upload it without a password.')
      : new UnsupportedFile('Documents of Word 97 to 2003 are not read; save it as .docx.');
  }
  if (signature !== null && typeof signature === 'object') {
    throw new UnsupportedFile(`The file is ${signature.unsupported}, which is not read.`);
  }
  return signature;
}

/** A Word document names its parts in its first entries; its content is checked later. */
function checkZip(head: Buffer, extension: string | null): FileKind {
  const names = [...head.toString('latin1').matchAll(/PK\x03\x04[\s\S]{22}([\s\S]{2})[\s\S]{2}/g)].map(
    (match) => {
      const length = (match[1]?.charCodeAt(0) ?? 0) + 256 * (match[1]?.charCodeAt(1) ?? 0);
      return head.toString('latin1', match.index + 30, match.index + 30 + Math.min(length, 100));
    },
  );
  const isOfOffice = /^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|word\/|customXml\/)/.test(names[0] ?? '');
  const isOther = names.some((each) => /^(?:xl|ppt|visio)\//.test(each));
  const isWord = names.some((each) => each.startsWith('word/')) || extension === 'docx';
  if (isOfOffice && isWord && !isOther) {
    return 'docx';
  }
  throw extension === 'docx'
    ? new FileContradictsName('The file is called .docx, but it is another archive.')
    : new UnsupportedFile('The file is an archive, and only Word documents (.docx) are read of these.');
}

function textKindOf(head: Buffer, isWhole: boolean, extension: string | null): FileKind {
  const text = plainTextOf(head, isWhole);
  if (text === null) {
    throw new UnsupportedFile('The file is neither text nor a format that is read.');
  }
  if (PDF_OBJECT.test(PDF_HEADER.exec(text.slice(0, 4096))?.[1] ?? '')) {
    throw new FileContradictsName('The file begins as text, but a PDF follows in it.');
  }
  const claimed = kindOfExtension(extension ?? '');
  if (claimed === null || FILE_KINDS[claimed].family !== 'text') {
    return looksLikeHtml(text) ? 'html' : isWhole && looksLikeJson(text, true) ? 'json' : 'txt';
  }
  checkClaim(claimed, text);
  return claimed;
}

function checkClaim(claimed: FileKind, text: string): void {
  if (claimed === 'json' && !looksLikeJson(text, false)) {
    throw new FileContradictsName('The file is called .json, but it does not begin as JSON does.');
  }
  if (claimed === 'html' && !/<[!a-z]/i.test(text)) {
    throw new FileContradictsName('The file is called .html, but no element is in its beginning.');
  }
  if (claimed !== 'html' && looksLikeHtml(text)) {
    throw new FileContradictsName(`The file is called .${claimed}, but it begins as HTML does.`);
  }
}

function extensionOf(name: string | null): string | null {
  const match = /[^/\\.][^/\\]*\.([a-z0-9]{1,10})$/i.exec((name ?? '').slice(-300).trimEnd());
  return match?.[1]?.toLowerCase() ?? null;
}
