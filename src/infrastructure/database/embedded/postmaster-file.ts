import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running server writes into its data directory. Lines as in PostgreSQL's miscadmin.h. */
export interface PostmasterFile {
  path: string;
  pid: number;
  status: string;
  lines: string[];
}

/** The file of a data directory, or undefined when no server runs there or ran and was killed. */
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
