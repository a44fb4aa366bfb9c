import { EncryptedFile, FileContradictsName, UnreadableFile, UnsupportedFile } from './file-errors';
import { FILE_KINDS, kindOfExtension, type FileKind } from './file-kinds';
import { signatureOf } from './file-signatures';
import { looksLikeHtml, looksLikeJson, plainTextOf } from './text-look';

/** How many of its first bytes tell the kind of a file. */
export const SNIFFED_BYTES_MAX = 64 * 1024;

const PDF_WITHIN_TEXT = /%PDF-\d[\s\S]*\d+\s+\d+\s+obj\b/;
const LEADING_SPACE = /^(?:\xef\xbb\xbf)?[\t\n\f\r ]*/;
/** Extensions of binary formats that are not read: a text that is called so is not what its name says. */
const FOREIGN_EXTENSIONS = new Set(
  (
    'exe dll so com bat cmd msi scr jar class zip gz tgz bz2 xz 7z rar tar iso dmg gif bmp tif tiff ico svg psd heic avif ' +
    'mp3 mp4 m4a wav ogg flac avi mov mkv webm doc xls ppt xlsx pptx odt ods odp rtf epub sqlite wasm'
  ).split(' '),
);

/**
 * The kind of a file by its first bytes. The name decides only between texts, and it must not contradict the bytes.
 * @param head the first 64 KiB, or the whole file where it is shorter
 * @param sizeBytes of the whole file
 * @throws UnsupportedFile for a kind that is not read, FileContradictsName, EncryptedFile for an encrypted Word
 *   document, UnreadableFile for an empty file
 */
export function sniffFileKind(head: Buffer, sizeBytes: number, name: string | null): FileKind {
  if (sizeBytes === 0 || head.length === 0) {
    throw new UnreadableFile('The file is empty.');
  }
  const first = head.subarray(0, SNIFFED_BYTES_MAX);
  const extension = extensionOf(name);
  const kind = binaryKindOf(first, extension) ?? textKindOf(first, sizeBytes <= first.length, extension);
  const claimed = kindOfExtension(extension ?? '');
  const isOfOtherFamily = claimed !== null && claimed !== kind && !areBothTexts(claimed, kind);
  if (isOfOtherFamily || FOREIGN_EXTENSIONS.has(extension ?? '')) {
    throw new FileContradictsName(
      `The file is called .${extension}, but its bytes are those of ${named(kind)}.`,
    );
  }
  return kind;
}

function binaryKindOf(head: Buffer, extension: string | null): FileKind | null {
  const lead = LEADING_SPACE.exec(head.toString('latin1', 0, 1024))?.[0].length ?? 0;
  const signature = signatureOf(head) ?? (signatureOf(head.subarray(lead)) === 'pdf' ? 'pdf' : null);
  if (signature === 'zip') {
    return judgeZip(head, extension);
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

/** A ZIP is read where it is a Word document, whose parts are named in its first entries. What is in it is judged later. */
function judgeZip(head: Buffer, extension: string | null): FileKind {
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
  if (PDF_WITHIN_TEXT.test(text.slice(0, 4096))) {
    throw new FileContradictsName('The file begins as text, but a PDF follows in it.');
  }
  const claimed = kindOfExtension(extension ?? '');
  if (claimed === null || FILE_KINDS[claimed].family !== 'text') {
    return looksLikeHtml(text) ? 'html' : isWhole && looksLikeJson(text, true) ? 'json' : 'txt';
  }
  judgeClaim(claimed, text);
  return claimed;
}

/** @throws FileContradictsName for a text that is of another kind than its name says, where that can be told */
function judgeClaim(claimed: FileKind, text: string): void {
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

/** The part behind the last dot, in lower case; null for a name without one. */
function extensionOf(name: string | null): string | null {
  const match = /[^/\\.][^/\\]*\.([a-z0-9]{1,10})$/i.exec((name ?? '').slice(-300).trimEnd());
  return match?.[1]?.toLowerCase() ?? null;
}

function areBothTexts(one: FileKind, other: FileKind): boolean {
  return FILE_KINDS[one].family === 'text' && FILE_KINDS[other].family === 'text';
}

function named(kind: FileKind): string {
  return FILE_KINDS[kind].family === 'text' ? 'a text' : kind.toUpperCase();
}
