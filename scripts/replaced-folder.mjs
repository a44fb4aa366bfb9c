import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const STAMP = '.built';
const NEW = '.new-';
const OLD = '.old-';
/** No build takes so long: what is older was left behind by one that was killed. */
const LEFT_BEHIND_MS = 60 * 60 * 1000;
/** Another build may put its own in place between two renames of this one, but not again and again. */
const RENAMES_MAX = 10;

/**
 * Builds a folder anew unless it is newer than all of its sources. A service that runs starts threads and serves files from such
 * a folder: what is built goes to another one, and the folder is missing only from one rename to the next.
 * @param {string} folder
 * @param {string[]} sources files and folders
 * @param {(fresh: string) => void | Promise<void>} fill writes what is built into a new folder
 */
export async function replaceIfStale(folder, sources, fill) {
  if (isFresh(folder, sources)) {
    return;
  }
  removeLeftBehind(folder);
  const fresh = folder + NEW + randomUUID();
  try {
    mkdirSync(fresh);
    // Before the sources are read: what is changed meanwhile is built at the next start.
    writeFileSync(join(fresh, STAMP), '');
    await fill(fresh);
    // Another start may have built the same meanwhile, and be loading it by now.
    if (!isFresh(folder, sources)) {
      putInPlace(folder, fresh);
    }
  } finally {
    remove(fresh);
  }
}

/** When a path or anything inside it was last changed. Folders count as well, so that a deletion is noticed. */
function changedMs(path) {
  const { mtimeMs } = statSync(path);
  const inside = statSync(path).isDirectory()
    ? readdirSync(path).map((name) => changedMs(join(path, name)))
    : [];
  return Math.max(mtimeMs, ...inside);
}

function isFresh(folder, sources) {
  const stamp = statSync(join(folder, STAMP), { throwIfNoEntry: false });
  return (stamp?.mtimeMs ?? 0) >= Math.max(...sources.map(changedMs));
}

function putInPlace(folder, fresh) {
  for (let renames = 1; ; renames += 1) {
    const old = fresh.replace(folder + NEW, folder + OLD);
    ignoring(['ENOENT'], () => renameSync(folder, old));
    const isInPlace = ignoring(renames < RENAMES_MAX ? ['ENOTEMPTY', 'EEXIST'] : [], () =>
      renameSync(fresh, folder),
    );
    remove(old);
    if (isInPlace) {
      return;
    }
  }
}

/** Whether it was done, and did not fail with one of these codes. */
function ignoring(codes, act) {
  try {
    act();
    return true;
  } catch (error) {
    if (codes.includes(error.code)) {
      return false;
    }
    throw error;
  }
}

/** Another build may be removing it too, and what stays is removed by a later one: no start is to fail for that. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    process.stderr.write(`${folder} was not removed: ${error.message}\n`);
  }
}

function removeLeftBehind(folder) {
  const beside = dirname(folder);
  const names = [NEW, OLD].map((middle) => basename(folder) + middle);
  const left = readdirSync(beside).filter((name) => names.some((start) => name.startsWith(start)));
  for (const name of left) {
    const changed = statSync(join(beside, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - changed > LEFT_BEHIND_MS) {
      remove(join(beside, name));
    }
  }
}
