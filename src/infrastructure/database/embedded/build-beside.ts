import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './process-table';

/** Folders this process is building now: its own id in a name does not make them leftovers. */
const underway = new Set<string>();

/**
 * Makes `target` whole or not at all: it is built under another name beside it and then renamed. What earlier
 * processes left half built is removed. When somebody else completes the same target first, theirs stays.
 *
 * @param build fills the empty folder it is given.
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
    // Containers give every start the same process id, so our own id means a former life.
    if (builder === process.pid || !isAlive(builder)) {
      await removeFolder(join(parent, name));
    }
  }
}

/** Retries, because a process that is being ended may still write into the folder. */
function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Without this, a power failure may undo the rename although later writes inside the folder are safe. */
async function persistNames(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
