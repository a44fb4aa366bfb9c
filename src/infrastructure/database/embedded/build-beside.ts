import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './process-table';

/**
 * The folders that this process is building now. They carry its process id too, but must not be taken for leftovers.
 */
const underway = new Set<string>();

/**
 * Creates the folder `target` completely or not at all: it is built under another name in the same folder and then
 * renamed. Unfinished folders that earlier processes left behind are removed. When another process completes the
 * same target first, the target of that process stays.
 *
 * @param build fills the empty folder that it is given.
 * @throws whatever `build` throws, and the errors of the file system
 */
export async function buildBeside(target: string, build: (folder: string) => Promise<void>): Promise<void> {
  await removeLeftovers(target);
  const folder = `${target}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  underway.add(folder);
  try {
    await mkdir(folder, { mode: 0o700 });
    await build(folder);
    await rename(folder, target);
    await persistNames(dirname(target));
  } catch (error) {
    await removeFolder(folder);
    const lostTheRace = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (!lostTheRace || !existsSync(target)) {
      throw error;
    }
  } finally {
    underway.delete(folder);
  }
}

async function removeLeftovers(target: string): Promise<void> {
  const parent = dirname(target);
  const prefix = `${basename(target)}.new-`;
  for (const name of await readdir(parent)) {
    const builder = Number.parseInt(name.slice(prefix.length), 10);
    if (!name.startsWith(prefix) || underway.has(join(parent, name))) {
      continue;
    }
    // In a container the process has the same id after every start, so our own id means an earlier start of ours.
    if (builder === process.pid || !isAlive(builder)) {
      await removeFolder(join(parent, name));
    }
  }
}

/** Removes a folder. It retries, because a process that is just being ended may still write into the folder. */
function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/**
 * Writes the names in a folder to disk. Otherwise a power failure could undo the rename, but not later writes inside.
 */
async function persistNames(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
