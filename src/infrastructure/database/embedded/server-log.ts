import { type FileHandle, open } from 'node:fs/promises';

const SIZE_BYTES_MAX = 1_048_576;

/** The file that a server writes its messages to. */
export interface ServerLog {
  path: string;
  handle: FileHandle;
  /** What was written since this start, up to 1 MiB. */
  read(): Promise<string>;
}

/** Opens the file for another start. The messages of earlier starts stay, unless they exceed 1 MiB. */
export async function openServerLog(path: string): Promise<ServerLog> {
  const handle = await open(path, 'a+', 0o600);
  const { size } = await handle.stat();
  const isLarge = size > SIZE_BYTES_MAX;
  if (isLarge) {
    await handle.truncate();
  }
  const start = isLarge ? 0 : size;
  return { path, handle, read: () => readFrom(handle, start) };
}

async function readFrom(handle: FileHandle, start: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(SIZE_BYTES_MAX), position: start });
  return buffer.toString('utf8', 0, bytesRead).trim();
}
