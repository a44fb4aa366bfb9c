import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { TemporaryFile } from './temporary-files';

/** In bytes, from the beginning of a file: by so much of it its format is recognised. */
export const HEAD_BYTES_MAX = 64 * 1024;

/** A file that came with a form. It is removed when its call has ended. */
export interface UploadedFile {
  /** Where it is on this machine. */
  readonly path: string;
  /** As the caller wrote it: anything. */
  readonly name: string;
  readonly sizeBytes: number;
  /** SHA-256, in hexadecimal digits. */
  readonly checksum: string;
  /** The first 64 KiB. */
  readonly head: Buffer;
}

/** Writes what comes to a file, each piece before the next is taken, and closes it. */
export async function storeFile(
  source: Readable,
  name: string,
  { path, handle }: TemporaryFile,
): Promise<UploadedFile> {
  const hash = createHash('sha256');
  const heads: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const piece of source as AsyncIterable<Buffer>) {
      hash.update(piece);
      if (sizeBytes < HEAD_BYTES_MAX) {
        heads.push(Buffer.from(piece.subarray(0, HEAD_BYTES_MAX - sizeBytes)));
      }
      sizeBytes += piece.length;
      await handle.writeFile(piece);
    }
  } finally {
    await handle.close();
  }
  return { path, name, sizeBytes, checksum: hash.digest('hex'), head: Buffer.concat(heads) };
}
