import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The postmaster.pid that a running server keeps in its data directory. PostgreSQL's miscadmin.h describes its lines.
 */
export interface PostmasterFile {
  path: string;
  pid: number;
  status: string;
  lines: string[];
}

/**
 * Reads the file of a data directory. Undefined when it has none: then no server runs there, and the last one was not
 * killed. An empty file has NaN for a process id.
 */
export async function readPostmasterFile(dataDirectory: string): Promise<PostmasterFile | undefined> {
  const path = join(dataDirectory, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  });
  if (text === undefined) {
    return undefined;
  }
  const lines = text.split('\n');
  return { path, pid: Number.parseInt(lines[0] ?? '', 10), status: (lines[7] ?? '').trim(), lines };
}
