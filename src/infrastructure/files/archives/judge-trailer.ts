import { FileContradictsName } from '../file-errors';

const RECORD_BYTES = 22;
const COMMENT_BYTES_MAX = 0xffff;
const END_OF_DIRECTORY = Buffer.from('PK\x05\x06', 'latin1');
const DIRECTORY_ENTRY = 0x02014b50;

/**
 * Refuses a file that is a ZIP too, whatever it begins with: a ZIP is read from its end, where its directory is.
 * @throws FileContradictsName
 */
export function judgeTrailer(bytes: Buffer): void {
  const start = Math.max(0, bytes.length - RECORD_BYTES - COMMENT_BYTES_MAX);
  let at = bytes.lastIndexOf(END_OF_DIRECTORY);
  while (at >= start && at >= 0) {
    if (at + RECORD_BYTES <= bytes.length && isEndOfArchive(bytes, at)) {
      throw new FileContradictsName('The file is an archive too, besides what it begins as.');
    }
    at = at === 0 ? -1 : bytes.lastIndexOf(END_OF_DIRECTORY, at - 1);
  }
}

/** Four bytes may be there by chance; a directory before them, or a comment up to the file's end, is not. */
function isEndOfArchive(bytes: Buffer, at: number): boolean {
  const directoryBytes = bytes.readUInt32LE(at + 12);
  const commentBytes = bytes.readUInt16LE(at + 20);
  const directory = at - directoryBytes;
  const hasDirectory = directory >= 0 && bytes.readUInt32LE(directory) === DIRECTORY_ENTRY;
  return hasDirectory || at + RECORD_BYTES + commentBytes === bytes.length;
}
