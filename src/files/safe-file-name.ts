const NAME_BYTES_MAX = 200;
const EXTENSION_BYTES_MAX = 20;

/**
 * A file name to be stored, shown and sent in a header: without folders, controls, marks of direction, and what Windows
 * forbids; at most 200 bytes of UTF-8 with its extension; never empty.
 */
export function safeFileName(name: string): string {
  const base = name.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const cleaned = base
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .replace(/[. ]+$/, '');
  const dot = cleaned.lastIndexOf('.');
  const extension = dot > 0 ? cleaned.slice(dot) : '';
  if (extension === '' || Buffer.byteLength(extension) > EXTENSION_BYTES_MAX) {
    return cutToBytes(cleaned, NAME_BYTES_MAX) || 'file';
  }
  return cutToBytes(cleaned.slice(0, dot), NAME_BYTES_MAX - Buffer.byteLength(extension)) + extension;
}

function cutToBytes(text: string, bytesMax: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > bytesMax) {
      break;
    }
    end += character.length;
  }
  return text.slice(0, end).trimEnd();
}
