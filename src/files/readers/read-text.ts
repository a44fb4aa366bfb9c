import { isUtf8 } from 'node:buffer';
import { UnsupportedFile } from '../file-errors';
import type { ReadFile } from '../file-jobs';
import { TEXT_CHARACTERS_MAX } from '../file-limits';
import { utf16Of } from '../sniff-file-kind';

/** With plain line ends, without NUL and lone surrogates, at most 2,000,000 UTF-16 units. */
export function boundedText(text: string): { text: string; isCut: boolean } {
  const isCut = text.length > TEXT_CHARACTERS_MAX;
  const cut = isCut ? text.slice(0, TEXT_CHARACTERS_MAX) : text;
  return { text: cut.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '').toWellFormed(), isCut };
}

/** On one line of at most 300 characters; null where nothing is left. */
export function boundedTitle(title: string | null | undefined): string | null {
  const line = (title ?? '').slice(0, 2_000).replaceAll('\0', '').replaceAll(/\s+/g, ' ').trim();
  return line === '' ? null : line.slice(0, 300).toWellFormed();
}

const FALLBACK = 'windows-1252';
/** Windows-1252 from 0x80 to 0x9f (WHATWG Encoding). */
const FROM_0X80 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * UTF-16 with a byte order mark, else UTF-8, else the named charset, else windows-1252, which any bytes are.
 * @throws UnsupportedFile for bytes with NUL
 */
export function decodeText(bytes: Uint8Array, named: string | null = null): string {
  const encoding = utf16Of(bytes) ?? (isUtf8(bytes) ? 'utf-8' : knownEncoding(named));
  const text = encoding === FALLBACK ? ofWindows1252(bytes) : new TextDecoder(encoding).decode(bytes);
  if (text.includes('\0')) {
    throw new UnsupportedFile('The file is called a text, but its bytes are none.');
  }
  return text;
}

function knownEncoding(named: string | null): string {
  try {
    return named === null ? FALLBACK : new TextDecoder(named).encoding;
  } catch {
    return FALLBACK;
  }
}

/** Node 20 decodes windows-1252 as latin1, without its quotes, dashes and the euro. */
function ofWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replaceAll(/[\x80-\x9f]/g, (control) => FROM_0X80[control.charCodeAt(0) - 0x80] ?? control);
}

export function readText(bytes: Buffer): ReadFile {
  return { ...boundedText(decodeText(bytes)), markdown: null, pages: null, title: null, tables: [] };
}
