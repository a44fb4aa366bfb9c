import { isUtf8 } from 'node:buffer';
import { UnsupportedFile } from '../file-errors';
import { utf16Of } from '../text-look';

/**
 * The text of some bytes: UTF-16 where a byte order mark says so, else UTF-8, else the charset that the file names itself,
 * else windows-1252, which any bytes are.
 * @param named the charset that the file names, null where it names none
 * @throws UnsupportedFile for bytes with NUL, which no text has
 */
export function decodeText(bytes: Uint8Array, named: string | null = null): string {
  const encoding = utf16Of(bytes) ?? (isUtf8(bytes) ? 'utf-8' : knownEncoding(named));
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.includes('\0')) {
    throw new UnsupportedFile('The file is called a text, but its bytes are none.');
  }
  return text;
}

function knownEncoding(named: string | null): string {
  try {
    return named === null ? 'windows-1252' : new TextDecoder(named).encoding;
  } catch {
    return 'windows-1252';
  }
}
